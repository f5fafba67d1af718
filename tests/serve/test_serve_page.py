"""The page of the server in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import puzzlekit
from puzzlekit import Query
from puzzlekit.questions.played import PlayedBoard
from tests.browser import needs_browser, started
from tests.play.player import Player, each_type
from tests.play.test_entries import smallest
from tests.serve.editing import Text
from tests.serve.running import TOKEN
from tests.serve.test_pool import KIND as NUMBERS, PIGEONS
from tests.shipped import SPECS

pytestmark = needs_browser
ENTERED = "akari"  # the others in `make test-slow`
KIND = """\
puzzle: lamps
title: Lamps
about: Each row and each column has one lamp, and a number tells how many neighbours have one.

data:
  board: grid[int | None]

variables:
  lamp[c]: bool for c in board.cells

rules:
  a lamp in every row: exactly_one(lamp[row]) for row in board.rows
  a lamp in every column: exactly_one(lamp[column]) for column in board.columns
  no lamp on a number: not lamp[c] for c in board.given
  numbers count: sum(lamp[board.neighbours(c)]) == board[c] for c in board.given

show:
  picture:
    text: board
    signs: {bulb: lamp}
"""
# four solutions; one with a 0 in row 2
SPEC = "puzzle: lamps\nboard: |\n  1 . . .\n  . . 1 .\n  . . . .\n  . . . .\n"
HTML = "</title></script><img src=x onerror=alert(1)><b>&lt;"


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with started(offline=False) as page:
        page.set_default_timeout(20_000)
        expect.set_options(timeout=20_000)
        yield page


@pytest.fixture
def page(browser: Page, port: int) -> Iterator[Page]:
    """The empty page, on which nothing may go wrong."""
    errors: list[str] = []
    browser.on("pageerror", lambda error: errors.append(str(error)))
    browser.on(
        "console",
        lambda message: errors.append(message.text) if "Content Security" in message.text else None,
    )
    browser.set_viewport_size({"width": 1280, "height": 800})
    visit(browser, port)
    yield browser
    assert errors == []


FORGET = """() => new Promise((done, wrong) => {
    sessionStorage.clear();
    const request = indexedDB.deleteDatabase("puzzlekit drafts");
    [request.onsuccess, request.onerror] = [() => done(), () => wrong(request.error)];
})"""


def visit(page: Page, port: int, example: str = "") -> None:
    """Open the page as somebody who was never here."""
    page.goto(f"http://127.0.0.1:{port}/?token={TOKEN}")
    page.goto(f"http://127.0.0.1:{port}/static/icon.svg")  # a page that keeps nothing
    page.evaluate(FORGET)
    page.goto("about:blank")
    page.goto(f"http://127.0.0.1:{port}/{f'#{example}' if example else ''}")


def write(page: Page, name: str, text: str) -> None:
    """Type a text line by line, over the blanks that the editor puts before each."""
    page.get_by_role("textbox", name=name, exact=True).click()
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        if number:
            page.keyboard.press("Enter")
            page.keyboard.press("Shift+Home")
        page.keyboard.type(line) if line else page.keyboard.press("Delete")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def text_of(page: Page, name: str) -> str:
    return Text(page, name).read()


def cell(page: Page, row: int, column: int) -> Any:
    return page.locator(f"[role=gridcell][aria-label^='row {row}, column {column}:']")


def answer(page: Page) -> Any:
    """The answer that came last."""
    return page.locator("#answers article").first


def test_a_type_is_written_solved_checked_explained_made_and_printed(
    page: Page, folder: Path
) -> None:
    verdict = page.locator("#verdict")
    write(page, "Type", KIND.replace("exactly_one(lamp[row])", "exactly_one(lam[row])"))
    write(page, "Spec", SPEC)
    expect(page.locator("#problems-Type")).to_contain_text("Line 12")
    expect(page.locator("[data-pane=type] .cm-lint-marker-error")).to_have_count(1)
    press(page, "Line 12")
    for _ in range(len("lam")):
        page.keyboard.press("ArrowRight")
    page.keyboard.type("p")
    expect(verdict).to_have_text("Several solutions (4)")
    assert text_of(page, "Type") == KIND.rstrip("\n")
    press(page, "What decides?")
    expect(answer(page)).to_contain_text("One is left if there is a lamp at r1c")
    press(page, "clues")
    cell(page, 2, 3).click()
    page.keyboard.type("0")
    expect(verdict).to_have_text("One solution")
    assert "  . . 0 .\n" in text_of(page, "Spec")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("3")
    expect(verdict).to_have_text("No solution")
    page.keyboard.press("Backspace")
    expect(verdict).to_have_text("One solution")
    press(page, "lamp")
    press(page, "Solve")
    expect(page.locator(".play.solved .entered use")).to_have_count(4)
    press(page, "Undo")
    expect(page.locator(".entered use")).to_have_count(0)
    press(page, "Hint")
    press(page, "Show the pattern")
    press(page, "Show the step")
    press(page, "Enter it")
    press(page, "Check")
    expect(answer(page)).to_contain_text("Right so far")
    expect(page.locator(".old[aria-label=Check]")).to_have_count(0)
    press(page, "Undo")
    expect(page.locator(".old[aria-label=Check]")).to_have_count(1)
    press(page, "Redo")
    press(page, "Explain")
    expect(answer(page)).to_contain_text("This is the only solution")
    press(page, "Rate")
    expect(answer(page)).to_contain_text("Easy: ")
    press(page, "Make another")
    press(page, "Make")
    expect(page.locator("#answers article", has_text="Here it is.")).to_be_visible()
    expect(verdict).to_have_text("One solution")
    assert "--seed" in text_of(page, "Spec")
    press(page, "Picture")
    with page.expect_download() as saved:
        press(page, "PDF")
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")
    press(page, "Save the spec")
    press(page, "Save")
    expect(page.locator("[data-pane=spec] .file")).to_have_text("lamps-spec.yaml")
    assert (folder / "lamps-spec.yaml").read_text() == text_of(page, "Spec")


@each_type(ENTERED)
def test_each_type_is_played_to_its_end_from_the_server(name: str, page: Page, port: int) -> None:
    puzzle = puzzlekit.load(None, SPECS[smallest(name)])
    solution = next(iter(puzzle.run(Query(limit=1, ordered=False))))
    visit(page, port, smallest(name))
    expect(page.locator("#verdict")).to_contain_text("olution")
    game = PlayedBoard(puzzle).game
    known, before = game.data(solution), game.entered(solution)
    page.wait_for_function("() => document.querySelector('#verdict').textContent !== '…'")
    player = Player(page, known)
    for number, (entry, texts) in enumerate(zip(game.entries, before)):
        player.play(number, entry, texts)
    expect(page.locator(".said")).to_contain_text("Solved in")


def test_what_a_stranger_writes_is_text(page: Page) -> None:
    kind = KIND.replace("title: Lamps", f"title: '{HTML}'").replace(
        "about: Each", f"about: '{HTML}' #"
    )
    kind = kind.replace("a lamp in every row", f"'{HTML}'").replace(
        "grid[int | None]", "grid[symbol | None]"
    )
    kind = kind.replace(
        "  numbers count: sum(lamp[board.neighbours(c)]) == board[c] for c in board.given\n", ""
    )
    Text(page, "Type").fill(kind)
    spec = (
        f"puzzle: lamps\ntitle: '{HTML}'\nboard: [['<b>', ., .], ['\"><img/src=x>', ., .], [., ., "
        f".]]\n"
    )
    Text(page, "Spec").fill(spec)
    expect(page.locator("#title")).to_contain_text(HTML)
    for name in ("Hint", "Explain", "Count", "Rate"):
        press(page, name)
        expect(answer(page).locator(".body")).not_to_be_empty()
    Text(page, "Spec").fill(f"{spec}'{HTML}': 1\n")
    expect(page.locator("#problems-Spec")).to_contain_text("img src=x")
    Text(page, "Type").fill(f"{kind}'{HTML}': {HTML}\n")
    expect(page.locator(".problems").first).not_to_be_empty()
    assert page.locator("main img, main b, main script, header img").count() == 0


@pytest.mark.slow
def test_a_file_that_was_changed_elsewhere_is_not_overwritten(page: Page, folder: Path) -> None:
    file = folder / "there.yaml"
    file.write_text(SPEC)
    press(page, "Files")
    press(page, "there.yaml")
    spec = Text(page, "Spec")
    spec.wait(SPEC)
    spec.fill(f"{SPEC}# mine\n")
    assert file.read_text() == SPEC
    file.write_text(f"{SPEC}# theirs\n")
    expect(page.locator("[data-pane=spec] .banner")).to_be_visible()
    press(page, "Save the spec")
    expect(page.locator("#ask")).to_contain_text("there.yaml has changed on the disk")
    press(page, "Keep writing")
    assert file.read_text() == f"{SPEC}# theirs\n" and spec.read() == f"{SPEC}# mine\n"
    press(page, "Save the spec")
    press(page, "Save over it")
    expect(page.locator("#ask")).not_to_be_visible()
    assert file.read_text() == f"{SPEC}# mine\n"
    page.reload()
    spec.fill(SPEC)
    press(page, "Save the spec")
    expect(page.locator("[data-pane=spec] .file")).to_have_text("there.yaml")
    assert file.read_text() == SPEC


@pytest.mark.slow
def test_undo_goes_back_over_texts_and_board(page: Page, port: int) -> None:
    visit(page, port, "sudoku/six")
    expect(page.locator("#verdict")).to_have_text("One solution")
    first, spec = text_of(page, "Spec"), Text(page, "Spec")
    entered = page.locator(".entered .letter")
    cell(page, 1, 1).click()
    page.keyboard.type("4")
    press(page, "Make another")
    press(page, "Make")
    expect(page.locator("#answers article", has_text="Here it is.")).to_be_visible()
    expect(entered).to_have_count(0)
    press(page, "Undo")
    spec.wait(first)
    expect(entered).to_have_count(1)
    press(page, "Undo")
    expect(entered).to_have_count(0)
    for _ in range(2):
        press(page, "Redo")
    expect(page.locator("#verdict")).to_have_text("One solution")
    assert spec.read() != first
    expect(page.locator("#verdict")).to_have_text("One solution")
    other = spec.read()
    spec.fill(first)  # there and back while the first question is open
    page.wait_for_timeout(130)
    spec.fill(other)
    expect(page.locator("#verdict")).to_have_text("One solution")


@pytest.mark.slow
def test_an_undo_takes_away_what_an_answer_lit(page: Page, port: int) -> None:
    visit(page, port, "sudoku/six")
    lit = page.locator("#play .lit")
    press(page, "Hint")
    press(page, "Show the pattern")
    press(page, "Show the step")
    press(page, "Enter it")
    expect(lit).to_have_count(0)
    press(page, "Hint")
    press(page, "Show the pattern")
    press(page, "Show the step")
    expect(lit.first).to_be_visible()
    press(page, "Undo")
    expect(lit).to_have_count(0)


@pytest.mark.slow
def test_an_undo_after_a_save_knows_what_is_saved(page: Page, folder: Path) -> None:
    file, spec = folder / "again.yaml", Text(page, "Spec")
    file.write_text(SPEC)
    press(page, "Files")
    press(page, "again.yaml")
    spec.wait(SPEC)
    spec.fill(f"{SPEC}# more\n")
    press(page, "Save the spec")
    label = page.locator("[data-pane=spec] .file")
    expect(label).to_have_text("again.yaml")
    press(page, "Undo")
    spec.wait(SPEC)
    expect(label).to_have_text("again.yaml · not saved")
    press(page, "Save the spec")
    expect(label).to_have_text("again.yaml")
    assert file.read_text() == SPEC


@pytest.mark.slow
def test_a_question_whose_time_is_up_is_answered_when_it_is_asked_again(
    page: Page, port: int
) -> None:
    visit(page, port, "sudoku/six")
    expect(page.locator("#verdict")).to_have_text("One solution")
    late = {"id": "late", "news": [{"error": "the time is up during search"}], "done": True}
    page.route("**/ask", lambda route: route.fulfill(json=late), times=1)
    press(page, "Count")
    expect(answer(page)).to_contain_text("The time is up")
    press(page, "Ask again, for ten minutes")
    expect(answer(page).locator(".body")).to_have_text("One solution.")
    expect(page.locator("#answers article")).to_have_count(1)


@pytest.mark.slow
def test_an_address_opens_an_example_on_an_open_page_too(page: Page) -> None:
    for name, title in (("sudoku/six", "Sudoku"), ("akari/tiny", "Akari")):
        page.evaluate("(name) => { location.hash = name; }", name)
        expect(page.locator("#title")).to_contain_text(title)
    page.evaluate("() => { location.hash = '%'; }")
    expect(page.get_by_role("dialog", name="Not opened")).to_contain_text("There is no such type")
    expect(page.locator("#title")).to_contain_text("Akari")


ASK = """([who, kind, hard]) => { window.found = (async () => {
    const {ask} = await import("/static/ask.js");
    const said = ({text}) => text, wrong = (error) => error.message;
    return Promise.all(Array.from({length: 10}, (_, n) => n === 3
        ? ask("solve", {type: hard, spec: "k: 13\\n"}, {seconds: .5}).then(said, wrong)
        : ask("count", {type: kind, spec: `k: ${10 * who + n}\\n`}, {seconds: 20})
            .then(({count}) => count, wrong)));
})(); }"""


@pytest.mark.slow
def test_fifty_questions_from_five_tabs(page: Page, port: int) -> None:
    tabs = [page.context.new_page() for _ in range(5)]
    try:
        for tab in tabs:
            tab.goto(f"http://127.0.0.1:{port}/")
        for who, tab in enumerate(tabs):
            tab.evaluate(ASK, [who, NUMBERS, PIGEONS])
        for who, tab in enumerate(tabs):
            found = tab.evaluate("() => window.found")
            assert "time is up" in found.pop(3)
            assert found == [10 * who + number + 1 for number in range(10) if number != 3]
    finally:
        for tab in tabs:
            tab.close()


@pytest.mark.slow
def test_tabs_do_not_disturb_each_other_and_keep_their_texts(page: Page, port: int) -> None:
    visit(page, port, "akari/tiny")
    other = page.context.new_page()
    try:
        other.goto(f"http://127.0.0.1:{port}/#sudoku/six")
        expect(other.locator("#title")).to_contain_text("Sudoku")
        spec = Text(other, "Spec")
        mine = f"{spec.read()}# mine\n"
        spec.fill(mine)
        expect(other.locator("#verdict")).to_have_text("One solution")
        other.reload()
        spec.wait(mine)
        expect(page.locator("#title")).to_contain_text("Akari")
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.locator("#title")).to_contain_text("Akari")
    finally:
        other.close()


@pytest.mark.slow
def test_types_are_found_by_words_and_seen(page: Page) -> None:
    press(page, "Types")
    expect(page.locator("#types-count")).to_contain_text(re.compile(r"^(\d+) of \1$"))
    page.get_by_role("searchbox").fill("six number_place")
    expect(page.locator("#types-list li")).to_have_count(0)
    page.get_by_role("searchbox").fill("number_place")
    expect(page.locator("#types-list img")).to_have_attribute("src", re.compile("^data:image/svg"))
    page.get_by_label("Examples of Sudoku").select_option("six")
    expect(page.locator("#title")).to_have_text("Sudoku: Six by six")


@pytest.mark.slow
def test_a_link_is_opened_and_given(page: Page, port: int) -> None:
    visit(page, port, "sudoku/six")
    expect(page.locator("#verdict")).to_have_text("One solution")
    press(page, "Links")
    address = answer(page).get_by_role("link", name="Open at puzz.link").get_attribute("href")
    press(page, "New")
    expect(page.locator("#title")).to_have_text("My puzzle")
    expect(page.locator("#answers article")).to_have_count(0)
    press(page, "Open link")
    page.get_by_label("A link or the text of a file").fill(address)
    press(page, "Open")
    expect(page.locator("#title")).to_contain_text("Sudoku")
    press(page, "Open link")
    page.get_by_label("A link or the text of a file").fill("https://example.com/no")
    press(page, "Open")
    expect(page.locator("#ask-error")).to_contain_text("no notation reads it")
    press(page, "Cancel")


@pytest.mark.slow
def test_the_keyboard_alone_leads_everywhere(page: Page, port: int) -> None:
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.type("light_up")
    expect(page.locator("#types-count")).to_contain_text("1 of")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("One solution")
    Text(page, "Spec").area.focus()
    names = []
    for _ in range(30):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "() => document.activeElement.getAttribute('aria-label') || "
            "document.activeElement.textContent"
        )
        names.append(focused)
        if focused.startswith("row 1, column 1"):
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowRight")
            page.keyboard.press(" ")
            names.append(page.evaluate("() => document.activeElement.getAttribute('aria-label')"))
        if focused == "Solve":
            page.keyboard.press("Enter")
            break
    assert any(
        name.startswith(("row 1, column 2: bulb", "row 1, column 3: bulb")) for name in names
    ), names
    expect(page.locator(".play.solved")).to_be_attached()
    assert (
        page.locator("[role=grid][aria-label]").count() == 1
        and page.locator("#answers[role=log]").count() == 1
    )


@pytest.mark.slow
def test_the_parts_of_the_page_have_the_sizes_that_one_gives_them(page: Page, port: int) -> None:
    bar = page.get_by_role("separator", name="Width of the texts")
    bar.focus()
    before, wide = (
        int(bar.get_attribute("aria-valuenow")),
        page.locator("#work").bounding_box()["width"],
    )
    page.keyboard.press("ArrowLeft")
    assert (
        int(bar.get_attribute("aria-valuenow")) == before - 2
        and page.locator("#work").bounding_box()["width"] > wide
    )
    page.reload()
    expect(bar).to_have_attribute("aria-valuenow", str(before - 2))


@pytest.mark.slow
def test_a_screen_reader_hears_one_step_at_a_time(page: Page, port: int) -> None:
    visit(page, port, "akari/tiny")
    expect(page.locator("#verdict")).to_have_text("One solution")
    press(page, "Explain")
    expect(answer(page)).to_contain_text("This is the only solution")
    assert page.locator("#answers .steps").get_attribute("aria-live") == "off"
    for number in (1, 2):
        step = page.locator(".steps .plain").nth(number - 1).inner_text()
        expect(page.locator("#answers .heard")).to_have_text(f"{number}. {step}")
        press(page, "The next step")


@pytest.mark.parametrize(
    ("wide", "high"),
    [
        (390, 664),
        *(pytest.param(*size, marks=pytest.mark.slow) for size in ((320, 568), (844, 390))),
    ],
)
def test_on_a_phone_an_explanation_keeps_the_board_in_sight(
    page: Page, port: int, wide: int, high: int
) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    visit(page, port, "nurikabe/tiny")
    expect(page.locator("#verdict")).to_have_text("One solution")
    press(page, "Explain")
    expect(answer(page)).to_contain_text("This is the only solution")
    for step in page.locator(".steps .plain").all():
        step.tap()
        expect(step).to_have_attribute("aria-current", "step")
        board, sheet, room = (
            page.locator(name).bounding_box() for name in ("#play .board", "#answers", "main")
        )
        low = sheet["y"] if sheet["x"] == 0 else room["y"] + room["height"]
        assert room["y"] <= board["y"] and board["y"] + board["height"] <= low
        assert board["x"] + board["width"] <= (sheet["x"] or wide)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "wide"),
    [
        ("dark", 390),
        *(("light", wide) for wide in (320, 390, 640)),
    ],
)
def test_nothing_is_cut_on_a_phone(page: Page, port: int, scheme: Any, wide: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": wide, "height": 844})
    visit(page, port, "sudoku/six")
    expect(page.locator("#verdict")).to_have_text("One solution")
    for view in ("Spec", "Type", "Board"):
        press(page, view)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= wide
        small = page.evaluate(
            """(wide) => [...document.querySelectorAll("button, select, input")]
                .filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())
                .filter((r) => r.right > wide + 0.5 || r.left < -0.5).length""",
            wide,
        )
        assert small == 0
    page.emulate_media(color_scheme="light")


@pytest.mark.slow
def test_a_solution_that_was_shown_is_not_the_players(page: Page, port: int) -> None:
    solve = page.get_by_role("button", name="Solve", exact=True)
    expect(solve).to_be_disabled()  # nothing is open
    visit(page, port, "akari/tiny")
    expect(page.locator("#verdict")).to_have_text("One solution")
    press(page, "Solve")
    said = page.locator(".said")
    expect(said).to_have_text("This is a solution.")
    place = (
        page.locator("[role=gridcell][aria-label$='bulb']")
        .first.get_attribute("aria-label")
        .partition(":")[0]
    )
    page.locator(f"[aria-label^='{place}:']").click()
    expect(said).to_have_text("")
    press(page, "Undo")
    expect(said).to_have_text("This is a solution.")
    press(page, "Undo")
    press(page, "Explain")
    expect(answer(page)).to_contain_text("This is the only solution")
    page.locator(".steps .plain").last.click()
    expect(said).to_have_text("This is a solution.")
    press(page, "New")
    expect(solve).to_be_enabled()


@pytest.mark.slow
def test_answers_stand_below_the_board_on_a_phone(page: Page, port: int) -> None:
    page.set_viewport_size({"width": 390, "height": 664})
    visit(page, port, "sudoku/first")
    expect(page.locator("#verdict")).to_have_text("One solution")
    press(page, "Count")
    expect(answer(page)).to_contain_text("One solution.")
    press(page, "Explain")
    expect(page.locator("#answers article")).to_have_count(1)
    expect(answer(page)).to_contain_text("This is the only solution")
    for _ in range(12):
        page.get_by_role("button", name="The next step").evaluate("(button) => button.click()")
        top, bottom, frame, sheet = page.evaluate(
            """() => {
                const box = (name) => document.querySelector(name).getBoundingClientRect();
                const {top, bottom} = box(".lit.new");
                return [top, bottom, box("main").top, box("#answers").top];
            }"""
        )
        assert frame <= top + 1 and bottom <= sheet + 1
    assert page.evaluate("() => document.documentElement.scrollHeight") == 664
    step = page.locator("[aria-current=step]").bounding_box()
    assert step["y"] > sheet and step["y"] + step["height"] <= 664
