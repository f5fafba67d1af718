"""What was promised of speed, and what a run has measured of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Rows = Sequence[dict[str, Any]]
ABSOLUTE = (  # what, set, size (its beginning), question, seconds; the best backend counts
    ("Waffle 5×5, spec to last swap, median", "waffle", "70 boards 5×5", "all", 0.1),
    ("Waffle 7×7, spec to last swap, median", "waffle", "8 boards 7×7", "all", 0.2),
    ("cipher, both solutions", "cipher", "the slot machine", "all", 0.3),
    ("Unwordle, a count, median", "unwordle", "52 boards", "count", 0.1),
    ("slitherlink 10×10", "slitherlink", "10×10", "unique", 0.05),
    ("slitherlink 20×36", "slitherlink", "20×36", "unique", 1.0),
    ("slitherlink 31×45 (asked of 30×40)", "slitherlink", "31×45", "unique", 5.0),
    ("nurikabe 10×10", "nurikabe", "10×10", "unique", 0.3),
    ("nurikabe 17×17", "nurikabe", "17×17", "unique", 3.0),
    ("nonogram 30×30", "nonogram", "30×30", "unique", 1.0),
    ("hard sudoku, median of 5", "sudoku", "9×9, 5 hard", "unique", 0.02),
    ("puzzlekit --help, whole process", "commands", "puzzlekit --help", "process", 0.3),
    ("puzzlekit solve, whole process, warm lexicon", "commands", "puzzlekit solve", "process", 0.6),
    ("rules of 20×20, three conditions a cell", "commands", "20×20", "rules", 0.2),
)
SLOWER, LATER = (
    1.5,
    0.05,
)  # through YAML: so many times what takes over a second by hand, or so many seconds more


def absolute(rows: Rows) -> Iterator[tuple[str, str, str, bool]]:
    """Each target that was measured: what, the bound, what was found, whether it is met."""
    for what, name, size, question, bound in ABSOLUTE:
        some = [
            r
            for r in rows
            if r["set"] == name and r["size"].startswith(size) and r["question"] == question
        ]
        done = [r for r in some if r["status"] == "complete"]
        if done:
            best = min(done, key=lambda r: r["all"])
            yield (
                what,
                f"{bound} s",
                f"{best['all']:.3f} s, {best['backend']}",
                best["all"] <= bound,
            )
        elif some:
            yield what, f"{bound} s", "none finished", False


def by_hand(rows: Rows) -> Iterator[tuple[str, str, str, bool]]:
    """The targets against hand-written encodings."""
    done = [
        r
        for r in rows
        if r["set"].startswith("by hand") and r["status"] == "complete" and "hand" in r
    ]
    plain = [r for r in done if not r["encoding"].startswith(("C ", "python"))]
    if plain:
        bad = [r for r in plain if not met(r)]
        said = f"{len(plain) - len(bad)} of {len(plain)} are" if bad else f"all {len(plain)} are"
        yield (
            "through YAML, against the same library by hand",
            "1.5×, or 0.05 s more",
            said,
            not bad,
        )
    packages = (
        ("C package", "twelve queens: exact-cover, against the C package exact-cover", 3.0),
        ("xcover", "twelve queens: xcover, against raw xcover", 1.2),
    )
    for encoding, what, times in packages:
        for r in done:
            if r["set"] == "by hand: queens" and r["size"] == "12" and r["encoding"] == encoding:
                yield (
                    what,
                    f"{times}×",
                    f"{r['all'] / r['hand']:.1f}×: {r['all']:.3f} s, {r['hand']:.3f} s",
                    r["all"] <= times * r["hand"],
                )


def met(row: dict[str, Any]) -> bool:
    """Whether a row keeps to what was promised against a hand-written encoding."""
    return bool(
        row["all"] <= row["hand"] + LATER
        or (row["hand"] > 1 and row["all"] <= SLOWER * row["hand"])
    )
