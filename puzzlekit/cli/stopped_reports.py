"""The `--json` reports of a command that is stopped before it has results.

If the supervisor ends the command, it fills in the reason and the time, and prints the report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit.cli.process.shared_page import REASON, TOTAL

UNKNOWN = {"puzzle": None, "spec": None}
REASONS, TOTALS = REASON.strip('"'), TOTAL.strip('"')
NO_SECONDS = {"read": 0.0, "presolve": 0.0, "build": 0.0, "search": 0.0, "total": TOTALS}


def of_solve(backend: str, reason: str = REASONS, seconds: Mapping[str, object] = NO_SECONDS) -> dict[str, object]:
    """The report of `solve`."""
    stopped: dict[str, object] = {"backend": backend, "facts": {}, "status": "stopped", "reason": reason}
    found: dict[str, object] = {"count": 0, "counted": False, "goal": None, "solutions": []}
    return {**UNKNOWN, **stopped, **found, "seconds": dict(seconds)}


def of_backbone(backend: str, reason: str = REASONS, seconds: object = TOTALS) -> dict[str, object]:
    """The report of `solve --backbone`."""
    stopped: dict[str, object] = {"backend": backend, "status": "stopped", "reason": reason, "seconds": seconds}
    unknowns: dict[str, object] = {"fixed": {}, "open": {}, "unsettled": {}}
    return {**UNKNOWN, **stopped, "goal": None, "any": False, **unknowns, "basis": "first", "solutions": 0, "tells": []}


def of_compare(done: Sequence[dict[str, object]] = (), name: str | None = None) -> dict[str, object]:
    """The report of `compare`: the finished backends, and the one that is running."""
    if name is None:
        return {"agreement": True, "backends": list(done)}
    stopped: dict[str, object] = {"name": name, "status": "stopped", "reason": REASONS}
    return {"agreement": True, "backends": [*done, {**stopped, "count": None, "seconds": {}, "unsupported": None}]}
