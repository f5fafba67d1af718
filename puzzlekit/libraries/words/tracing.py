"""The function that traces words on a board."""

from __future__ import annotations

from puzzlekit.boards import Cell, Grid, Pieces
from puzzlekit.lang.expressions.values import ExpressionError, shown
from puzzlekit.lang.functions.connectivity import spend_search
from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.libraries.words.lexicon import Lexicon
from puzzlekit.libraries.words.paths import Tile, word_paths
from puzzlekit.limits import limits


class Tracing(Functions):
    """Words along neighbouring cells."""

    def word_paths(
        self, letters: Grid, words: Lexicon, moves: str = "king", shortest: int = 3, longest: int | None = None
    ) -> Pieces[Tile[Cell]]:
        """The sets of cells along whose neighbours a word can be traced, each with all the words that it can spell."""
        if not isinstance(letters, Grid) or not all(letter is None or isinstance(letter, str) for letter in letters):
            raise ExpressionError(f"expected a board of letters to trace words on, got {shown(letters)}")
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected a lexicon to take the words from, got {shown(words)}")
        if moves not in ("king", "rook"):
            raise ExpressionError(f"expected king or rook as moves, got {shown(moves)}")
        bound = limits().rules.traced_cells
        if len(letters) > bound:
            raise ExpressionError(f"words are traced on boards of at most {bound:,} cells")
        spend_search(self.runtime)
        there = {cell: "" if letter is None else letter for cell, letter in letters.values.items()}
        steps = letters.around if moves == "king" else letters.neighbours
        least = self.runtime.whole(shortest, "the shortest length")
        most = None if longest is None else self.runtime.whole(longest, "the longest length")
        tiles = word_paths(there, steps, words, least, most)
        self.runtime.spend(len(tiles))
        return Pieces(tiles, lambda tile: tile.cells)
