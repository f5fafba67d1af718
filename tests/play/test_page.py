"""Puzzles are played in a real browser: by mouse, touch and keyboard, to the end and back."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import puzzlekit
from puzzlekit import Query
from puzzlekit.play.entries import token_text
from puzzlekit.play.page import play_page
from tests.browser import forget, needs_browser, reload, started
from tests.play.player import Player
from tests.play.test_entries import entries, known, smallest
from tests.shipped import SMALLEST, SPECS

pytestmark = needs_browser
KINDS = ("akari", "sudoku", "koburin", "shikaku", "araf", "hashi", "zebra", "waffle", "magnets", "hidato")
UNPLAYED = ("unwordle",)  # more solutions than a page recognises
LONG = ("slitherlink", "masyu")  # their smallest specs are large: many strokes, and nothing new


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with started() as page:
        yield page


class Game:
    """A puzzle on its page, and what a player enters to solve it."""

    def __init__(self, page: Page, folder: Path, name: str) -> None:
        self.page = page
        self.puzzle = puzzlekit.load(None, SPECS[smallest(name)])
        html = play_page(self.puzzle)
        self.data = known(html)
        self.file = folder / "play.html"
        self.file.write_text(html, encoding="utf-8")
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        solution = next(iter(self.puzzle.run(Query(limit=1, ordered=False))))
        own = entries(self.puzzle)
        self.answer = [entry.entered(self.puzzle.instance, solution.assignment) for entry in own]
        self.entries = [entry.widened(answer) for entry, answer in zip(own, self.answer)]
        page.set_viewport_size({"width": 390, "height": 800})
        self._keep(None)

    def _keep(self, board: str | None) -> None:
        """Open the page with a board that was kept; None for none."""
        beside = self.file.with_name("beside.html")  # the page itself keeps its board when it is left
        beside.write_text("", encoding="utf-8")
        name = f"puzzlekit {self.data['id']}"
        wanted = None if board is None else json.loads(board)["now"]
        for _ in range(5):  # what a page kept when it was left may arrive later than what is set here
            self.page.goto(beside.as_uri())
            self.page.evaluate(
                "([n, b]) => b === null ? localStorage.removeItem(n) : localStorage.setItem(n, b)", [name, board]
            )
            self.open()
            found = self.page.evaluate("(name) => JSON.parse(localStorage.getItem(name))", name)
            if found["now"] == wanted or (board is None and not found["past"] and not found["solved"]):
                return
        raise AssertionError("the page does not begin with this board")

    def open(self) -> None:
        self.page.goto("about:blank")
        self.page.goto(self.file.as_uri())

    def solve(self) -> None:
        player = Player(self.page, self.data)
        for number, (entry, answer) in enumerate(zip(self.entries, self.answer)):
            player.play(number, entry, answer)

    def said(self) -> str:
        return self.page.locator(".said").text_content() or ""

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def point(self, place: int, entry: int = 0) -> tuple[float, float]:
        at = self.data["entries"][entry]["places"][place]
        return Player(self.page, self.data).at(self.data["entries"][entry]["scene"], *at[2:4])

    def start(self, held: Sequence[Sequence[Any]], crossed: Sequence[Sequence[int]]) -> None:
        """Open the page with a board in part, as it was kept."""
        now = [{"held": list(own), "crossed": list(no), "notes": {}} for own, no in zip(held, crossed)]
        kept = {"now": now, "past": [], "future": [], "trials": [], "seconds": 0, "solved": False}
        self._keep(json.dumps(kept))

    def numbers(self) -> list[list[int]]:
        """The answer as the page holds it: the number of the token at each place."""
        held = []
        for entry, answer in zip(self.entries, self.answer):
            texts = [token_text(token) for token in entry.tokens]
            held.append([texts.index(text) if entry.kind != "words" else texts.index(f"text:{text}") for text in answer])
        return held


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(kind, marks=[] if kind in KINDS else [pytest.mark.slow])
        for kind in (name.split("/")[0] for name in SMALLEST)
        if kind not in UNPLAYED
    ],
)
def test_each_type_is_played_to_its_end(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    assert game.said() == "" and browser.evaluate("document.documentElement.scrollWidth") <= 390
    game.solve()
    assert game.said().startswith("Solved in") and not game.errors


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
    assert browser.locator(".entered use").count() == 2 and browser.locator("text=Drop trial").count() == 0


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
    assert game.said() == "Right so far." and browser.locator(".entered .letter").text_content() == right


def test_cells_that_do_not_belong_together_are_told(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "shikaku")
    piece, *_ = (piece.split() for piece in game.answer[0] if " " in piece)
    outside = next(n for n in range(len(game.entries[0].places)) if str(n) not in piece)
    player = Player(browser, game.data)
    player.drag(game.data["entries"][0], 0, list(map(int, piece[:2])))
    game.press("Check")
    assert game.said() == "Right so far."
    player.drag(game.data["entries"][0], 0, [int(piece[0]), outside])
    game.press("Check")
    assert "wrong" in game.said()
    game.press("Back to the last right board")
    game.press("Check")
    assert game.said() == "Right so far."


def test_the_keyboard_alone_is_enough(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "koburin")
    answer = game.answer[0], game.answer[1]
    browser.locator(".bar button").nth(0).focus()
    browser.keyboard.press("Enter")
    places = [tuple(place[:2]) for place in game.data["entries"][0]["places"]]
    at = None
    for place, text in zip(places, answer[0]):
        if text:
            at = _walk(browser, at, place, places)
            browser.keyboard.press(" ")
    browser.keyboard.press("m")
    links = [(tuple(place[:2]), tuple(place[4:6])) for place in game.data["entries"][1]["places"]]
    at, nodes = None, list(dict.fromkeys(end for link in links for end in link))
    for (one, other), text in zip(links, answer[1]):
        if text:
            at = _walk(browser, at, one, nodes)
            browser.keyboard.press("Shift+" + ("ArrowDown" if other[0] > one[0] else "ArrowRight"))
            at = other
    assert game.said().startswith("Solved in")
    assert browser.locator("[role=gridcell]:focus").get_attribute("aria-label")


@pytest.mark.parametrize("name", ["shikaku", "araf"])
def test_pieces_and_sides_are_entered_by_the_keyboard(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    cells = [tuple(cell[:2]) for cell in game.data["scenes"][0]["cells"]]
    keys = {(-2, 0): "ArrowUp", (2, 0): "ArrowDown", (0, -2): "ArrowLeft", (0, 2): "ArrowRight"}
    browser.locator(".tools button").first.focus()
    at = None
    if name == "araf":
        for place, text in zip(game.data["entries"][0]["places"], game.answer[0]):
            if text:
                row, column = place[:2]
                at = _walk(browser, at, (row - row % 2, column - column % 2), cells)
                browser.keyboard.press("Shift+" + keys[2 * (row % 2), 2 * (column % 2)])
    else:
        player = Player(browser, game.data)
        for piece in game.answer[0]:
            first, *rest = [cells[n] for n in player.path(game.data["entries"][0], list(map(int, piece.split())))]
            at = _walk(browser, at, first, cells)
            browser.keyboard.press(" ")
            for cell in rest:
                browser.keyboard.press("Shift+" + keys[cell[0] - at[0], cell[1] - at[1]])
                at = cell
    assert game.said().startswith("Solved in")


def _walk(page: Page, at: Any, to: Any, places: Sequence[Any]) -> Any:
    """Move the cursor: the first arrow shows it where it begins, at the first place."""
    if at is None:
        page.keyboard.press("ArrowUp")
        at = places[0]
    seen = {at: [at]}
    waiting = [at]
    keys = {(-2, 0): "ArrowUp", (2, 0): "ArrowDown", (0, -2): "ArrowLeft", (0, 2): "ArrowRight"}
    for place in waiting:
        for down, right in keys:
            beside = (place[0] + down, place[1] + right)
            if beside in places and beside not in seen:
                seen[beside] = [*seen[place], beside]
                waiting.append(beside)
    for one, other in zip(seen[to], seen[to][1:]):
        page.keyboard.press(keys[other[0] - one[0], other[1] - one[1]])
    return to


def test_a_finger_enters_too(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    for place, text in enumerate(game.answer[0]):
        if text:
            browser.touchscreen.tap(*game.point(place))
    assert game.said().startswith("Solved in")
    game = Game(browser, tmp_path, "sudoku")
    for place, text in enumerate(game.answer[0]):
        if str(place) not in game.data["entries"][0]["fixed"]:
            browser.touchscreen.tap(*game.point(place))
            button = browser.locator(".keys").get_by_role("button", name=text.split(":")[1], exact=True)
            box = button.bounding_box()
            assert box and box["height"] >= 40
            button.tap()
    assert game.said().startswith("Solved in")


UNFINISHED = [kind for kind in (name.split("/")[0] for name in SMALLEST) if kind not in (*UNPLAYED, *LONG)]


@pytest.mark.parametrize(
    "name",
    [pytest.param(kind, marks=[] if kind in ("sudoku", "masyu", "nurikabe") else [pytest.mark.slow]) for kind in UNFINISHED],
)
def test_a_right_board_in_part_is_no_mistake_and_a_wrong_one_is_told(name: str, browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, name)
    if any(entry.kind == "pieces" or entry.free for entry in game.entries) or game.data["facts"] is None:
        pytest.skip("entered in another way")
    chance = random.Random(name)
    answer = game.numbers()
    for share in (0.05, 0.15, 0.3, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95):
        held = [[number if chance.random() < share else 0 for number in own] for own in answer]
        fixed = [{int(place) for place in entry.get("fixed", {})} for entry in game.data["entries"]]
        held = [
            [right if place in own_fixed else number for place, (number, right) in enumerate(zip(own, full))]
            for own, full, own_fixed in zip(held, answer, fixed)
        ]
        crossed = [
            [place for place, number in enumerate(own) if not number and place not in own_fixed and chance.random() < share]
            for own, own_fixed in zip(answer, fixed)
        ]
        game.start(held, crossed)
        game.press("Check")
        assert game.said() == "Right so far." or game.said().startswith("Solved")
    changed = [
        (number, place, token)
        for number, entry in enumerate(game.entries)
        for place in range(len(entry.places))
        if place not in fixed[number]
        for token in (entry.open[place] if entry.by_value else (0, 1))
        if token and token != answer[number][place]
    ]
    for number, place, token in chance.sample(changed, min(3, len(changed))):
        held = [list(own) for own in answer]
        held[number][place] = token
        game.start(held, [[] for _ in answer])
        game.press("Check")
        assert "breaks the rule" in game.said() or "wrong" in game.said()


MARKS = {
    "sudoku": "marks: {digit: [....2., 2....., ......, ......, ......, ......], not: {digit: {r1c1: [1, 2]}}}\n",
    "slitherlink": "marks:\n  line: [[+r1c1, +r1c2]]\n  not: {line: [[+r1c1, +r2c1]]}\n",
    "nurikabe": "marks:\n  not: {sea: [r1c4]}\n",
}


@pytest.mark.parametrize("name", MARKS)
def test_a_page_begins_with_the_marks_of_a_spec(name: str, browser: Page, tmp_path: Path) -> None:
    puzzle = puzzlekit.load(None, SPECS[smallest(name) if name != "sudoku" else "sudoku/six"])
    marked = puzzlekit.load(None, puzzle.spec.source.text.replace("\nexpect:", f"\n{MARKS[name]}expect:", 1))
    file = tmp_path / "marked.html"
    file.write_text(play_page(marked), encoding="utf-8")
    browser.goto(file.as_uri())
    said = browser.evaluate("[...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('aria-label'))")
    expected = {
        "sudoku": ["row 1, column 1: empty, notes 3 4 5 6", "row 2, column 1: 2"],
        "slitherlink": ["corner 1, 1: cross down, line right"],
        "nurikabe": ["row 1, column 4: crossed"],
    }[name]
    assert [text for text in said if text in expected] == expected
    again = browser.locator("button", has_text="Undo")
    assert again.is_disabled()  # they are the beginning


def test_marks_that_are_wrong_have_their_place() -> None:
    text = Path("specs/sudoku/six.yaml").read_text(encoding="utf-8")
    puzzle = puzzlekit.load(None, f"{text}marks: {{digit: {{r1c1: 9}}}}\n")
    with pytest.raises(puzzlekit.Problems, match="r1c1"):
        play_page(puzzle)


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
    for name, folded in (("sudoku/first", True), ("akari/tiny", False)):  # the same rules, and others
        file.write_text(play_page(puzzlekit.load(None, SPECS[name])), encoding="utf-8")
        reload(browser)
        assert (browser.locator("details").first.get_attribute("open") is None) == folded


def test_texts_beside_a_board_fit_a_phone(browser: Page, tmp_path: Path) -> None:
    file = tmp_path / "play.html"
    file.write_text(play_page(puzzlekit.load(None, SPECS["zebra/fish"])), encoding="utf-8")
    browser.set_viewport_size({"width": 390, "height": 800})
    browser.goto(file.as_uri())
    wide, room = browser.evaluate(
        "(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])(document.querySelector('.beside'))"
    )
    assert wide <= room
    assert "white is the right neighbour of green" in " ".join(browser.locator(".beside").inner_text().split())


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


def test_crosses_are_made_by_touch(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    dots, bulbs = browser.locator(".entered .dot"), browser.locator(".entered use")
    game.press("• dots")
    browser.touchscreen.tap(*game.point(0))
    assert dots.count() == 1 and bulbs.count() == 0
    browser.touchscreen.tap(*game.point(0))
    assert dots.count() == 0
    browser.keyboard.press(".")
    assert browser.get_by_role("button", name="dots").get_attribute("aria-pressed") == "false"
    browser.touchscreen.tap(*game.point(0))
    assert dots.count() == 0 and bulbs.count() == 1


def _row(game: Game) -> list[int]:
    """Three free cells beside each other."""
    cells = {tuple(place[:2]): n for n, place in enumerate(game.data["entries"][0]["places"])}
    return next(
        [cells[row, column + step] for step in (0, 2, 4)]
        for row, column in cells
        if all((row, column + step) in cells for step in (2, 4))
    )


def test_a_drag_of_a_mark_that_stands_alone_makes_crosses(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "akari")
    cells, player = _row(game), Player(browser, game.data)
    dots, bulbs = browser.locator(".entered .dot"), browser.locator(".entered use")
    browser.mouse.click(*game.point(cells[1]))
    player.drag(game.data["entries"][0], 0, cells)
    assert dots.count() == 2 and bulbs.count() == 1  # the mark in the way stays
    player.drag(game.data["entries"][0], 0, cells[1:])
    assert dots.count() == 2 and bulbs.count() == 1
    player.drag(game.data["entries"][0], 0, cells)
    assert dots.count() == 0 and bulbs.count() == 1


def test_a_tap_where_lines_meet_draws_none(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "masyu")
    player, lines = Player(browser, game.data), browser.locator(".entered line.found")
    _, _, a, b, _, _, c, d = game.data["entries"][0]["places"][0]
    browser.mouse.click(*player.at(0, a + 3, b + 3))
    assert lines.count() == 0
    browser.mouse.click(*player.at(0, (a + c) / 2, (b + d) / 2))
    assert lines.count() == 1  # above the pearls


@pytest.mark.parametrize(("name", "crosses"), [("sudoku", 0), ("fillomino", 0), ("hidato", 0)])
def test_a_key_for_crosses_only_where_a_place_may_stay_empty(name: str, crosses: int, browser: Page, tmp_path: Path) -> None:
    Game(browser, tmp_path, name)
    assert browser.locator(".keys button").count() > 1
    assert browser.locator(".keys").get_by_role("button", name="cross", exact=True).count() == crosses


def test_a_clue_that_is_never_shaded_stays_as_it_is(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "nurikabe")
    clues = game.data["entries"][0]["fixed"]
    assert set(clues.values()) == {""} and len(clues) == len(game.puzzle.instance.data["clues"].given)
    browser.mouse.click(*game.point(int(next(iter(clues)))))
    assert browser.locator(".below .full-found").count() == 0
    browser.mouse.click(*game.point(next(n for n in range(4) if str(n) not in clues)))
    assert browser.locator(".below .full-found").count() == 1


def test_words_are_spelt_around_given_letters(browser: Page, tmp_path: Path) -> None:
    game = Game(browser, tmp_path, "waffle")
    fixed, places = game.data["entries"][0]["fixed"], game.data["entries"][0]["places"]
    assert fixed and all(game.answer[0][int(place)] == text for place, text in fixed.items())
    letters = browser.locator(".entered .letter")
    assert (
        letters.count() == len(fixed)
        and letters.first.evaluate("(text) => getComputedStyle(text).fill") == "rgb(255, 255, 255)"
    )
    tops = [board.bounding_box()["y"] for board in browser.locator("svg.board").all()]  # type: ignore[index]
    assert tops[game.data["entries"][0]["scene"]] == min(tops)
    row = [n for n, place in enumerate(places) if place[0] == places[0][0]]
    free = [n for n in row if str(n) not in fixed]
    browser.mouse.click(*game.point(free[0]))
    for n in free:
        browser.keyboard.type(game.answer[0][n].split(":")[1])
    assert letters.count() == len(fixed) + len(free)
    said = [browser.locator(f"[data-stop='{n}']").get_attribute("aria-label") or "" for n in row]
    assert [text.split(": ")[1][0] for text in said] == [game.answer[0][n].split(":")[1] for n in row]
