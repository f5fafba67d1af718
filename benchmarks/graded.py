"""How far levels agree with those of Simon Tatham's collection, on puzzles that his programs make.

    python -m benchmarks.graded FOLDER [GAME…]          # the table of docs/explain.md
    python -m benchmarks.graded --generate N FOLDER     # N of each level, by Debian's sgt-puzzles

A file of the folder is called GAME.LEVEL.txt, with a digit and the letter of the level, and has a
game ID such as `8x8:a1b…` a line.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import correlation

import puzzlekit
from puzzlekit.reasons import LEVELS

SECONDS = 60.0  # for a rating
GENERATING = 600.0  # seconds for the puzzles of a level
PROGRAMS = (None, "/usr/games")  # where they are looked for; first on the path
TOLD_APART = 0.75  # how often the harder of two puzzles is rated harder, to tell levels apart
LAST = ("expert", "extreme")  # his last levels, which may need guesses

Names = tuple[str, ...]


@dataclass(frozen=True)
class Game:
    """A game with levels.

    Attributes:
        type: The type that it is here.
        parameters: Those of his program, with braces for the letter of the level.
        levels: By letter, the levels that agree with it.
    """

    type: str
    parameters: str
    levels: Mapping[str, Names]


EASY, MEDIUM, HARD, EXPERT = (("easy",), ("medium",), ("hard",), ("expert",))
GAMES = {
    "lightup": Game("akari", "8x8b20s4d{}", {"0": EASY, "1": MEDIUM, "2": HARD}),
    "tents": Game("tents", "8x8d{}", {"e": EASY, "t": MEDIUM}),
    "slant": Game("slant", "8x8d{}", {"e": EASY, "h": HARD}),
    "towers": Game("skyscrapers", "5d{}", {"e": EASY, "h": MEDIUM, "x": EXPERT, "u": LAST}),
    "solo": Game(
        "sudoku", "3x3d{}", {"t": EASY, "b": EASY, "i": MEDIUM, "a": HARD, "e": LAST, "u": LAST}
    ),
    "loopy": Game("slitherlink", "8x8t0d{}", {"e": EASY, "n": MEDIUM, "t": HARD, "h": EXPERT}),
    "unruly": Game("binairo", "8x8d{}", {"t": EASY, "e": EASY, "n": MEDIUM}),
    "singles": Game("hitori", "8x8d{}", {"e": EASY, "k": MEDIUM}),
    "pearl": Game("masyu", "8x8d{}", {"e": EASY, "t": MEDIUM}),
    "unequal": Game("futoshiki", "5d{}", {"t": EASY, "e": EASY, "k": HARD, "x": EXPERT, "r": LAST}),
    "keen": Game("kenken", "5d{}", {"e": EASY, "n": MEDIUM, "h": HARD, "x": EXPERT, "u": LAST}),
    "magnets": Game("magnets", "8x7d{}", {"e": EASY, "t": MEDIUM}),
    "bridges": Game("hashi", "10x10i30e10m2d{}", {"0": EASY, "1": MEDIUM, "2": HARD}),
    "galaxies": Game("spiral_galaxies", "7x7d{}", {"n": MEDIUM, "u": ("extreme",)}),
    "dominosa": Game("dominosa", "6d{}", {"t": EASY, "b": MEDIUM, "h": HARD}),
    "tracks": Game("tracks", "8x8d{}", {"e": EASY, "t": MEDIUM, "h": HARD}),
}


@dataclass(frozen=True)
class Graded:
    """A puzzle that has a level in his collection.

    Attributes:
        grade: The position of its level among those of its game.
        names: The levels that agree with it.
        level: The level that it is rated.
        score: Its score.
    """

    grade: int
    names: Names
    level: str
    score: float

    @property
    def hardness(self) -> tuple[int, float]:
        """What puzzles are ordered by."""
        return LEVELS.index(self.level), self.score

    @property
    def distance(self) -> int:
        """How many levels the rating is away from the levels that agree."""
        rank = LEVELS.index(self.level)
        return min(abs(rank - LEVELS.index(name)) for name in self.names)


def generate(count: int, folder: Path) -> None:
    """Write new puzzles of each game and level."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, game in GAMES.items():
        paths = (shutil.which(f"sgt-{name}", path=path) for path in PROGRAMS)
        program = next(filter(None, paths), None)
        if program is None:
            raise SystemExit(f"sgt-{name} is not installed: apt install sgt-puzzles")
        for grade, letter in enumerate(game.levels):
            command = [program, "--generate", str(count), game.parameters.format(letter)]
            run = subprocess.run(command, capture_output=True, text=True, timeout=GENERATING)
            if run.returncode:
                raise SystemExit(f"{' '.join(command)}: {run.stderr.strip()}")
            (folder / f"{name}.{grade}{letter}.txt").write_text(run.stdout)


