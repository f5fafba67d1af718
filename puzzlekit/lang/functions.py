"""The functions of the language. Each works on plain values, and builds terms where an unknown stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from puzzlekit.boards import Cell, Cycle, Exchange, Grid, Pieces, board, exchanges, simple_cycles
from puzzlekit.lang.expressions import ExpressionError
from puzzlekit.lang.runtime import Runtime, condition_of, symbolic, term_of
from puzzlekit.lang.values import Family, Whole, shown
from puzzlekit.model import AllDifferent, Apply, Comparison, Constant, Function, Not, Operation, Or, Sum, Term, Variable
from puzzlekit.words import MARKINGS, Lexicon, Mark, Tile, marks, marks_of_rows, word_paths

LARGEST_RANGE = 1_000_000


class Aim:
    """What a goal asks for: a term to make small or large."""

    def __init__(self, term: Term, maximise: bool) -> None:
        self.term = term
        self.maximise = maximise


class Functions:
    """The functions, bound to the runtime that counts what they spend. Every public method is one, under its own name."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    def _items(self, group: Any) -> tuple[Any, ...]:
        return tuple(self.runtime.iterate(group))

    # counting

    def sum(self, xs: Iterable[Any]) -> Any:
        """The sum; of nothing it is 0."""
        items = self._items(xs)
        if not symbolic(items):
            return sum(int(item) if isinstance(item, int) else self.runtime.number(item) for item in items)
        return Sum(tuple((1, self.runtime.number(item)) for item in items))

    def count(self, xs: Iterable[Any], value: Any) -> Any:
        """How many of `xs` equal the value."""
        equal = [self.runtime.compare("==", item, value) for item in self._items(xs)]
        return self.sum(equal)

    def len(self, xs: Any) -> int:
        """How many there are."""
        if isinstance(xs, Term):
            raise ExpressionError("an unknown has no length")
        return len(xs) if hasattr(xs, "__len__") else len(self._items(xs))

    def min(self, *xs: Any) -> Any:
        """The least."""
        return self._extreme("min", min, xs)

    def max(self, *xs: Any) -> Any:
        """The greatest."""
        return self._extreme("max", max, xs)

    def _extreme(self, name: Any, plain: Callable[[Any], Any], xs: tuple[Any, ...]) -> Any:
        items = self._items(xs[0]) if len(xs) == 1 else xs
        if not items:
            raise ExpressionError(f"the {name} of nothing is not known")
        if not symbolic(items):
            return plain(items)
        return Operation(name, tuple(self.runtime.number(item) for item in items)) if len(items) > 1 else items[0]

    def abs(self, x: Any) -> Any:
        """The distance from 0."""
        return Operation("abs", (self.runtime.number(x),)) if isinstance(x, Term) else abs(x)

    def any(self, xs: Iterable[Any]) -> Any:
        """Whether at least one of the conditions holds."""
        return self.runtime.some(*(lambda item=item: item for item in self.runtime.iterate(xs)))

    def all(self, xs: Iterable[Any]) -> Any:
        """Whether all of the conditions hold."""
        return self.runtime.every(*(lambda item=item: item for item in self.runtime.iterate(xs)))

    def exactly_one(self, xs: Iterable[Any]) -> Any:
        """Exactly one of the conditions holds."""
        return self._how_many(xs, 1, 1)

    def at_most_one(self, xs: Iterable[Any]) -> Any:
        """At most one of the conditions holds."""
        return self._how_many(xs, None, 1)

    def at_least(self, n: int, xs: Iterable[Any]) -> Any:
        """At least n of the conditions hold."""
        return self._how_many(xs, n, None)

    def at_most(self, n: int, xs: Iterable[Any]) -> Any:
        """At most n of the conditions hold."""
        return self._how_many(xs, None, n)

    def _how_many(self, xs: Iterable[Any], low: int | None, high: int | None) -> Any:
        total = self.sum(tuple(condition_of(item) for item in self.runtime.iterate(xs)))
        if low is not None and low == high:
            return self.runtime.compare("==", total, low)
        return self.runtime.compare("<=", low, total) if low is not None else self.runtime.compare("<=", total, high)

    # values

    def between(self, a: int, b: int) -> range:
        """The whole numbers from a to b, both included."""
        return self.range(a, b + 1)

    def range(self, *ends: int) -> range:
        """As in Python: from 0 or the first number, up to but not including the last."""
        if any(isinstance(end, Term) for end in ends):
            raise ExpressionError("a range cannot depend on an unknown")
        made = range(*ends)
        if len(made) > LARGEST_RANGE:
            raise ExpressionError(f"a range has at most {LARGEST_RANGE:,} numbers")
        return made

    def distinct(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """The different values, in the order in which they first stand; what is left empty is none."""
        items = self._items(xs)
        if symbolic(items):
            raise ExpressionError("which values are distinct cannot depend on an unknown: all_different asks that they are")
        return tuple(dict.fromkeys(item for item in items if item is not None))

    def pairs(self, xs: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
        """Every two of them, in order, each pair once."""
        return combinations(self._items(xs), 2)

    def zip(self, *groups: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
        """The groups side by side; they have one length."""
        columns = [self._items(group) for group in groups]
        if len({len(column) for column in columns}) > 1:
            raise ExpressionError(f"these have different lengths: {', '.join(str(len(column)) for column in columns)}")
        return zip(*columns)

    def enumerate(self, xs: Iterable[Any], start: int = 0) -> Iterable[tuple[int, Any]]:
        """Each with its number."""
        return enumerate(self._items(xs), start)

    def sorted(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """In order, the least first."""
        return tuple(sorted(self._items(xs)))

    def reversed(self, xs: Iterable[Any]) -> tuple[Any, ...]:
        """In the opposite order."""
        return tuple(reversed(self._items(xs)))

    def first(self, xs: Iterable[Any]) -> Any:
        """The first of them."""
        for item in self.runtime.iterate(xs):
            return item
        raise ExpressionError("there is no first one: nothing is there")

    def number(self, digits: Iterable[Any], base: int = 10) -> Any:
        """The number that these digits spell."""
        items = self._items(digits)
        if not symbolic(items):
            total = 0
            for item in items:
                total = self.runtime.binary("+", self.runtime.binary("*", total, base), item)
            return total
        powers = [base**power for power in range(len(items) - 1, -1, -1)]
        return Sum(tuple((power, self.runtime.number(item)) for power, item in zip(powers, items)))

    def word(self, letters: Iterable[Any]) -> str:
        """The word that these letters spell."""
        items = self._items(letters)
        if symbolic(items):
            raise ExpressionError("a word of unknowns cannot be spelled: compare the letters, or ask that they are in a lexicon")
        return "".join(map(str, items))

    # relations

    def all_different(self, xs: Iterable[Any]) -> Any:
        """No two are equal."""
        items = self._items(xs)
        if not symbolic(items):
            return len(set(items)) == len(items)
        if any(isinstance(item, tuple | list) and not isinstance(item, Cell) for item in items):
            unequal = (self.runtime.compare("!=", a, b) for a, b in combinations(items, 2))
            return self.all(unequal)
        return AllDifferent(tuple(term_of(item) for item in items))

    def all_equal(self, xs: Iterable[Any]) -> Any:
        """All are equal."""
        items = self._items(xs)
        return self.all(self.runtime.compare("==", a, b) for a, b in zip(items, items[1:]))

    def increasing(self, xs: Iterable[Any]) -> Any:
        """Each is greater than the one before."""
        items = self._items(xs)
        return self.all(self.runtime.compare("<", a, b) for a, b in zip(items, items[1:]))

    def implies(self, p: Any, q: Any) -> Any:
        """Where p holds, q holds."""
        return self.runtime.some(lambda: self.runtime.negate(p), lambda: q)

    def iff(self, p: Any, q: Any) -> Any:
        """Both hold, or neither."""
        return self.runtime.compare("==", condition_of(p), condition_of(q))

    # words

    def marks(self, guess: Any, answer: Any, marking: str = "wordle") -> Any:
        """The marks that the answer gives the guess, letter by letter; `marking` says how repeated letters are coloured."""
        if marking not in MARKINGS:
            raise ExpressionError(f"a marking is one of {', '.join(MARKINGS)}, and this is {shown(marking)}")
        lengths = [self._letters(side) for side in (guess, answer)]
        if lengths[0] != lengths[1]:
            raise ExpressionError(f"the guess has {lengths[0]} letters, the answer {lengths[1]}")
        if not symbolic(guess) and not symbolic(answer):
            return marks(guess, answer, marking)
        call = Apply(_MARKS[marking], (self._argument(guess), self._argument(answer)))
        return Whole(call, lengths[0])

    def _letters(self, word: Any) -> int:
        if not isinstance(word, Variable):
            return len(word)
        lengths = {len(value) for value in self.runtime.domains[word]}
        if len(lengths) != 1:
            raise ExpressionError(f"the words that {word} may be have different lengths")
        return lengths.pop()

    def _argument(self, word: Any) -> Term | tuple[Term, ...]:
        if isinstance(word, Term):
            return word
        return tuple(term_of(letter) for letter in word)

    def word_paths(
        self, letters: Grid, words: Lexicon, moves: str = "king", shortest: int = 3, longest: int | None = None
    ) -> Pieces[Tile[Cell]]:
        """The sets of cells along whose neighbours a word can be traced, each with all the words that it can spell."""
        steps = {"king": letters.around, "rook": letters.neighbours}.get(moves)
        if steps is None:
            raise ExpressionError(f"moves are king or rook, and this is {shown(moves)}")
        there = {cell: "" if letter is None else letter for cell, letter in letters.values.items()}
        tiles = word_paths(there, steps, words, shortest, longest)
        self.runtime.spend(len(tiles))
        return Pieces(tiles, lambda tile: tile.cells)

    # boards and graphs

    def board(self, rows: int, columns: int) -> Grid:
        """A board of so many rows and columns, without data."""
        if not (0 < rows <= 200 and 0 < columns <= 200):
            raise ExpressionError("a board has from 1 to 200 rows and columns")
        return board(rows, columns)

    def simple_cycles(self, arcs: Iterable[tuple[Any, Any]]) -> Pieces[Cycle]:
        """Every cycle along the arcs (from, to) that meets no node twice."""
        cycles = simple_cycles(self._items(arcs))
        self.runtime.spend(len(cycles))
        return cycles

    def exchanges(self, start: Grid, target: Grid, cycles: Iterable[Cycle]) -> tuple[Exchange, ...]:
        """The exchanges of two cells, in order, that lead from one board to the other along cycles of (stands, belongs)."""
        ready = {cell: value for cell, value in zip(target.cells, target)}
        return exchanges(start.values, ready, self.runtime.iterate(cycles))

    # goals

    def minimise(self, x: Any) -> Aim:
        """As small as can be."""
        return Aim(self._total(x), maximise=False)

    def maximise(self, x: Any) -> Aim:
        """As large as can be."""
        return Aim(self._total(x), maximise=True)

    def _total(self, x: Any) -> Term:
        if isinstance(x, bool | Term):
            return term_of(x)
        return self.runtime.number(x)


def _marks_once(marking: str) -> Callable[[Sequence[str], Sequence[str]], tuple[Mark, ...]]:
    return lambda guess, answer: marks(guess, answer, marking)


def _marks_many(marking: str) -> Callable[[Any, Any], Any]:
    return lambda guess, answer: marks_of_rows(_as_letters(guess), _as_letters(answer), marking)


def _as_letters(words: Any) -> Any:
    """Words as rows of letters: (n,) words or (n, k) letters become (n, k) letters; one word becomes (k,)."""
    if not isinstance(words, np.ndarray):
        return np.array(tuple(words), dtype="<U1")
    if words.ndim == 2:
        return words.astype("<U1")
    return np.ascontiguousarray(words).view("<U1").reshape(len(words), -1)


_MARKS = {marking: Function("marks", _marks_once(marking), _marks_many(marking)) for marking in MARKINGS}

CONSTANTS: Mapping[str, Any] = {
    "bool": (False, True),
    "mark": tuple(Mark),
    "grey": Mark.GREY,
    "yellow": Mark.YELLOW,
    "green": Mark.GREEN,
    "king": "king",
    "rook": "rook",
}
FUNCTIONS: Sequence[str] = tuple(name for name in vars(Functions) if not name.startswith("_"))
BUILTINS: frozenset[str] = frozenset((*CONSTANTS, *FUNCTIONS))


def builtins(runtime: Runtime) -> dict[str, Any]:
    """The constants and functions by name."""
    functions = Functions(runtime)
    return {**CONSTANTS, **{name: getattr(functions, name) for name in FUNCTIONS}}


__all__ = ["BUILTINS", "FUNCTIONS", "Aim", "Family", "builtins"]
