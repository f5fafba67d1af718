"""Words traced through neighbouring cells of a board of letters, and pictures of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from puzzlekit.boards import Cell, Grid
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.folding import fold
from puzzlekit.lang import ExpressionError, Functions, display_text, spend_search
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

    def __lt__(self, right: Any, /) -> bool: ...


C = TypeVar("C", bound=Orderable)
Trie: TypeAlias = dict[str, Any]  # a trie per letter, and under END the word that ends here
Trail: TypeAlias = "tuple[Trail | None, int]"  # the trail before, and a cell
WordsOfCells: TypeAlias = dict[str, tuple[tuple[int, ...], int]]  # least path, number of paths

END = ""


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, as many are keys of dicts
class Tile(Generic[C]):
    """A set of cells with all words that can be traced through all of them.

    Attributes:
        cells: The cells in the order of the first word's path.
        words: The words, sorted.
        path_count: The number of pairs of a word and a path of that word through all the cells.
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
    adjacent = [
        sorted({number[neighbour] for neighbour in neighbours(cell) if neighbour in number})
        for cell in cells
    ]
    spelt = [folded[cell] for cell in cells]
    most = len(cells) if longest is None else min(longest, len(cells))
    words = _possible(spelt, adjacent, lexicon, range(max(shortest, 1), most + 1))
    words_of_cells = _search(spelt, adjacent, _trie(words), TILES if limit is None else limit)
    tiles = []
    for paths in words_of_cells.values():
        texts = tuple(sorted(paths))
        least_paths = tuple(tuple(cells[i] for i in paths[text][0]) for text in texts)
        path_count = sum(count for _, count in paths.values())
        tiles.append(Tile(least_paths[0], texts, path_count, least_paths))
    return tuple(sorted(tiles, key=lambda tile: (tile.words, tile.cells)))


def _possible(
    letters: Sequence[str], adjacent: Sequence[Sequence[int]], lexicon: Lexicon, sizes: range
) -> Iterator[str]:
    """Yield the words whose letters the board has often enough, and whose pairs are adjacent
    somewhere.
    """
    counts = Counter(letter for letter in letters if letter in lexicon.alphabet)
    present = sorted(counts)
    index = {letter: i for i, letter in enumerate(present)}
    absent = len(present)
    index_of_code = np.array(
        [index.get(letter, absent) for letter in lexicon.alphabet], dtype=np.intp
    )
    pairs = _adjacent_letters(letters, adjacent, index)
    for size in sizes:
        if size not in lexicon.codes:
            continue
        rows = index_of_code[lexicon.codes[size]]
        rows = rows[(rows < absent).all(axis=1)]
        rows = rows[pairs[rows[:, :-1], rows[:, 1:]].all(axis=1)]
        for letter, count in counts.items():
            occurrences = (rows == index[letter]).sum(axis=1)
            rows = rows[occurrences <= count]
        if len(rows):
            texts = np.array(present, dtype="<U1")[rows].view(f"<U{size}")
            yield from texts.ravel().tolist()


def _adjacent_letters(
    letters: Sequence[str], adjacent: Sequence[Sequence[int]], index: Mapping[str, int]
) -> NDArray[np.bool_]:
    """Return for each two letters whether cells with them are adjacent somewhere."""
    pairs = np.zeros((len(index) + 1, len(index) + 1), dtype=np.bool_)
    for letter, cells in zip(letters, adjacent):
        for cell in cells:
            if letter in index and letters[cell] in index:
                pairs[index[letter], index[letters[cell]]] = True
    return pairs


def _trie(words: Iterable[str]) -> Trie:
    root: Trie = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[END] = word
    return root


