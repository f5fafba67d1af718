"""What a run says: tables in Markdown, the targets, the chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from chart import drawn
from targets import absolute, by_hand, met

ROOT = Path(__file__).resolve().parents[1]
MARKER = "<!-- what follows is written by benchmarks/run.py --docs -->\n"
SUMMARY = (
    "<!-- the summary is written by benchmarks/run.py --docs -->\n",
    "<!-- end of the summary -->\n",
)
COLUMNS = (
    "set",
    "size",
    "question",
    "backend",
    "read",
    "presolve",
    "build",
    "first",
    "all",
    "MB",
    "",
)
HAND = ("set", "size", "encoding", "backend", "by hand", "puzzlekit", "more", "times", "")
STAGES = ("read", "presolve", "build", "first", "all")
FASTEST = ("set", "size", "question", "fastest", "seconds", "at most twice as long", "not finished")
TEXTS = {"set", "size", "question", "backend", "encoding", "target", "", *FASTEST} - {
    "seconds"
}  # columns without numbers
Row = dict[str, Any]


def line(values: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(values)} |"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A whole table, its last column left, its numbers right."""
    yield line(head)
    yield line(["---" if name in TEXTS else "---:" for name in head])
    yield from map(line, rows)


def cells(row: Row) -> list[str]:
    """A row of the first table."""
    times = [f"{row[stage]:.3f}" if row.get(stage) is not None else "" for stage in STAGES]
    said = ""
    if row["status"] != "complete":
        said = row["status"]
        times[-1] = f"> {row['limit']:g}" if said == "stopped" else ""
    elif "least" in row:
        said = f"{row['least']:.3f} to {row['most']:.3f}"
    head = [row[name] for name in ("set", "size", "question", "backend")]
    return [*head, *times, str(row.get("memory", "")), said.replace("|", "/")[:60]]


def hand_cells(row: Row) -> list[str]:
    """A row of the second table."""
    head = [row["set"].removeprefix("by hand: "), row["size"], row["encoding"], row["backend"]]
    if row["status"] != "complete":
        return [
            *head,
            f"{row['hand']:.3f}" if "hand" in row else "",
            "",
            "",
            "",
            row["status"][:60],
        ]
    ratio = f"{row['all'] / row['hand']:.1f}" if row["hand"] >= 0.001 else ""
    plain = not row["encoding"].startswith(("python", "C "))
    said = "" if not plain else "within" if met(row) else "**beyond**"
    return [
        *head,
        f"{row['hand']:.3f}",
        f"{row['all']:.3f}",
        f"{row['all'] - row['hand']:+.3f}",
        ratio,
        said,
    ]


def overview(rows: Sequence[Row], backends: Sequence[str]) -> Iterator[str]:
    """All seconds of each case, a column a backend: how far each backend comes."""
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in rows:
        if row["backend"] in backends and not row["encoding"]:
            done = row["status"] == "complete"
            said = (
                f"{row['all']:.3f}"
                if done
                else f"> {row['limit']:g}"
                if row["status"] == "stopped"
                else row["status"][:8]
            )
            found.setdefault((row["set"], row["size"], row["question"]), {})[row["backend"]] = said
    lines = []
    for key, said in found.items():
        finished = [float(text) for text in said.values() if text[0].isdigit()]
        best = f"{min(finished):.3f}" if finished else ""
        lines.append(
            [
                *key,
                *(f"**{said[b]}**" if said.get(b) == best else said.get(b, "") for b in backends),
            ]
        )
    return table(("set", "size", "question", *backends), lines)


def summary(rows: Sequence[Row], backends: Sequence[str]) -> Iterator[str]:
    """What to choose: for each set and question, at the largest size that a backend finished,
    the fastest and those near it.
    """
    cases: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for row in rows:
        if row["backend"] in backends and not row["encoding"]:
            cases.setdefault((row["set"], row["question"]), {}).setdefault(row["size"], []).append(
                row
            )
    lines = []
    for (name, question), sizes in cases.items():
        finished = {
            size: [row for row in of if row["status"] == "complete"] for size, of in sizes.items()
        }
        size = next((size for size in reversed(finished) if finished[size]), None)
        if size is not None:
            ordered = sorted(finished[size], key=lambda row: float(row["all"]))
            best = ordered[0]
            near = [row["backend"] for row in ordered[1:] if row["all"] <= 2 * best["all"]]
            missing = [
                backend
                for backend in backends
                if backend not in {row["backend"] for row in ordered}
            ]
            lists = [
                "all others" if len(some) == len(backends) - 1 else ", ".join(some)
                for some in (near, missing)
            ]
            lines.append([name, size, question, best["backend"], f"{best['all']:.3f}", *lists])
    return table(FASTEST, lines)


def told_targets(rows: Sequence[Row]) -> Iterator[str]:
    """The targets, met or not."""
    found = [*absolute(rows), *by_hand(rows)]
    return table(
        ("target", "bound", "found", ""),
        [[what, bound, value, "met" if ok else "**not met**"] for what, bound, value, ok in found],
    )


def svg(rows: Sequence[Row], backends: Sequence[str]) -> str:
    """The chart of what finished."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        if row["backend"] in backends and not row["encoding"]:
            size = row["size"] + (
                f", {row['question']}" if row["question"] not in ("unique", "all", "count") else ""
            )
            seconds = found.setdefault((row["set"], size), {})
            if row["status"] == "complete":
                seconds[row["backend"]] = row["all"]
    return drawn(
        [(*key, seconds) for key, seconds in found.items()],
        backends,
        "Seconds from reading the spec to the last solution",
    )


def written(rows: Sequence[Row], backends: Sequence[str], where: str) -> str:
    """The report in Markdown."""
    plain = [row for row in rows if not row["encoding"]]
    hands = [row for row in rows if row["encoding"]]
    parts = [where, ""]
    parts += ["## Targets", "", *told_targets(rows), ""]
    parts += ["## Backends side by side", "", *overview(plain, backends), ""]
    if hands:
        parts += [
            "## Against hand-written encodings",
            "",
            *table(HAND, [hand_cells(row) for row in hands]),
            "",
        ]
    parts += ["## All numbers", "", *table(COLUMNS, [cells(row) for row in plain])]
    return "\n".join(parts) + "\n"


def into_docs(report: str, chosen: str, docs: Path = ROOT / "docs") -> None:
    """Put the report into measurements.md, after its marker, and the summary into performance.md,
    between its own.
    """
    page = docs / "measurements.md"
    page.write_text(
        page.read_text(encoding="utf-8").split(MARKER)[0] + MARKER + "\n" + report, encoding="utf-8"
    )
    page = docs / "performance.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(SUMMARY[0])
    page.write_text(
        f"{before}{SUMMARY[0]}\n{chosen}\n{SUMMARY[1]}{rest.partition(SUMMARY[1])[2]}",
        encoding="utf-8",
    )
