"""Words: lexicons, marks, guesses, texts, tiles."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.reference.plain.boards import ROOK, Board, Cell
from tests.reference.plain.values import GREEN, GREY, YELLOW, Mark, row, same


def word(letters: Any) -> str:
    return "".join(map(str, row(letters)))


class Lexicon:
    def __init__(self, words: Any, ranks: dict[str, int]) -> None:
        self.words, self.ranks = tuple(words), ranks

    @staticmethod
    def of_list(words: list[str]) -> "Lexicon":
        """A list in place, or a file: in order from its commonest word on."""
        folded = list(dict.fromkeys(w.casefold() for w in words))
        return Lexicon(sorted(folded), {w: rank for rank, w in enumerate(folded, 1)})

    def has_word(self, letters: Any) -> bool:
        return word(letters) in self.words

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def of_length(self, n: int) -> tuple[str, ...]:
        return tuple(w for w in self.words if len(w) == n)

    @property
    def alphabet(self) -> tuple[str, ...]:
        return tuple(sorted({letter for w in self.words for letter in w}))


def rarity(xs: Any, words: Lexicon) -> int:
    rank = words.ranks.get(word(xs), len(words.ranks))
    return round(10 * math.log2(rank))


def succession(a: Any, b: Any, words: Lexicon) -> int:
    """Lists in place and files count as English."""
    singles, pairs = counts("unigrams"), counts("bigrams")
    one, other = word(a), word(b)
    if f"{one} {other}" not in pairs or one not in singles or other not in singles:
        return 0
    by_chance = singles[one] * singles[other] / sum(singles.values())
    return min(0, -40 - round(10 * math.log2(pairs[f"{one} {other}"] / by_chance)))


@cache
def counts(name: str) -> dict[str, int]:
    """A table of wordsegment, which is not imported."""
    package = find_spec("wordsegment")
    assert package is not None and package.origin is not None
    lines = (
        line.split("\t")
        for line in Path(package.origin).with_name(f"{name}.txt").read_text("utf-8").splitlines()
    )
    return {text: int(number) for text, number in lines}


def by_rarity(xs: Any, words: Lexicon) -> tuple[str, ...]:
    return tuple(sorted(row(xs), key=lambda w: words.ranks.get(w, len(words.ranks) + 1)))


def marks(guess: Any, answer: Any, marking: str = "wordle") -> tuple[Mark, ...]:
    tried, right = row(guess), row(answer)
    left = Counter(b for a, b in zip(tried, right) if not same(a, b))
    found = []
    for a, b in zip(tried, right):
        if a == b:
            found.append(GREEN)
        elif marking == "set":
            found.append(YELLOW if a in right else GREY)
        else:
            found.append(YELLOW if left[a] > 0 else GREY)
            left[a] -= 1
    return tuple(found)


def fitting(words: Any, guesses: Any, rows: Any, marking: str = "wordle") -> tuple[str, ...]:
    told = list(zip(row(guesses), row(rows), strict=True))
    return tuple(w for w in row(words) if all(marks(g, w, marking) == tuple(r) for g, r in told))


class NextGuesses:
    def __init__(self, found: list[tuple[int, int, str, str]]) -> None:
        self.found = found  # the sum over the answers, the worst, the guess, what is told

    def by_average(self, n: int) -> dict[str, str]:
        return {
            guess: told
            for *_, guess, told in sorted(self.found, key=lambda x: (x[0], x[1], x[2]))[:n]
        }

    def by_worst(self, n: int) -> dict[str, str]:
        return {
            guess: told
            for *_, guess, told in sorted(self.found, key=lambda x: (x[1], x[0], x[2]))[:n]
        }


def next_guesses(words: Any, left: Any, marking: str = "wordle") -> NextGuesses:
    found = []
    for guess in row(words):
        average, worst = 0.0, 0
        for board in left:
            parts = Counter(marks(guess, w, marking) for w in row(board))
            remain = {m: 0 if all(x is GREEN for x in m) else n for m, n in parts.items()}
            average += sum(parts[m] * remain[m] for m in parts) / max(1, len(row(board)))
            worst += max(remain.values(), default=0)
        found.append(
            (round(average, 9), worst, guess, f"{average:.2f} remain on average, {worst} at worst")
        )
    return NextGuesses(found)  # type: ignore[arg-type]


def boards_of(
    rows: Any, words: Any, answers: Any, marking: str = "wordle", differ: bool = False
) -> dict[str, int]:
    def ways(answer: str, left: tuple[Any, ...], used: tuple[str, ...]) -> int:
        if not left:
            return 1
        fit = [
            w
            for w in row(words)
            if marks(w, answer, marking) == tuple(left[0]) and not (differ and w in used)
        ]
        return sum(ways(answer, left[1:], (*used, w)) for w in fit)

    found = {answer: ways(answer, row(rows), ()) for answer in row(answers)}
    return {a: n for a, n in sorted(found.items(), key=lambda item: (-item[1], item[0])) if n > 0}


def words_in(text: str) -> tuple[str, ...]:
    folded = re.sub("[’ʼ]", "'", text.casefold())
    return tuple(re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", folded))


def replaced(text: str, letters: Any) -> str:
    table = dict(letters.members if hasattr(letters, "members") else letters)
    return "".join(
        (str(table[x.casefold()]).upper() if x != x.casefold() else str(table[x]))
        if x.casefold() in table
        else x
        for x in text
    )


class Tile:
    def __init__(self, ways: list[tuple[tuple[Cell, ...], str]]) -> None:
        self.words = tuple(sorted({word for _, word in ways}))
        self.paths = tuple(
            min(path for path, other in ways if other == word) for word in self.words
        )
        self.cells = self.paths[0]


class Indexed(tuple):  # type: ignore[type-arg]
    """Places, each of some cells."""

    def through(self, cell: Any) -> tuple[Any, ...]:
        return tuple(place for place in self if cell in getattr(place, "cells", place))

    def of(self, piece: Any) -> tuple[Any, ...]:
        return tuple(place for place in self if place.piece == piece)


def word_paths(
    letters: Board, words: Any, moves: str = "king", shortest: int = 3, longest: int | None = None
) -> Indexed:
    listed = set(words)
    most = min(longest or 99, max(map(len, listed), default=0))
    found: dict[frozenset[Cell], list[tuple[tuple[Cell, ...], str]]] = {}
    hexagonal = letters.world == "hexagons"

    def near(cell: Cell) -> tuple[Cell, ...]:
        rook = tuple(Cell(cell.row + a, cell.column + b) for a, b in ROOK)
        around = letters.neighbours(cell) if hexagonal else letters.around(cell)
        return (
            around
            if moves == "king" or hexagonal
            else tuple(c for c in rook if c in letters.values)
        )

    def trace(trail: tuple[Cell, ...]) -> None:
        spelled = word(letters.values[c] for c in trail)
        if spelled in listed and len(trail) >= shortest:
            found.setdefault(frozenset(trail), []).append((trail, spelled))
        if len(trail) < most:
            for cell in near(trail[-1]):
                if cell not in trail:
                    trace((*trail, cell))

    for start in letters.given:
        trace((start,))
    return Indexed(map(Tile, found.values()))


def stacked(xs: Any, ys: Any) -> Any:
    return tuple(map(str, row(xs))), tuple(map(str, row(ys)))


FUNCTIONS: dict[str, Any] = {
    "word": word,
    "rarity": rarity,
    "by_rarity": by_rarity,
    "succession": succession,
    "marks": marks,
    "fitting": fitting,
    "next_guesses": next_guesses,
    "boards_of": boards_of,
    "words_in": words_in,
    "replaced": replaced,
    "word_paths": word_paths,
    "stacked": stacked,
    "mark": (GREY, YELLOW, GREEN),
    "grey": GREY,
    "yellow": YELLOW,
    "green": GREEN,
}
