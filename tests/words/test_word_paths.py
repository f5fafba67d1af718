"""Tiles of word paths: against plain enumeration, and against numbers that other programs found."""

import json
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from puzzlekit.errors import InputError
from puzzlekit.libraries.words import Lexicon, Tile, load, paths, word_paths

DATA = Path(__file__).parents[3] / "shared" / "data"

needs_data = pytest.mark.skipif(
    not (DATA / "sanalouhos.json").exists(), reason="the real puzzles are not here"
)

Cell = tuple[int, int]


def king(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + r, cell[1] + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))


def board(*rows: str) -> dict[Cell, str]:
    return {(r, c): letter for r, row in enumerate(rows, 1) for c, letter in enumerate(row, 1)}


def every_path(cells: dict[Cell, str], path: tuple[Cell, ...]) -> Iterator[tuple[Cell, ...]]:
    yield path
    for other in king(path[-1]):
        if other in cells and other not in path:
            yield from every_path(cells, (*path, other))


def told(
    tiles: Iterable[Tile[Cell]],
) -> list[tuple[tuple[Cell, ...], tuple[str, ...], tuple[tuple[Cell, ...], ...]]]:
    """What tiles hold: two of them are equal only if they are the same object."""
    return [(tile.cells, tile.words, tile.paths) for tile in tiles]


def plainly(
    cells: dict[Cell, str], words: list[str], shortest: int, longest: int
) -> list[Tile[Cell]]:
    """The tiles by the definition: all paths of the board, with those that spell a word kept."""
    found: dict[frozenset[Cell], dict[str, tuple[Cell, ...]]] = {}
    for path in sorted(path for cell in cells for path in every_path(cells, (cell,))):
        word = "".join(cells[cell] for cell in path)
        if word in words and shortest <= len(word) <= longest:
            found.setdefault(frozenset(path), {}).setdefault(word, path)
    tiles = [
        Tile(
            spelt[min(spelt)],
            tuple(sorted(spelt)),
            paths=tuple(spelt[word] for word in sorted(spelt)),
        )
        for spelt in found.values()
    ]
    return sorted(tiles, key=lambda tile: (tile.words, tile.cells))


@given(
    st.lists(st.text(alphabet="abö", min_size=3, max_size=3), min_size=1, max_size=2),
    st.lists(st.text(alphabet="abö", min_size=1, max_size=6), max_size=12),
    st.integers(1, 4),
    st.integers(1, 6),
)
def test_tiles_are_those_of_all_paths(
    rows: list[str], words: list[str], shortest: int, longest: int
) -> None:
    cells = board(*rows)
    tiles = word_paths(cells, king, Lexicon.from_words("any", words), shortest, longest)
    assert told(tiles) == told(plainly(cells, words, shortest, longest))


def test_words_over_the_same_cells_are_one_tile() -> None:
    tiles = word_paths(board("are"), king, Lexicon.from_words("small", ["era", "are"]))
    assert told(tiles) == [
        (
            ((1, 1), (1, 2), (1, 3)),
            ("are", "era"),
            (((1, 1), (1, 2), (1, 3)), ((1, 3), (1, 2), (1, 1))),
        )
    ]


def test_a_tile_is_shown_by_its_words_and_cells() -> None:
    assert str(Tile(("r1c1", "r1c2"), ("no", "on"))) == "no/on (r1c1 r1c2)"


def test_the_order_of_cells_and_neighbours_does_not_matter() -> None:
    words = Lexicon.from_words("small", ["aba", "bab", "abab", "baab"])
    cells = board("aba", "bab", "aba")
    turned = dict(reversed(cells.items()))
    other = word_paths(turned, lambda cell: [*reversed([*king(cell)])] * 2, words)
    assert told(word_paths(cells, king, words)) == told(other)


def test_letters_are_folded() -> None:
    assert len(word_paths(board("TÄI"), king, Lexicon.from_words("small", ["täi"]))) == 1


@pytest.mark.parametrize("hole", ["", ".", "xy", "ß", "7"])
def test_no_path_leads_through_a_cell_without_one_letter(hole: str) -> None:
    cells = {1: "a", 2: "b", 3: hole, 4: "a", 5: "b"}
    words = Lexicon.from_words("small", ["ab", "ba", "bab", "aba", "baab", "bssa", "bxya"])
    tiles = word_paths(cells, lambda cell: (cell - 1, cell + 1), words, shortest=2)
    assert [tile.cells for tile in tiles] == [(1, 2), (4, 5)]


def test_moves_may_go_one_way() -> None:
    words = Lexicon.from_words("small", ["ab", "ba"])
    tiles = word_paths({1: "a", 2: "b"}, lambda cell: [cell + 1], words, shortest=2)
    assert [tile.words for tile in tiles] == [("ab",)]


def test_no_cell_is_visited_twice() -> None:
    words = Lexicon.from_words("small", ["aa", "aba"])
    assert word_paths({1: "a", 2: "b"}, lambda _: [1, 2], words, shortest=2) == ()


def test_lengths_may_be_bounded() -> None:
    words = Lexicon.from_words("small", ["a", "ab", "abc", "abcd"])
    by_bounds: dict[tuple[int, int | None], list[str]] = {
        (shortest, longest): [
            tile.words[0] for tile in word_paths(board("abcd"), king, words, shortest, longest)
        ]
        for shortest, longest in product((0, 2), (None, 3, 0))
    }
    assert by_bounds == {
        (0, None): ["a", "ab", "abc", "abcd"],
        (0, 3): ["a", "ab", "abc"],
        (0, 0): [],
        (2, None): ["ab", "abc", "abcd"],
        (2, 3): ["ab", "abc"],
        (2, 0): [],
    }


def test_an_empty_board_has_no_tiles() -> None:
    nothing: dict[Cell, str] = {}
    assert word_paths(nothing, king, Lexicon.from_words("small", ["abc"])) == ()
    assert word_paths(board("abc"), king, Lexicon.from_words("empty", [])) == ()


def test_too_many_tiles_are_refused() -> None:
    words = Lexicon.from_words("small", ["aaa"])
    assert len(word_paths(board("aaaa"), king, words, limit=2)) == 2
    with pytest.raises(InputError, match="more than 1 tiles"):
        word_paths(board("aaaa"), king, words, limit=1)


def test_a_search_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "PATH_STEPS", 1_000)
    with pytest.raises(InputError, match="more than 1,000 steps"):
        word_paths(
            board(*["aaaaaa"] * 5, "aaaabb"), king, Lexicon.from_words("small", ["a" * 20 + "bab"])
        )


def test_long_words_need_no_deep_stack() -> None:
    word = "a" + "b" * 3999
    tiles = word_paths(
        dict(enumerate(word)), lambda cell: [cell + 1], Lexicon.from_words("long", [word])
    )
    assert [len(tile.cells) for tile in tiles] == [4000]


def puzzles() -> list[dict[str, Any]]:
    if not DATA.exists():
        return []
    data: dict[str, list[dict[str, Any]]] = json.loads(
        (DATA / "sanalouhos.json").read_text(encoding="utf-8")
    )
    return data["puzzles"]


@needs_data
@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: puzzle["name"])
def test_numbers_of_real_boards(puzzle: dict[str, Any]) -> None:
    letters, width = puzzle["letters"], puzzle["columns"]
    cells = board(*(letters[start : start + width] for start in range(0, len(letters), width)))
    tiles = word_paths(cells, king, load("finnish-words.txt", DATA))
    assert len({word for tile in tiles for word in tile.words}) == puzzle["words"]
    assert len(tiles) == puzzle["tiles"]
