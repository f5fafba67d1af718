"""What a player enters, and what a page knows, without a browser."""

import json
import re
from typing import Any

import pytest

import puzzlekit
from puzzlekit import InputError, Query
from puzzlekit.play.entries import Entry, token_text
from puzzlekit.play.game import Game
from puzzlekit.play.page import MOST, play_page
from puzzlekit.play.rules import rules_of
from tests.shipped import SMALLEST, SPECS

SLOW = pytest.mark.slow
KINDS = {  # what is entered for one type of each kind
    "akari/tiny": [("cells", "lamp")],
    "sudoku/six": [("cells", "digit")],
    "koburin/tiny": [("cells", "shaded"), ("lines", "line")],
    "shikaku/tiny": [("pieces", "use")],
    "araf/tiny": [("sides", "region")],
    "fillomino/tiny": [("cells", "number")],
    "yin_yang/tiny": [("cells", "black")],
    "slant/tiny": [("lines", "diagonal")],
    "zebra/three": [("words", "house")],
    "word_search/first": [("paths", "use")],
}


def entries(puzzle: puzzlekit.Puzzle) -> list[Entry]:
    return Game(puzzle).entries


def known(page: str) -> Any:
    """What the script of a page knows."""
    found = re.search(r'id="puzzle">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def smallest(kind: str) -> str:
    return next(name for name in SMALLEST if name.startswith(f"{kind}/"))


@pytest.mark.parametrize("name", KINDS)
def test_what_is_entered_follows_from_the_picture(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[smallest(name.split("/")[0])])
    assert [(entry.category, entry.name) for entry in entries(puzzle)] == KINDS[name]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[] if i % 12 == 0 else [pytest.mark.slow])
        for i, n in enumerate(SMALLEST)
    ],
)
def test_a_solution_can_be_entered(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    solution = next(iter(puzzle.run(Query(limit=1, ordered=False))))
    for entry in entries(puzzle):
        entered = entry.entered(puzzle.instance, solution.assignment)
        own = entry.widened(entered)
        if own.by_value and own.category != "words":
            texts = [token_text(token) for token in own.tokens]
            assert all(text in [texts[n] for n in may] for text, may in zip(entered, own.open))


def test_a_page_does_not_tell_the_solution_and_needs_no_network() -> None:
    puzzle = puzzlekit.load("akari", SPECS[smallest("akari")])
    page = play_page(puzzle)
    data = known(page)
    lamps = {text for text in data["entries"][0]["keys"] if text}
    assert lamps == {"sign:bulb"} and all(
        re.fullmatch("[0-9a-f]{10}", fact) for fact in data["facts"][0]
    )
    assert not re.search(r"(src|href)=.?https?:", page) and "default-src 'none'" in page
    assert play_page(puzzle) == page


def test_a_page_has_what_a_player_needs_beside_the_board() -> None:
    page = play_page(puzzlekit.load("zebra", SPECS[smallest("zebra")]))
    assert "water is the right neighbour of Arnold" in " ".join(page.split())
    assert '<pre class="beside">' not in play_page(
        puzzlekit.load("akari", SPECS[smallest("akari")])
    )


def test_what_can_only_stand_at_a_place_is_drawn_unless_the_picture_shows_it() -> None:
    text = "puzzle: p\ndata: {g: 'grid[int | None]'}\n"
    text += "variables: {'x[c]': 'between(1, 1 if c == cell(1, 1) else 2) for c in g.cells'}\n"
    text += (
        "rules: {given: 'x[c] == g[c] for c in g.given', differ: 'all_different(x)'}\n"
        "show: {picture: {text: [g, x]}}\n"
    )
    for row, fixed, shown in (
        (". 2", {"0": "text:1", "1": "text:2"}, [1]),
        (". .", {"0": "text:1"}, None),
    ):
        entry = known(play_page(puzzlekit.load(text, {"g": [row]})))["entries"][0]
        assert entry["fixed"] == fixed and entry.get("shown") == shown


def test_a_page_recognises_each_of_several_solutions() -> None:
    data = known(play_page(puzzlekit.load("queens", SPECS[smallest("queens")])))
    assert (
        data["facts"] is None
        and len(data["answers"]) == puzzlekit.load("queens", SPECS[smallest("queens")]).count()
    )


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("never: 'x[cell(1, 1)] and not x[cell(1, 1)]'", "has no solution"),
        ("some: any(x)", f"more than {MOST:,}"),
    ],
)
def test_a_puzzle_that_cannot_be_played_is_refused(rules: str, message: str) -> None:
    text = (
        f"puzzle: p\nlet: {{b: 'board(4, 4)'}}\nvariables: {{'x[c]': 'bool for c in b.cells'}}\n"
        f"rules: {{{rules}}}\n"
    )
    with pytest.raises(InputError, match=message):
        play_page(puzzlekit.load(text))


def test_a_text_of_a_puzzle_is_no_markup() -> None:
    text = (
        "puzzle: p\ntitle: '</script><b>x'\nvariables: {x: 'between(1, 3)'}\n"
        "rules: {'</script><i>': x == 2}\n"
    )
    page = play_page(puzzlekit.load(text))
    assert "<b>x" not in page and "<i>" not in page.replace("&lt;i&gt;", "")


def test_a_rule_without_a_form_is_left_out() -> None:
    puzzle = puzzlekit.load("araf", SPECS[smallest("araf")])
    assert rules_of(puzzle.model, entries(puzzle))["share"][0] == 0
    puzzle = puzzlekit.load("akari", SPECS[smallest("akari")])
    checked, all_of_them = rules_of(puzzle.model, entries(puzzle))["share"]
    assert checked == all_of_them > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_a_page_is_small(name: str) -> None:
    try:
        page = play_page(puzzlekit.load(None, SPECS[name]))
    except InputError as error:
        assert "more than" in str(error)
    else:
        assert len(page.encode()) <= 300_000
