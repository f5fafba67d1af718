"""The functions of the language. Each works on plain values, and builds terms where an unknown stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.boards import BestCycles, Cell, Cycle, Exchange, Grid, Pieces, best_cycles, exchanges, simple_cycles
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import CONSTANTS, ExpressionError, Family, shown
from puzzlekit.lang.functions.connectivity import Graphs
from puzzlekit.lang.functions.geometry import Geometry
from puzzlekit.lang.functions.guesses import Wording
from puzzlekit.lang.functions.rows import Rows
from puzzlekit.lang.functions.sequences import Sequences
from puzzlekit.lang.functions.texts import Texts
from puzzlekit.lang.functions.word_rarity import Rarity
from puzzlekit.limits import limits
from puzzlekit.model import Term, Value, Variable
from puzzlekit.words import Lexicon, Tile, word_paths

SEARCHES = 10  # through a board or graph in one run: what each costs, whatever it finds, is a share of all steps


class Aim:
    """What a goal asks for: a term to make small or large, with the best value there can be and a solution to begin with."""

    def __init__(self, term: Term, maximise: bool, bound: int | None, start: Mapping[Variable, Value] | None) -> None:
        self.term = term
        self.maximise = maximise
        self.bound = bound
        self.start = start


class Functions(Sequences, Rows, Graphs, Geometry, Texts, Wording, Rarity):
    """The functions, bound to the runtime that counts what they spend. Every public method is one, under its own name."""

    def word_paths(
        self, letters: Grid, words: Lexicon, moves: str = "king", shortest: int = 3, longest: int | None = None
    ) -> Pieces[Tile[Cell]]:
        """The sets of cells along whose neighbours a word can be traced, each with all the words that it can spell."""
        if not isinstance(letters, Grid) or not all(letter is None or isinstance(letter, str) for letter in letters):
            raise ExpressionError(f"words are traced on a board of letters, and this is {shown(letters)}")
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"the words come from a lexicon, and this is {shown(words)}")
        if moves not in ("king", "rook"):
            raise ExpressionError(f"moves are king or rook, and this is {shown(moves)}")
        bound = limits().rules.traced_cells
        if len(letters) > bound:
            raise ExpressionError(f"words are traced on boards of at most {bound:,} cells")
        self.runtime.spend(limits().rules.steps // SEARCHES)
        there = {cell: "" if letter is None else letter for cell, letter in letters.values.items()}
        steps = letters.around if moves == "king" else letters.neighbours
        least = self.runtime.whole(shortest, "the shortest length")
        most = None if longest is None else self.runtime.whole(longest, "the longest length")
        tiles = word_paths(there, steps, words, least, most)
        self.runtime.spend(len(tiles))
        return Pieces(tiles, lambda tile: tile.cells)

    def simple_cycles(self, arcs: Any) -> Pieces[Cycle]:
        """Every cycle along the arcs (from, to) that meets no node twice."""
        cycles = simple_cycles(self._arcs(arcs))
        self.runtime.spend(sum(map(len, cycles)))
        return cycles

    def best_cycles(self, arcs: Any) -> BestCycles:
        """The cycles that a cut of the arcs into the most cycles can have, those of one such cut first."""
        cycles = best_cycles(self._arcs(arcs))
        self.runtime.spend(sum(map(len, cycles)))
        return cycles

    def _arcs(self, arcs: Any) -> Any:
        pairs = self.runtime.known(self._items(arcs), "an arc")
        if not all(type(pair) is tuple and len(pair) == 2 for pair in pairs):
            raise ExpressionError("an arc is a pair: (from, to)")
        self.runtime.spend(limits().rules.steps // SEARCHES)
        return pairs

    def exchanges(self, start: Grid, target: Grid, cycles: Any) -> tuple[Exchange, ...]:
        """The exchanges of two cells, in order, that lead from one board to the other along cycles of (stands, belongs)."""
        ready = target.as_grid() if isinstance(target, Family) and target.over_cells() else target
        if not isinstance(start, Grid) or not isinstance(ready, Grid) or set(start.cells) != set(ready.cells):
            raise ExpressionError("exchanges lead from one board to another with the same cells")
        walked = self.runtime.known(self._items(cycles), "a cycle")
        if not all(isinstance(cycle, Cycle) for cycle in walked):
            raise ExpressionError("the cycles are some of those that simple_cycles finds")
        self.runtime.spend(2 * len(start) + sum(map(len, walked)))
        return exchanges(start.values, self.runtime.known(ready, "a board").values, walked)

    # goals

    def minimise(self, x: Any, bound: Any = None, start: Any = None) -> Aim:
        """As small as can be; never below a known bound, and with a start at most as large as what that comes to."""
        return self._aim(x, False, bound, start)

    def maximise(self, x: Any, bound: Any = None, start: Any = None) -> Aim:
        """As large as can be; never above a known bound, and with a start at least as large as what that comes to."""
        return self._aim(x, True, bound, start)

    def _aim(self, x: Any, maximise: bool, bound: Any, start: Any) -> Aim:
        least = None if bound is None else self.runtime.whole(bound, "the bound of a goal")
        if start is None:
            return Aim(self.runtime.number(x), maximise, least, None)
        pairs = self._items(start)
        if not all(type(pair) is tuple and len(pair) == 2 and isinstance(pair[0], Variable) for pair in pairs):
            raise ExpressionError("a start is pairs of an unknown and its value")
        values = self.runtime.known(tuple(value for _, value in pairs), "a value")
        return Aim(self.runtime.number(x), maximise, least, dict(zip((unknown for unknown, _ in pairs), values)))


FUNCTIONS: Sequence[str] = tuple(name for name in dir(Functions) if not name.startswith("_"))
BUILTINS: frozenset[str] = frozenset((*CONSTANTS, *FUNCTIONS))


def builtins(runtime: Runtime) -> dict[str, Any]:
    """The constants and functions by name."""
    functions = Functions(runtime)
    return {**CONSTANTS, **{name: getattr(functions, name) for name in FUNCTIONS}}
