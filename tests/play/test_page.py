"""Puzzles are played in a real browser: to the end and back, checked, and kept."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import Page

import puzzlekit
from puzzlekit.play.page import play_page
from tests.browser import forget, needs_browser, reload
from tests.play.game import Game
from tests.play.player import each_type
from tests.play.test_entries import smallest
from tests.shipped import SPECS

pytestmark = needs_browser
LONG = ("slitherlink", "masyu")  # their smallest specs are large: many strokes, and nothing new


@pytest.mark.slow
def test_a_board_is_kept_taken_back_and_repeated(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    game.solve()
    game.open()
    browser.wait_for_selector(".solved")
    game.press("Undo")
    assert browser.locator(".solved").count() == 0
    game.press("Redo")
    assert browser.locator(".solved").count() == 1
    game.press("Clear")
    assert browser.locator(".entered use").count() == 0


@pytest.mark.slow
def test_a_trial_is_dropped_as_a_whole_or_kept(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    browser.mouse.click(*game.point(0))
    game.press("Try")
    browser.mouse.click(*game.point(3))
    game.press("Try")
    browser.mouse.click(*game.point(8))
    assert browser.locator(".entered use").count() == 3
    game.press("Drop trial")
    assert browser.locator(".entered use").count() == 2
    game.press("Keep trial")
    assert (
        browser.locator(".entered use").count() == 2
        and browser.locator("text=Drop trial").count() == 0
    )


def test_a_mistake_is_told_and_taken_back(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "sudoku")
    free = next(n for n in range(36) if str(n) not in game.data["entries"][0]["fixed"])
    game.press("Check")
    assert game.said() == "Right so far."
    right = game.answer[0][free].split(":")[1]
    browser.mouse.click(*game.point(free))
    browser.keyboard.type(right)
    browser.keyboard.type("1" if right != "1" else "2")
    game.press("Check")
    assert "breaks the rule" in game.said() or "One entry is wrong" in game.said()
    assert browser.locator(".faulty").count() == (2 if "breaks" in game.said() else 0)
    game.press("Back to the last right board")
    game.press("Check")
    assert (
        game.said() == "Right so far."
        and browser.locator(".entered .letter").text_content() == right
    )


@pytest.mark.slow
def test_cells_that_do_not_belong_together_are_told(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "shikaku")
    piece, *_ = (piece.split() for piece in game.answer[0] if " " in piece)
    outside = next(n for n in range(len(game.entries[0].positions)) if str(n) not in piece)
    game.drag(list(map(int, piece[:2])))
    game.press("Check")
    assert game.said() == "Right so far."
    game.drag([int(piece[0]), outside])
    game.press("Check")
    assert "wrong" in game.said()
    game.press("Back to the last right board")
    game.press("Check")
    assert game.said() == "Right so far."


@each_type("sudoku", but=LONG)
def test_a_right_board_in_part_is_no_mistake_and_a_wrong_one_is_told(
    name: str, browser: Page, tmp_path: Path
) -> None:
    game = Game(browser, tmp_path, name)
    if (
        any(entry.category == "pieces" or entry.free for entry in game.entries)
        or game.data["facts"] is None
    ):
        pytest.skip("entered in another way")
    chance = random.Random(name)
    answer = game.numbers()
    for share in (0.05, 0.15, 0.3, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95):
        held = [[number if chance.random() < share else 0 for number in own] for own in answer]
        fixed = [{int(place) for place in entry.get("fixed", {})} for entry in game.data["entries"]]
        held = [
            [
                right if place in own_fixed else number
                for place, (number, right) in enumerate(zip(own, full))
            ]
            for own, full, own_fixed in zip(held, answer, fixed)
        ]
        crossed = [
            [
                place
                for place, number in enumerate(own)
                if not number and place not in own_fixed and chance.random() < share
            ]
            for own, own_fixed in zip(answer, fixed)
        ]
        game.start(held, crossed)
        game.press("Check")
        assert game.said() == "Right so far." or game.said().startswith("Solved")
    # a text that stands where it began, on a board of texts that are only moved, is no mark
    starts = [entry.get("moved") for entry in game.data["entries"]]
    changed = [
        (number, place, token)
        for number, (entry, start) in enumerate(zip(game.entries, starts))
        for place in range(len(entry.positions))
        if place not in fixed[number]
        for token in (entry.open[place] if entry.by_value else (0, 1))
        if token and token != answer[number][place] and not (start and token == start[place])
    ]
    for number, place, token in chance.sample(changed, min(3, len(changed))):
        held = [list(own) for own in answer]
        held[number][place] = token
        game.start(held, [[] for _ in answer])
        game.press("Check")
        assert "breaks the rule" in game.said() or "wrong" in game.said()


MARKS = {
    "sudoku": (
        "progress: {digit: [....2., 2....., ......, ......, ......, ......], "
        "not: {digit: {r1c1: [1, 2]}}}\n"
    ),
    "slitherlink": "progress:\n  line: [[+r1c1, +r1c2]]\n  not: {line: [[+r1c1, +r2c1]]}\n",
    "nurikabe": "progress:\n  not: {sea: [r1c4]}\n",
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", MARKS)
def test_a_page_begins_with_the_marks_of_a_spec(name: str, browser: Page, tmp_path: Path) -> None:
    puzzle = puzzlekit.load(None, SPECS[smallest(name) if name != "sudoku" else "sudoku/six"])
    marked = puzzlekit.load(
        None, puzzle.spec.source.text.replace("\nexpect:", f"\n{MARKS[name]}expect:", 1)
    )
    file = tmp_path / "marked.html"
    file.write_text(play_page(marked), encoding="utf-8")
    browser.goto(file.as_uri())
    browser.wait_for_function("() => !document.querySelector('[role=gridcell]:not([aria-label])')")
    said = browser.evaluate(
        "[...document.querySelectorAll('[role=gridcell]')].map((cell) => "
        "cell.getAttribute('aria-label'))"
    )
    expected = {
        "sudoku": [
            "row 1, column 1: empty, notes 3 4 5 6; region 1",
            "row 2, column 1: 2; region 1",
        ],
        "slitherlink": ["corner 1, 1: cross down, line right"],
        "nurikabe": ["row 1, column 4: crossed"],
    }[name]
    assert [text for text in said if text in expected] == expected
    again = browser.locator("button", has_text="Undo")
    assert again.is_disabled()  # they are the beginning


def test_marks_that_are_wrong_have_their_place() -> None:
    text = Path("specs/sudoku/six.yaml").read_text(encoding="utf-8")
    puzzle = puzzlekit.load(None, f"{text}progress: {{digit: {{r1c1: 9}}}}\n")
    with pytest.raises(puzzlekit.Problems, match="r1c1"):
        play_page(puzzle)


@pytest.mark.slow
def test_rules_that_were_folded_stay_folded(browser: Page, tmp_path: Path) -> None:
    file = tmp_path / "play.html"
    file.write_text(play_page(puzzlekit.load(None, SPECS["sudoku/six"])), encoding="utf-8")
    browser.goto(file.as_uri())
    forget(browser)
    rules = browser.locator("details").first
    assert rules.get_attribute("open") is not None
    rules.locator("summary").click()
    reload(browser)
    assert browser.locator("details").first.get_attribute("open") is None
    for name, folded in (
        ("sudoku/first", True),
        ("akari/tiny", False),
    ):  # the same rules, and others
        file.write_text(play_page(puzzlekit.load(None, SPECS[name])), encoding="utf-8")
        reload(browser)
        assert (browser.locator("details").first.get_attribute("open") is None) == folded


@pytest.mark.slow
def test_texts_beside_a_board_fit_a_phone(browser: Page, tmp_path: Path) -> None:
    file = tmp_path / "play.html"
    file.write_text(play_page(puzzlekit.load(None, SPECS["zebra/fish"])), encoding="utf-8")
    browser.set_viewport_size({"width": 390, "height": 800})
    browser.goto(file.as_uri())
    wide, room = browser.evaluate(
        "(({scrollWidth, clientWidth}) => [scrollWidth, "
        "clientWidth])(document.querySelector('.beside'))"
    )
    assert wide <= room
    assert "white is the right neighbour of green" in " ".join(
        browser.locator(".beside").inner_text().split()
    )


@pytest.mark.slow
def test_a_verdict_ends_with_the_next_entry(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    bulb = next(place for place, text in enumerate(game.answer[0]) if text)
    where = "document.querySelector('.tools').getBoundingClientRect().top + scrollY"
    before = browser.evaluate(where)
    game.press("Check")
    assert game.said() == "Right so far." and browser.evaluate(where) == before
    browser.mouse.click(*game.point(bulb))
    assert game.said() == ""
    game.press("Check")
    game.press("Undo")
    assert game.said() == ""


@pytest.mark.slow
def test_what_is_said_is_seen_on_a_small_screen(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    browser.set_viewport_size({"width": 390, "height": 300})
    for name in ("Check", "Try"):
        button = browser.get_by_role("button", name=name, exact=True)
        button.evaluate(
            "(button) => scrollTo(0, button.getBoundingClientRect().bottom + scrollY - innerHeight)"
        )
        game.press(name)
        box = browser.locator(".said").bounding_box()
        assert game.said() and box and box["y"] >= 0 and box["y"] + box["height"] <= 300