def graded(name: str, game: Game, folder: Path) -> list[Graded]:
    """Return the puzzles of a game in a folder, rated; those that take too long are extreme."""
    puzzles = []
    for grade, (letter, names) in enumerate(game.levels.items()):
        path = folder / f"{name}.{grade}{letter}.txt"
        for game_id in path.read_text().split() if path.is_file() else ():
            rating = puzzlekit.load(game.type, re.sub(r"d[a-z0-9]+:", ":", game_id)).rate(SECONDS)
            puzzles.append(Graded(grade, names, rating.level or LEVELS[-1], rating.score))
    return puzzles


def ranks(numbers: Sequence[float]) -> list[float]:
    """Return the position of each number in order; equal ones share theirs."""
    order = sorted(numbers)
    return [order.index(each) + (order.count(each) - 1) / 2 for each in numbers]


def rank_correlation(puzzles: Sequence[Graded]) -> float:
    """Return the rank correlation of his levels with ratings."""
    order = sorted(puzzle.hardness for puzzle in puzzles)
    rated = ranks([order.index(puzzle.hardness) for puzzle in puzzles])
    return correlation(ranks([puzzle.grade for puzzle in puzzles]), rated)


def told_apart(low: Sequence[Graded], high: Sequence[Graded]) -> float:
    """Return how often a puzzle of the second level is rated harder than one of the first; where
    the levels are equal, half.
    """
    wins = 0.0
    for first in low:
        for second in high:
            before, after = LEVELS.index(first.level), LEVELS.index(second.level)
            wins += (after > before) + (after == before) / 2
    return wins / (len(low) * len(high))


def grades(puzzles: Sequence[Graded]) -> list[list[Graded]]:
    """Return the puzzles by their level in his collection."""
    by_grade: dict[int, list[Graded]] = {}
    for puzzle in puzzles:
        by_grade.setdefault(puzzle.grade, []).append(puzzle)
    return [by_grade[grade] for grade in sorted(by_grade)]


def distinct(puzzles: Sequence[Graded]) -> list[Graded]:
    """Return the puzzles of levels that are told apart from both of their neighbours, where these
    should have another name.
    """
    by_grade = grades(puzzles)
    merged: set[int] = set()
    for low, high in pairwise(by_grade):
        if low[0].names != high[0].names and told_apart(low, high) < TOLD_APART:
            merged |= {low[0].grade, high[0].grade}
    return [puzzle for puzzle in puzzles if puzzle.grade not in merged]


def share(puzzles: Sequence[Graded], distance: int) -> str:
    """Return the share of ratings that are so many levels away at most."""
    if not puzzles:
        return "–"
    return f"{100 * sum(puzzle.distance <= distance for puzzle in puzzles) / len(puzzles):.0f} %"


def levels_of(puzzles: Sequence[Graded], letters: Sequence[str]) -> str:
    """Return how many puzzles of each of his levels have which level."""
    texts = []
    for group in grades(puzzles):
        counts = Counter(puzzle.level for puzzle in group)
        named = [f"{counts[level]} {level}" for level in LEVELS if counts[level]]
        texts.append(f"{letters[group[0].grade]}: {', '.join(named)}")
    return "; ".join(texts)


def main(folder: Path, only: Sequence[str]) -> None:
    """Print the table."""
    print("| game | type | exact | within one | correlation | his level: ours |")
    print("|---" * 6 + "|")
    total: list[Graded] = []
    told: list[Graded] = []
    for name, game in GAMES.items():
        if only and name not in only:
            continue
        puzzles = graded(name, game, folder)
        if len(grades(puzzles)) < 2:
            continue
        total += puzzles
        told += distinct(puzzles)
        cells = [name, f"`{game.type}`", share(puzzles, 0), share(puzzles, 1)]
        cells += [f"{rank_correlation(puzzles):.2f}", levels_of(puzzles, list(game.levels))]
        print(f"| {' | '.join(cells)} |", flush=True)
    for label, puzzles in (("all", total), ("told apart", told)):
        print(f"{label}: {len(puzzles)}, {share(puzzles, 0)} exact, {share(puzzles, 1)} within one")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--generate"]:
        generate(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
