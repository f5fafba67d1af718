"""What `benchmarks/run.py --docs` writes: the tables go below a marker, the summary between two,
all else stays.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BACKENDS = ("sat", "z3", "csp")


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the benchmarks that writes pages."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return import_module("report")


def row(size: str, backend: str, seconds: float | None) -> dict[str, Any]:
    """A measurement; one without seconds was stopped."""
    status = "complete" if seconds is not None else "stopped"
    found = {
        "set": "loops",
        "size": size,
        "question": "unique",
        "backend": backend,
        "encoding": "",
        "status": status,
    }
    return {**found, "all": seconds, "limit": 4.0}


def test_the_summary_takes_the_largest_size_that_was_finished(report: ModuleType) -> None:
    rows = [
        row("small", "csp", 0.1),
        row("large", "z3", 0.3),
        row("large", "sat", 0.2),
        row("large", "csp", None),
    ]
    *_, last = report.summary([*rows, row("huge", "z3", None)], BACKENDS)
    assert last == "| loops | large | unique | sat | 0.200 | z3 | csp |"


def test_the_summary_names_those_near_the_fastest(report: ModuleType) -> None:
    rows = [row("large", "z3", 0.41), row("large", "sat", 0.2), row("large", "csp", 0.4)]
    *_, last = report.summary(rows, BACKENDS)
    assert last == "| loops | large | unique | sat | 0.200 | csp |  |"


def test_the_summary_does_not_list_all_others(report: ModuleType) -> None:
    alone = [
        row("small", "csp", 0.1),
        row("large", "sat", 0.2),
        row("large", "z3", None),
        row("large", "csp", None),
    ]
    *_, last = report.summary(alone, BACKENDS)
    assert last == "| loops | large | unique | sat | 0.200 |  | all others |"


def test_pages_are_written_between_their_markers(report: ModuleType, tmp_path: Path) -> None:
    for name in ("measurements.md", "performance.md"):
        (tmp_path / name).write_text(
            (ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8"
        )
    for time in ("once", "again"):
        report.into_docs(f"tables of {time}\n", f"what to choose of {time}\n", tmp_path)
    tables, page = (
        (tmp_path / name).read_text(encoding="utf-8")
        for name in ("measurements.md", "performance.md")
    )
    assert tables.endswith(f"{report.MARKER}\ntables of again\n")
    assert f"{report.SUMMARY[0]}\nwhat to choose of again\n\n{report.SUMMARY[1]}" in page
    assert (tables + page).count("of once") == 0
    kept = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page.split(report.SUMMARY[0])[0] == kept.split(report.SUMMARY[0])[0]
    assert page.split(report.SUMMARY[1])[1] == kept.split(report.SUMMARY[1])[1]
