"""`puzzlekit rate`: how hard puzzles are."""

from __future__ import annotations

from rich.table import Table

from puzzlekit.cli.options import Json, Specs, load_puzzle, named_puzzles
from puzzlekit.clock import Clock
from puzzlekit.errors import Stopped, Unsupported
from puzzlekit.options import Loading, Timeout
from puzzlekit.processes import command


def rate(
    files: Specs,
    *,
    loading: Loading,
    timeout: Timeout = None,
    as_json: Json = False,
) -> int:
    """Rate how hard puzzles are: a score, the highest tier of a step, and how few steps were open."""
    from puzzlekit.cli.screen import console, print_json

    command.end_after(timeout)
    clock = Clock(timeout, command.began())
    found = []
    for named in named_puzzles(files):
        puzzle = load_puzzle(*named, clock, loading)
        about: dict[str, object] = {"puzzle": puzzle.type.name, "spec": puzzle.spec.source.path or None}
        try:
            found.append({**about, **puzzle.rate(clock.left()).json(), "reason": ""})
        except (Stopped, Unsupported) as reason:
            found.append(
                {**about, "score": None, "tier": None, "steps": {}, "narrowest": None, "solved": False, "reason": str(reason)}
            )
    command.end_after(None)
    if as_json:
        print_json({"puzzles": found})
    else:
        table = Table(box=None, pad_edge=False)
        for heading in ("puzzle", "score", "tier", "steps by tier", "narrowest", ""):
            table.add_column(heading, justify="right" if heading in ("score", "tier", "narrowest") else "left")
        for own in found:
            steps = own["steps"]
            assert isinstance(steps, dict)
            by_tier = ", ".join(f"{count} × {tier}" for tier, count in steps.items())
            remark = own["reason"] or ("" if own["solved"] else f"needs more than tier {own['tier']}")
            shown = (own["spec"] or own["puzzle"], own["score"], own["tier"], by_tier, own["narrowest"], remark)
            table.add_row(*("–" if value is None else str(value) for value in shown))
        console(no_color=True).print(table)
    return 0 if all(own["solved"] for own in found) else 3 if any(own["reason"] for own in found) else 1
