"""The reports of `--json` for a command that is ended from outside: as far as they are known before."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.cli.shared import REASON, TOTAL

UNKNOWN = {"puzzle": None, "spec": None}
REASONS, TOTALS = REASON.strip('"'), TOTAL.strip('"')


def of_solve(backend: str) -> dict[str, object]:
    """The report of `solve`."""
    stopped: dict[str, object] = {"backend": backend, "facts": {}, "status": "stopped", "reason": REASONS}
    found: dict[str, object] = {"count": 0, "counted": False, "goal": None, "answers": []}
    return {**UNKNOWN, **stopped, **found, "seconds": {"read": 0.0, "simplify": 0.0, "search": 0.0, "total": TOTALS}}


def of_backbone(backend: str) -> dict[str, object]:
    """The report of `solve --backbone`."""
    stopped: dict[str, object] = {"backend": backend, "status": "stopped", "reason": REASONS, "seconds": TOTALS}
    unknowns: dict[str, object] = {"fixed": {}, "open": {}, "unsettled": {}}
    return {**UNKNOWN, **stopped, "goal": None, "any": False, **unknowns, "basis": "first", "answers": 0, "tells": []}


def of_compare(done: Sequence[dict[str, object]] = (), name: str | None = None) -> dict[str, object]:
    """The report of `compare`: of the engines that are done, and of the one at work."""
    if name is None:
        return {"agreement": True, "backends": list(done)}
    stopped: dict[str, object] = {"name": name, "status": "stopped", "reason": REASONS}
    return {"agreement": True, "backends": [*done, {**stopped, "count": None, "seconds": {}, "refused": None}]}
