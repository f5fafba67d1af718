"""The named sets: which specs, which question, of which size, the small ones first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from public import Case as Public, ciphers, letter_covers, unwordles, waffles

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Case:
    """A question to one spec, or to several of one size."""

    set: str
    size: str
    specs: list[str]
    ask: str  # unique (a second solution is looked for), all, count, best
    goal: str | None = None
    kind: str = "solve"
    arguments: list[str] = field(default_factory=list)
    warm: str | None = None  # what is solved before

    @property
    def question(self) -> str:
        """What is asked, for the table."""
        return self.goal or self.ask


def spec(kind: str, name: str) -> str:
    """A spec of the project."""
    return str(ROOT / "specs" / kind / f"{name}.yaml")


def sized(kind: str, ask: str, warm: str, **sizes: str) -> list[Case]:
    """A case a spec, name=size; the spec `warm` is solved before each of them."""
    return [
        Case(kind, size, [spec(kind, name.strip("_"))], ask, warm=spec(kind, warm))
        for name, size in sizes.items()
    ]


class Files:
    """Public puzzles as spec files in a folder; none where the data is not."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.data = data
        self.folder = folder

    def written(self, cases: list[Public]) -> list[str]:
        """The cases' specs as files."""
        self.folder.mkdir(exist_ok=True)
        paths = []
        for case in cases:
            path = self.folder / f"{len(list(self.folder.iterdir()))}.yaml"
            path.write_text(case.spec, encoding="utf-8")
            paths.append(str(path))
        return paths

    def small(self, kind: str) -> str:
        """A spec that is solved at once; twelve pentominoes have no board that is small,
        so theirs has no solution.
        """
        if kind != "pentominoes":
            return spec(kind, SMALL[kind])
        return self.written([Public("small", "puzzle: pentominoes\nfield: |\n  #####\n", {})])[0]


def waffle(files: Files) -> list[Case]:
    """Daily boards, all solutions and the fewest swaps of each."""
    found = sized("waffle", "all", "first", daily="5×5", deluxe="7×7")
    if files.data.exists():
        boards = list(waffles(files.data))
        for n in (5, 7):
            some = files.written([case for case in boards if len(case.known["letters"]) == n])
            found.append(Case("waffle", f"{len(some)} boards {n}×{n}", some, "all"))
    return found


def unwordle(files: Files) -> list[Case]:
    """Counts of boards."""
    found = sized(
        "unwordle",
        "count",
        "first",
        repeated="3 rows, one letter thrice",
        millions="3 rows, 35,881,230 solutions",
    )
    if files.data.exists():
        some = files.written(list(unwordles(files.data)))
        found.append(Case("unwordle", f"{len(some)} boards", some, "count"))
    return found


def sanalouhos(files: Files) -> list[Case]:
    """Covers by words: how many, and with the fewest words."""
    found = sized("sanalouhos", "count", "tiny", five="5×5", first="6×5")
    if files.data.exists():
        for case in letter_covers(files.data):
            size, number = f"{case.known['rows']}×{case.known['columns']}", case.known["solutions"]
            if number in (439, 20_097, 179, 65_670, 3_222_241):
                path = files.written([case])
                found.append(
                    Case(
                        "sanalouhos",
                        f"{size}, {number:,} covers",
                        path,
                        "count",
                        warm=found[0].specs[0],
                    )
                )
        found += [
            Case("sanalouhos", case.size, case.specs, "best", "least_words", warm=case.warm)
            for case in found
            if "covers" in case.size
        ]
    return found


def cipher(files: Files) -> list[Case]:
    """All solutions."""
    found = sized("cipher", "all", "small", finnish="10 words, Finnish")
    if files.data.exists():
        slot_machine = files.written([next(iter(ciphers(files.data)))])
        found.append(
            Case("cipher", "the slot machine, 10 words", slot_machine, "all", warm=found[0].warm)
        )
    return found


