"""The chart of `puzzlekit compare`: rows for one puzzle, points or lines for several."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.api.comparison import ALL, FIRST, Comparison, Result
from puzzlekit.render.chart import Bar, bars, cactus, scatter


def chart(done: Sequence[Comparison]) -> str:
    """Return the text of an SVG file.

    One puzzle: a row for each backend. Several: a point for each puzzle if there are two backends,
    else a line for each backend.
    """
    names = [*dict.fromkeys(name for one in done for name in one.results)]
    if len(done) == 1:
        return bars(_shortened(done[0].puzzle.title), [_bar(result) for result in done[0].results.values()])
    if len(names) == 2:
        one, other = names
        points = {f"{number}. {each.puzzle.title}": (_all(each, one), _all(each, other)) for number, each in enumerate(done, 1)}
        return scatter(f"{len(done)} puzzles: {other} against {one}", one, other, points)
    series = {name: [time for each in done if (time := _all(each, name)) is not None] for name in names}
    return cactus(f"{len(done)} puzzles: seconds of each backend", series)


def _bar(result: Result) -> Bar:
    seconds = result.seconds
    if not seconds:
        return Bar(result.name, note=result.status)
    spread = result.spread if len(result.times) > 1 else None
    note = "" if result.status == "complete" else result.status
    return Bar(result.name, seconds.get(FIRST), seconds[ALL], spread, note)


def _all(one: Comparison, name: str) -> float | None:
    result = one.results.get(name)
    return result.seconds[ALL] if result is not None and result.status == "complete" else None


def _shortened(title: str) -> str:
    return title if len(title) <= 48 else f"{title[:47]}…"
