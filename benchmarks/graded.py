"""How well scores tell levels apart, on puzzles whose level is known:
games of Simon Tatham's collection.

    python benchmarks/graded.py FOLDER [GAME…]            # the table of docs/explain.md
    python benchmarks/graded.py --generate N FOLDER       # N of each level, by Debian's sgt-puzzles

A file of the folder is called GAME.LEVEL.txt, with a digit for the level,
and has a description such as `8x8:a1b…` a line.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import correlation
from typing import Any

import puzzlekit

SECONDS = 60.0  # for a rating; what takes longer counts with the steps so far
GENERATING = 600.0  # seconds for the puzzles of a level
PROGRAMS = (None, "/usr/games")  # where they are looked for; first on the path
LEVELS = {  # the parameters of a game, and its levels from easy to hard
    "lightup": ("8x8b20s4d{}", "012"),
    "tents": ("8x8d{}", "et"),
    "slant": ("8x8d{}", "eh"),
    "towers": ("5d{}", "ehxu"),
    "solo": ("3x3d{}", "tbiaeu"),
    "loopy": ("8x8t0d{}", "enth"),
    "unruly": ("8x8d{}", "ten"),
    "singles": ("8x8d{}", "ek"),
    "pearl": ("8x8d{}", "et"),
}

Fields = dict[str, Any]
Spec = tuple[str, Fields]


def runs(text: str) -> list[str]:
    """The cells of a description: a letter stands for as many empty ones, a number for itself."""
    found: list[str] = []
    for one in re.findall(r"[a-z]|[A-Z]|\d+", text):
        found += ["."] * (ord(one) - 96) if one.islower() else [one]
    return found


def digits(text: str) -> list[str]:
    """The same, where each digit is a cell."""
    return runs(re.sub(r"(\d)", r"\1_", text))


def rows(cells: Sequence[str], wide: int) -> list[list[str]]:
    return [list(cells[start : start + wide]) for start in range(0, len(cells), wide)]


def filled(places: dict[int, str], n: int) -> list[list[str]]:
    return rows([places.get(place, ".") for place in range(n * n)], n)


def lightup(text: str, n: int) -> Spec:
    return "akari", {"walls": rows([{"B": "x"}.get(one, one) for one in digits(text)], n)}


def tents(text: str, n: int) -> Spec:
    board, *sums = text.split(",")
    trees, place = dict[int, str](), 0
    for letter in board:  # the empty cells before a tree; a `z` is 25 of them without one
        place += 25 if letter == "z" else "_abcdefghijklmnopqrstuvwxy".index(letter)
        if letter != "z":
            trees[place] = "T"
            place += 1
    return "tents", {"trees": filled(trees, n), "columns": sums[:n], "rows": sums[n:]}


def slant(text: str, n: int) -> Spec:
    return "slant", {"clues": rows(digits(text), n + 1)}


def towers(text: str, n: int) -> Spec:
    clues, _, givens = text.partition(",")
    sides = rows([one or "." for one in clues.split("/")], n)
    return "skyscrapers", {
        **dict(zip(("top", "bottom", "left", "right"), sides)),
        **({"givens": rows(runs(givens), n)} if givens else {}),
    }


def solo(text: str, n: int) -> Spec:
    return "sudoku", {"givens": rows(runs(text), n * n)}


def loopy(text: str, n: int) -> Spec:
    return "slitherlink", {"clues": rows(digits(text), n)}


def unruly(text: str, n: int) -> Spec:
    givens, place = dict[int, str](), 0
    for letter in (
        text
    ):  # how far the next given is, and by its case which it is; a `z` is 25 cells without one
        place += ord(letter.lower()) - ord("a")
        if letter.lower() != "z":
            givens[place] = "1" if letter.isupper() else "0"
            place += 1
    return "binairo", {"givens": filled(givens, n), "lines_differ": False}


def singles(text: str, n: int) -> Spec:
    return "hitori", {"numbers": rows([str(int(one, 36)) for one in text], n)}


def pearl(text: str, n: int) -> Spec:
    return "masyu", {
        "pearls": rows([one.lower() if one in "BW" else one for one in digits(text)], n)
    }


GAMES = {
    made.__name__: made
    for made in (lightup, tents, slant, towers, solo, loopy, unruly, singles, pearl)
}


def generate(count: int, folder: Path) -> None:
    """Write new puzzles of each game and level."""
    folder.mkdir(parents=True, exist_ok=True)
    for game, (parameters, letters) in LEVELS.items():
        program = next(
            (found for path in PROGRAMS if (found := shutil.which(f"sgt-{game}", path=path))), None
        )
        if program is None:
            raise SystemExit(f"sgt-{game} is not installed: apt install sgt-puzzles")
        for level, letter in enumerate(letters):
            command = [program, "--generate", str(count), parameters.format(letter)]
            made = subprocess.run(command, capture_output=True, text=True, timeout=GENERATING)
            if made.returncode:
                raise SystemExit(f"{' '.join(command)}: {made.stderr.strip()}")
            (folder / f"{game}.{level}{letter}.txt").write_text(made.stdout)
            print(f"{game} {letter}: {len(made.stdout.split())} puzzles", flush=True)


def ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in order; equal ones share theirs."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def told_apart(low: Sequence[float], high: Sequence[float]) -> float:
    """How often a value of the second kind is greater than one of the first."""
    return sum((b > a) + (b == a) / 2 for a in low for b in high) / (len(low) * len(high))


def measured(game: str, folder: Path) -> tuple[str, list[tuple[int, puzzlekit.Rating]]]:
    """The type of a game, and the level and the rating of each of its puzzles."""
    kind, found = "", []
    for path in sorted(folder.glob(f"{game}.*.txt")):
        level = int(path.name.split(".")[1][0])
        for line in path.read_text().split():
            head, _, text = line.partition(":")
            size = re.match(r"\d+", head)
            assert size is not None, f"{path}: a size, such as 8x8, before the colon of {line}"
            kind, fields = GAMES[game](text, int(size[0]))
            found.append((level, puzzlekit.load(kind, fields).rate(timeout=SECONDS)))
    return kind, found


def main(folder: Path, only: Sequence[str]) -> None:
    print(
        "| game | type | puzzles | levels | correlation | told apart | whole |",
        "|---" * 7 + "|",
        sep="\n",
    )
    for game in GAMES:
        if only and game not in only:
            continue
        kind, found = measured(game, folder)
        levels, scores = [float(level) for level, _ in found], [rating.score for _, rating in found]
        if len(set(levels)) < 2:
            continue
        ends = [
            [score for level, score in zip(levels, scores) if level == end]
            for end in (min(levels), max(levels))
        ]
        whole = sum(rating.solved for _, rating in found)
        numbers = (
            f"{correlation(ranks(levels), ranks(scores)):.2f} | {told_apart(*ends):.2f} | {whole}"
        )
        print(f"| {game} | `{kind}` | {len(found)} | {len(set(levels))} | {numbers} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--generate"]:
        generate(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