def sudoku(_: Files) -> list[Case]:
    """One solution, proven; the hard ones together."""
    found = sized("sudoku", "unique", "six", first="9×9", seventeen="9×9, 17 givens")
    names = ("ai_escargot", "golden_nugget", "inkala_2010", "inkala_2012", "easter_monster")
    hard = [spec("sudoku", name) for name in names]
    found.append(Case("sudoku", f"9×9, {len(hard)} hard ones", hard, "unique"))
    return found + sized("sudoku", "unique", "six", sixteen="16×16")


def commands(_: Files) -> list[Case]:
    """Whole processes, and the rules' run alone."""
    solve = ["solve", "waffle", "specs/waffle/first.yaml"]
    return [
        Case("commands", "puzzlekit --help", [], "process", kind="command", arguments=["--help"]),
        Case(
            "commands",
            "puzzlekit solve, a 5×5 Waffle",
            [],
            "process",
            kind="command",
            arguments=solve,
        ),
        Case("commands", "20×20, three conditions a cell", [], "rules", kind="rules"),
    ]


def _specs(kind: str, ask: str, warm: str, **sizes: str) -> Callable[[Files], list[Case]]:
    return lambda _: sized(kind, ask, warm, **sizes)


SETS: dict[str, Callable[[Files], list[Case]]] = {
    "waffle": waffle,
    "unwordle": unwordle,
    "sanalouhos": sanalouhos,
    "cipher": cipher,
    "sudoku": sudoku,
    "slitherlink": _specs(
        "slitherlink", "unique", "tiny", small="10×10", large="20×20", wide="20×36", giant="31×45"
    ),
    "masyu": _specs("masyu", "unique", "tiny", small="10×10", large="14×24", giant="20×36"),
    "nurikabe": _specs(
        "nurikabe", "unique", "tiny", small="10×10", medium="17×17", large="20×20", giant="20×36"
    ),
    "hitori": _specs(
        "hitori", "unique", "tiny", small="8×8", medium="12×12", seventeen="17×17", giant="25×25"
    ),
    "nonogram": _specs(
        "nonogram", "unique", "tiny", large="20×20", twentyfive="25×25", giant="30×30"
    ),
    "star_battle": _specs(
        "star_battle",
        "unique",
        "tiny",
        medium="10×10, 2 stars",
        twelve="12×12, 2",
        large="14×14, 3",
    ),
    "pentominoes": lambda files: [
        replace(case, warm=files.small("pentominoes"))
        for case in sized(
            "pentominoes",
            "all",
            "3x20",
            _3x20="3×20, 8 solutions",
            _8x8="8×8, 520",
            _6x10="6×10, 9,356",
        )
    ],
    "queens": _specs("queens", "all", "n5", n8="8, 92 solutions", n10="10, 724", n12="12, 14,200"),
    "cryptarithm": _specs(
        "cryptarithm",
        "unique",
        "two",
        send="3 words",
        donald="3 words, 10 letters",
        moon="42 words",
    ),
    "zebra": _specs("zebra", "unique", "tiny", zebra="5×5", six_houses="6×5", six_kinds="6×6"),
    "killer": _specs(
        "killer", "unique", "tiny", wikipedia="9×9", first="9×9, harder", hardest="9×9, hardest"
    ),
    "kakuro": _specs("kakuro", "unique", "tiny", small="7×7", medium="9×11", wide="11×15"),
    "commands": commands,
}

BY_HAND = {  # the specs that are measured against hand-written encodings, the small ones first
    "sudoku": (("first", "9×9"), ("ai_escargot", "9×9, hard"), ("easter_monster", "9×9, harder")),
    "pentominoes": (("3x20", "3×20"), ("6x10", "6×10")),
    "queens": (("n8", "8"), ("n12", "12")),
    "slitherlink": (("small", "10×10"), ("large", "20×20"), ("wide", "20×36"), ("giant", "31×45")),
    "waffle": (("daily", "5×5"), ("deluxe", "7×7")),
}
SMALL = {"sudoku": "six", "queens": "n4", "slitherlink": "tiny", "waffle": "first"}
ASKS = {"sudoku": "unique", "slitherlink": "unique"}  # the others: all