def _search(
    letters: Sequence[str], adjacent: Sequence[Sequence[int]], trie: Trie, limit: int
) -> dict[int, WordsOfCells]:
    """Return the words of each set of cells, which is a bit set."""
    next_by_letter = [_by_letter(letters, cells) for cells in adjacent]
    words_of_cells: dict[int, WordsOfCells] = {}
    stack: list[tuple[Trie, int, Trail]] = [
        (trie[letter], 1 << i, (None, i)) for i, letter in enumerate(letters) if letter in trie
    ]
    steps = 0
    while stack:
        node, used, trail = stack.pop()
        steps += 1
        if not steps % 1_000:
            check()
        next_cells = next_by_letter[trail[1]]
        for letter, child in node.items():
            if letter == END:
                path = _path(trail)
                words = words_of_cells.setdefault(used, {})
                least, count = words.get(child, (path, 0))
                words[child] = min(path, least), count + 1
            else:
                for bit, cell in next_cells.get(letter, ()):
                    if not used & bit:
                        stack.append((child, used | bit, (trail, cell)))
        if len(words_of_cells) > limit:
            raise InputError(
                f"more than {limit:,} tiles: use a smaller board, longer words or a smaller lexicon"
            )
        if steps > PATH_STEPS:
            raise InputError(
                f"finding the word paths takes more than {PATH_STEPS:,} steps: use a smaller board"
            )
    return words_of_cells


def _path(trail: Trail | None) -> tuple[int, ...]:
    cells = []
    while trail is not None:
        trail, cell = trail
        cells.append(cell)
    return tuple(reversed(cells))


def _by_letter(letters: Sequence[str], cells: Iterable[int]) -> dict[str, list[tuple[int, int]]]:
    """Group cells, each with its bit, by letter."""
    by_letter: dict[str, list[tuple[int, int]]] = {}
    for cell in cells:
        by_letter.setdefault(letters[cell], []).append((1 << cell, cell))
    return by_letter


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
        """Return the sets of cells through which a word can be traced, each with all its words."""
        if not _is_board_of_letters(letters):
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
        texts = {cell: letter or "" for cell, letter in letters.values.items()}
        neighbours = letters.around if moves == "king" else letters.neighbours
        least = self.interpreter.whole_number(shortest, "the shortest length")
        most = None
        if longest is not None:
            most = self.interpreter.whole_number(longest, "the longest length")
        tiles = word_paths(texts, neighbours, words, least, most)
        self.interpreter.spend(len(tiles))
        return tuple(tiles)


def _is_board_of_letters(letters: Any) -> bool:
    if not isinstance(letters, Grid):
        return False
    return all(letter is None or isinstance(letter, str) for letter in letters)


def tiles(chosen: Sequence[Tile[Cell]], letters: Grid | None) -> list[PicturePart]:
    """Draw a small board for each word, and one board with the coloured paths of all words.

    For a large board, a list of the words and their cells replaces the small boards.
    """
    from puzzlekit.scene import (  # only when a picture is drawn
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
        texts_of,
    )

    if letters is not None:
        values, form = letters.values, letters.form
    else:
        values = dict.fromkeys((cell for tile in chosen for cell in tile.cells), "")
        form = "square"
    cells = tuple(sorted(values))
    texts = texts_of(values)
    groups = coloured([Grouped(tile.cells, None, "") for tile in chosen])
    colours = [group.colour for group in groups]
    names = [TextSpan(" / ".join(tile.words), colour) for tile, colour in zip(chosen, colours)]
    pieces = Pieces(False, [Piece(tile.cells, "", colour) for tile, colour in zip(chosen, colours)])
    paths = Paths(False, [Path(tile.cells, colour) for tile, colour in zip(chosen, colours)])
    all_tiles = Scene(cells, (pieces, paths, Text(True, texts)), form)
    width = max((cell.column for cell in values), default=0)
    if width > SMALL_COLUMNS or len(chosen) > SMALL_BOARDS:
        lines = []
        for name, tile in zip(names, chosen):
            plate = TextSpan(f" {name.text} ", name.colour)
            lines.append([plate, TextSpan(f" {_cells_of(tile)}")])
        return [all_tiles, *lines]
    small = []
    for tile, name, colour in zip(chosen, names, colours):
        piece = Pieces(False, [Piece(tile.cells, " ", colour)])
        text = Text(True, {cell: texts[cell] for cell in tile.cells if cell in texts})
        small.append(Scene(cells, (piece, text), form, name))
    return [Group(small, small=True), all_tiles] if small else [all_tiles]


def _cells_of(tile: Tile[Cell]) -> str:
    return " ".join(map(str, tile.cells))
