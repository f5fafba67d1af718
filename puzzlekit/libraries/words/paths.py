"""Words traced through neighbouring cells of a board of letters, and pictures of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from puzzlekit.boards import Cell, Grid
from puzzlekit.clock import check
from puzzlekit.errors import InputError
from puzzlekit.folding import fold
from puzzlekit.lang.expressions.values import ExpressionError, display_text
from puzzlekit.lang.functions.connectivity import spend_search
from puzzlekit.lang.library import Functions
from puzzlekit.libraries.words.lexicon import Lexicon

if TYPE_CHECKING:
    from puzzlekit.scene import PicturePart

TRACED_CELLS = 2_500  # of a board on which words are traced
PATH_STEPS = 20_000_000  # of the search for word paths
TILES = 200_000  # traced on a board
SMALL_COLUMNS = 12  # of a board that is drawn once per word
SMALL_BOARDS = 24  # per picture


class Orderable(Hashable, Protocol):
    """The type of cells: hashable and comparable with each other."""

    def __lt__(self, other: Any, /) -> bool: ...


C = TypeVar("C", bound=Orderable)
Trie: TypeAlias = dict[str, Any]  # a trie per letter, and under END the word that ends here
Trail: TypeAlias = "tuple[Trail | None, int]"  # the path before, and a cell

END = ""


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, as many are keys of dicts
class Tile(Generic[C]):
    """A set of cells with all words that can be traced through all of them.

    Attributes:
        cells: The cells in the order of the first word's path.
        words: The words, sorted.
        ways: The number of pairs of a word and a path of that word through all of the cells.
        paths: For each word, the cells in the order of its least path.

    Examples:
        >>> str(Tile(("r1c1", "r1c2", "r1c3"), ("are", "era")))
        'are/era (r1c1 r1c2 r1c3)'
    """

    cells: tuple[C, ...]
    words: tuple[str, ...]
    path_count: int = field(default=1, compare=False)
    paths: tuple[tuple[C, ...], ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{'/'.join(self.words)} ({' '.join(map(str, self.cells))})"


def word_paths(
    letters: Mapping[C, str],
    neighbours: Callable[[C], Iterable[C]],
    lexicon: Lexicon,
    shortest: int = 3,
    longest: int | None = None,
    limit: int | None = None,
) -> tuple[Tile[C], ...]:
    """Find all words that can be traced on a board.

    A path goes from cell to neighbour and visits no cell twice. Paths over the same cells are one
    tile.

    Args:
        letters: The letter of each cell, which is folded. A cell without exactly one letter is on
            no path.
        neighbours: The neighbours of a cell; those that are no keys of `letters` are ignored.
        lexicon: The words.
        shortest: The fewest letters of a word.
        longest: The most letters of a word; None for no bound.
        limit: The most tiles, by default `TILES`.

    Returns:
        The tiles, sorted by words and then by cells.

    Raises:
        InputError: There are more tiles than `limit`, or the search takes too many steps.

    Examples:
        >>> row = dict(enumerate("rats", 1))
        >>> words = Lexicon.from_words("small", ["rat", "rats", "star", "tar", "tsar"])
        >>> [str(tile) for tile in word_paths(row, lambda cell: (cell - 1, cell + 1), words)]
        ['rat/tar (1 2 3)', 'rats/star (1 2 3 4)']
    """
    folded = {cell: fold(letter) for cell, letter in letters.items()}
    cells = sorted(cell for cell, letter in folded.items() if len(letter) == 1)
    number = {cell: i for i, cell in enumerate(cells)}
    near = [
        sorted({number[other] for other in neighbours(cell) if other in number}) for cell in cells
    ]
    spelt = [folded[cell] for cell in cells]
    sizes = range(
        max(shortest, 1), (len(cells) if longest is None else min(longest, len(cells))) + 1
    )
    limit = TILES if limit is None else limit
    found = _search(spelt, near, _trie(_possible(spelt, near, lexicon, sizes)), limit)
    tiles = []
    for paths in found.values():
        words = tuple(sorted(paths))
        along = tuple(tuple(cells[i] for i in paths[word][0]) for word in words)
        tiles.append(Tile(along[0], words, sum(ways for _, ways in paths.values()), along))
    return tuple(sorted(tiles, key=lambda tile: (tile.words, tile.cells)))


def _possible(
    letters: Sequence[str], near: Sequence[Sequence[int]], lexicon: Lexicon, sizes: range
) -> Iterator[str]:
    """The words whose letters the board has often enough and whose pairs are adjacent somewhere."""
    counts = Counter(letter for letter in letters if letter in lexicon.alphabet)
    present = sorted(counts)
    index = {letter: i for i, letter in enumerate(present)}
    index_of_code = np.array(
        [index.get(letter, len(present)) for letter in lexicon.alphabet], dtype=np.intp
    )
    beside = np.zeros((len(present) + 1, len(present) + 1), dtype=np.bool_)
    for letter, others in zip(letters, near):
        for other in others:
            if letter in index and letters[other] in index:
                beside[index[letter], index[letters[other]]] = True
    for size in sizes:
        if size not in lexicon.codes:
            continue
        rows = index_of_code[lexicon.codes[size]]
        rows = rows[(rows < len(present)).all(axis=1)]
        rows = rows[beside[rows[:, :-1], rows[:, 1:]].all(axis=1)]
        for letter, count in counts.items():
            rows = rows[(rows == index[letter]).sum(axis=1) <= count]
        if len(rows):
            yield from np.array(present, dtype="<U1")[rows].view(f"<U{size}").ravel().tolist()


def _trie(words: Iterable[str]) -> Trie:
    root: Trie = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[END] = word
    return root


def _search(
    letters: Sequence[str], near: Sequence[Sequence[int]], trie: Trie, limit: int
) -> dict[int, dict[str, tuple[tuple[int, ...], int]]]:
    """For each set of cells, as a bit set, its words, each with its least path and the number of
    its paths.
    """
    steps_by_letter = [_by_letter(letters, others) for others in near]
    found: dict[int, dict[str, tuple[tuple[int, ...], int]]] = {}
    stack: list[tuple[Trie, int, Trail]] = [
        (trie[letter], 1 << i, (None, i)) for i, letter in enumerate(letters) if letter in trie
    ]
    steps = 0
    while stack:
        node, used, trail = stack.pop()
        steps += 1
        if not steps % 1_000:
            check()
        steps_on = steps_by_letter[trail[1]]
        for letter, child in node.items():
            if letter == END:
                path, paths = _path(trail), found.setdefault(used, {})
                least, ways = paths.get(child, (path, 0))
                paths[child] = min(path, least), ways + 1
            else:
                for bit, other in steps_on.get(letter, ()):
                    if not used & bit:
                        stack.append((child, used | bit, (trail, other)))
        if len(found) > limit:
            raise InputError(
                f"more than {limit:,} tiles: use a smaller board, longer words or a smaller lexicon"
            )
        if steps > PATH_STEPS:
            raise InputError(
                f"finding the word paths takes more than {PATH_STEPS:,} steps: use a smaller board"
            )
    return found


def _path(trail: Trail | None) -> tuple[int, ...]:
    cells = []
    while trail is not None:
        trail, cell = trail
        cells.append(cell)
    return tuple(reversed(cells))


def _by_letter(letters: Sequence[str], cells: Iterable[int]) -> dict[str, list[tuple[int, int]]]:
    """Group cells, each with its bit, by letter."""
    result: dict[str, list[tuple[int, int]]] = {}
    for cell in cells:
        result.setdefault(letters[cell], []).append((1 << cell, cell))
    return result


class Tracing(Functions):
    """Words traced through neighbouring cells."""

    def word_paths(
        self,
        letters: Grid,
        words: Lexicon,
        moves: str = "king",
        shortest: int = 3,
        longest: int | None = None,
    ) -> tuple[Tile[Cell], ...]:
        """The sets of cells through which a word can be traced, each with all its words."""
        if not isinstance(letters, Grid) or not all(
            letter is None or isinstance(letter, str) for letter in letters
        ):
            raise ExpressionError(
                f"expected a board of letters to trace words on, got {display_text(letters)}"
            )
        if not isinstance(words, Lexicon):
            raise ExpressionError(
                f"expected a lexicon to take the words from, got {display_text(words)}"
            )
        if moves not in ("king", "rook"):
            raise ExpressionError(f"expected king or rook as moves, got {display_text(moves)}")
        if len(letters) > TRACED_CELLS:
            raise ExpressionError(
                f"too many cells to trace words on: {len(letters):,}, at most {TRACED_CELLS:,}"
            )
        spend_search(self.interpreter)
        there = {cell: "" if letter is None else letter for cell, letter in letters.values.items()}
        steps = letters.around if moves == "king" else letters.neighbours
        least = self.interpreter.whole_number(shortest, "the shortest length")
        most = (
            None
            if longest is None
            else self.interpreter.whole_number(longest, "the longest length")
        )
        tiles = word_paths(there, steps, words, least, most)
        self.interpreter.spend(len(tiles))
        return tuple(tiles)


def tiles(chosen: Sequence[Tile[Cell]], letters: Grid | None) -> list[PicturePart]:
    """Draw a small board for each word, and one board with the coloured paths of all words.

    For a large board, a list of the words and their cells replaces the small boards.
    """
    from puzzlekit.scene import (
        Group,
        Grouped,
        Path,
        Paths,
        Piece,
        Pieces,
        Scene,
        Text,
        TextSpan,
        coloured,
        texts_of,  # when something is drawn
    )

    values = (
        letters.values
        if letters is not None
        else dict.fromkeys((cell for tile in chosen for cell in tile.cells), "")
    )
    form = "square" if letters is None else letters.form
    texts = texts_of(values)
    colours = [
        piece.colour for piece in coloured([Grouped(tile.cells, None, "") for tile in chosen])
    ]
    named = [TextSpan(" / ".join(tile.words), colour) for tile, colour in zip(chosen, colours)]
    pieces = Pieces(False, [Piece(tile.cells, "", colour) for tile, colour in zip(chosen, colours)])
    paths = Paths(False, [Path(tile.cells, colour) for tile, colour in zip(chosen, colours)])
    whole = Scene(tuple(sorted(values)), (pieces, paths, Text(True, texts)), form)
    if (
        max((cell.column for cell in values), default=0) > SMALL_COLUMNS
        or len(chosen) > SMALL_BOARDS
    ):
        return [
            whole,
            *(
                [TextSpan(f" {name.text} ", name.colour), TextSpan(f" {_cells_of(t)}")]
                for name, t in zip(named, chosen)
            ),
        ]
    small = [
        Scene(
            tuple(sorted(values)),
            (
                Pieces(False, [Piece(tile.cells, " ", colour)]),
                Text(True, {cell: texts[cell] for cell in tile.cells if cell in texts}),
            ),
            form,
            name,
        )
        for tile, name, colour in zip(chosen, named, colours)
    ]
    return [Group(small, small=True), whole] if small else [whole]


def _cells_of(tile: Tile[Cell]) -> str:
    return " ".join(map(str, tile.cells))
