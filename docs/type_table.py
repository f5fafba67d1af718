"""The page of all types in a table, with the puzzles that each was held to;
docs/hooks.py adds it to the site.

docs/published.json holds what was measured. `python docs/type_table.py [RESULTS]` writes it anew.
RESULTS is what `python -m tests.corpus FOLDER --results RESULTS` wrote: its numbers are taken over;
then types without published puzzles solve their own specs, too. Without it only new types are
measured.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import yaml

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PUBLISHED = DOCS / "published.json"
GROUPS = (
    "sudoku",
    "numbers",
    "shading",
    "loops",
    "paths",
    "regions",
    "objects",
    "words",
    "logic",
    "ciphers",
)
HEAD = """# All types

The types that ship with puzzlekit, by group. `puzzlekit list` prints them, `puzzlekit show TYPE`
the rules of one. *Lines* counts the lines of `let`, `define`, unknowns and rules of the type. The
*puzzles* are published ones, of the kinds of a collection ([testing.md](testing.md) says how they
are run): how many of those that were tried have one solution, the collection's; the sizes of their
boards; and the processor time for reading one and finding that it has no second solution, median
and largest. Types that the collection does not have solve their own specs, up to the second
solution of each; some of these have no board. `python docs/type_table.py` measures.
"""
SECTIONS = ("let", "define", "variables", "auxiliary", "rules")


def lines_of(text: str) -> int:
    """Return how many lines of a type hold values, definitions, unknowns and rules."""
    section, found = "", 0
    for line in text.splitlines():
        if line[:1].strip():
            section = line.partition(":")[0]
        elif section in SECTIONS and line.strip() and not line.strip().startswith("#"):
            found += 1
    return found


def published(results: Path) -> dict[str, dict[str, Any]]:
    """Return for each kind of a file of results: agreeing, tried,
    and the seconds of each puzzle.
    """
    last = {}
    for line in results.read_text("utf-8").splitlines():
        if line.strip():
            saved = json.loads(line)
            last[saved["kind"], saved["puzzle"]] = saved
    found: dict[str, dict[str, Any]] = defaultdict(
        lambda: {"agree": 0, "tried": 0, "seconds": [], "cells": []}
    )
    for (kind, puzzle), saved in last.items():
        status, _, seconds = saved["result"]
        found[kind]["tried"] += 1
        found[kind]["agree"] += status == "agree"
        found[kind]["seconds"] += [seconds] if status != "refused" else []
        if size := re.search(r"_(\d+)x(\d+)", puzzle):
            found[kind]["cells"].append((int(size[1]) * int(size[2]), size[0][1:]))
    return found


def measured(
    name: str, kinds: dict[str, dict[str, Any]], of_type: dict[str, list[str]]
) -> list[str]:
    """Return the columns on published puzzles of a type; none if there are none."""
    own = [kinds[kind] for kind in of_type.get(name, ()) if kind in kinds]
    seconds = [one for kind in own for one in kind["seconds"]]
    if not seconds:
        return []
    sizes = sorted(size for kind in own for size in kind["cells"])
    span = (
        " to ".join(dict.fromkeys((sizes[0][1], sizes[-1][1]))).replace("x", "×") if sizes else ""
    )
    done = f"{sum(kind['agree'] for kind in own)} of {sum(kind['tried'] for kind in own)}"
    return [done, span, f"{median(seconds):.2f}, {max(seconds):.2f} s"]


def on_own_specs(name: str) -> list[str]:
    """Return the columns on the specs of a type, each solved in a process of its own."""
    seconds, cells = [], []
    for path in sorted((ROOT / "specs" / name).glob("*.yaml")):
        before = _processor_time()
        done = subprocess.run(
            [sys.executable, __file__, "--solve", str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
        high, wide, idle = map(float, done.stdout.split())
        seconds.append(_processor_time() - before - idle)
        cells += [(high * wide, f"{high:g}×{wide:g}")] if high else []
    span = " to ".join(dict.fromkeys((min(cells)[1], max(cells)[1]))) if cells else ""
    return [f"{len(seconds)}, own", span, f"{median(seconds):.2f}, {max(seconds):.2f} s"]


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def solve(path: Path) -> str:
    """Solve a spec up to its second solution; return the size of its board, 0 if it has none,
    and the seconds before.
    """
    import puzzlekit
    from puzzlekit.boards import Grid

    list(puzzlekit.load("queens", {"size": 4}).solve(limit=2))
    idle = time.process_time()
    puzzle = puzzlekit.load(None, path, timeout=300)
    list(puzzle.solve(limit=2, timeout=300))
    bound = puzzle.instance
    grid = next(
        (
            value
            for value in (*bound.data.values(), *bound.scope.values())
            if isinstance(value, Grid)
        ),
        None,
    )
    return f"{grid.height if grid else 0} {grid.width if grid else 0} {idle}"


def measure(results: Path | None) -> None:
    """Write what was measured; without results of published puzzles only what is new."""
    sys.path.insert(0, str(ROOT))
    from tests.corpus.runner import KINDS

    of_type: dict[str, list[str]] = defaultdict(list)
    for kind, (converter, _) in KINDS.items():
        of_type[converter.type].append(kind)
    kept = {} if results else json.loads(PUBLISHED.read_text("utf-8"))["types"]
    kinds = published(results) if results else {}
    names = sorted(path.stem for path in (ROOT / "puzzles").glob("*.yaml"))
    rows = [
        f"    {json.dumps(name)}: "
        + json.dumps(
            kept.get(name) or measured(name, kinds, of_type) or on_own_specs(name),
            ensure_ascii=False,
        )
        for name in names
    ]
    text = f'{{\n  "kinds": {len(KINDS)},\n  "types": {{\n' + ",\n".join(rows) + "\n  }\n}\n"
    PUBLISHED.write_text(text, encoding="utf-8")


def page() -> str:
    """Return the page."""
    known = json.loads(PUBLISHED.read_text("utf-8"))
    rows = defaultdict(list)
    lengths = []
    for path in sorted((ROOT / "puzzles").glob("*.yaml")):
        text = path.read_text("utf-8")
        fields = yaml.safe_load(text)
        lengths.append(lines_of(text))
        others = ", ".join(fields.get("aliases", ()))
        link = f"[{fields.get('title', path.stem)}](../puzzles/{path.stem}.yaml)"
        row = [link, others, str(lengths[-1]), *known["types"].get(path.stem, ["", "", ""])]
        rows[fields.get("group", "")].append(f"| {' | '.join(row)} |")
    told = (
        f"\n{len(lengths)} types, which {known['kinds']} kinds of the collection belong to. "
        f"The median type has"
        f" {int(median(lengths))} lines.\n"
    )
    parts = [HEAD + told]
    for group in (*GROUPS, *sorted(rows.keys() - {*GROUPS})):
        if rows[group]:
            head = (
                "| type | other names | lines | puzzles | sizes | seconds |\n"
                "|---|---|---:|---:|---|---:|"
            )
            parts.append(
                f"## {group.capitalize() or 'Others'}\n\n{head}\n" + "\n".join(rows[group]) + "\n"
            )
    return "\n".join(parts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--solve"]:
        print(solve(Path(sys.argv[2])))
        sys.exit()
    measure(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
