"""The chart of `compare`, drawn by matplotlib: one puzzle, a scatter of two backends, or a cactus
plot.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from importlib.util import find_spec
from io import StringIO
from itertools import cycle
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from typing import Any

from puzzlekit.api import ALL, FIRST, Result, Results
from puzzlekit.errors import MissingExtra, installing, printable
from puzzlekit.sentences import counted

COLOURS = ("#2f80ed", "#e4572e", "#2a9d5c", "#9b51e0", "#b8860b", "#d63384", "#0aa2c0", "#7a7a7a")
MARKERS = "osD^vP*X"
LEAST = 1e-3  # seconds: what is faster is drawn here
BEYOND = 2.0  # times the most seconds: where a puzzle that was not solved is drawn, without a limit
TITLE = 56  # characters
SETTINGS = {
    "svg.fonttype": "none",  # texts stay texts
    "svg.hashsalt": "puzzlekit",  # the same chart is the same file
    "text.parse_math": False,  # a title may hold dollars
    "font.size": 9.0,
}


def require_matplotlib() -> None:
    """Raise MissingExtra if the library is not installed."""
    if find_spec("matplotlib") is None:
        raise MissingExtra(f"--svg requires an extra: {installing('plot')}")


@contextmanager
def _matplotlib() -> Iterator[Any]:
    """Load the library, and remove the temporary folder that it may make.

    It makes one if the folder of the user cannot be written. While it is loaded it is configured by
    a `matplotlibrc` in the current folder, whoever wrote that: so it is loaded in another folder.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would advise to set this variable
    is_configured = "MPLCONFIGDIR" in os.environ
    with chdir(Path(__file__).parent):
        import matplotlib.figure
    try:
        yield matplotlib
    finally:
        folder = Path(matplotlib.get_cachedir())
        is_temporary = folder.parent == Path(gettempdir()) and folder.name.startswith("matplotlib-")
        if is_temporary and not is_configured:
            rmtree(folder, ignore_errors=True)


def chart(titles: Sequence[str], done: Sequence[Results], timeout: float | None = None) -> str:
    """Return the text of an SVG file of the seconds of each backend, on logarithmic axes.

    One puzzle: a row for each backend, from the first solution to the end. Several: a point for
    each puzzle if there are two backends, else a line for each backend, which shows how many
    puzzles it solves within so many seconds each.
    """
    names = [*dict.fromkeys(name for results in done for name in results)]
    svg = StringIO()
    with _matplotlib() as library:
        defaults = library.rcParamsDefault.items()
        settings = {name: value for name, value in defaults if not name.startswith("backend")}
        with library.rc_context({**settings, **SETTINGS}):
            figure = _figure(library, titles, done, names, timeout)
            figure.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()


def _figure(
    library: Any,
    titles: Sequence[str],
    done: Sequence[Results],
    names: Sequence[str],
    timeout: float | None,
) -> Any:
    height = 1.1 + 0.28 * len(names) if len(done) == 1 else 4.4
    figure = library.figure.Figure(figsize=(5.6, height), layout="constrained")
    axes = figure.add_subplot()
    if len(done) == 1:
        _draw_rows(axes, titles[0], done[0])
    elif len(names) == 2:
        _draw_points(axes, names, done, timeout)
    else:
        _draw_lines(axes, names, done)
    axes.grid(alpha=0.4)
    return figure


def _draw_rows(axes: Any, title: str, results: Results) -> None:
    """Draw a row for each backend: a hollow mark at the first solution, a full one at the end."""
    short_title = title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"
    axes.set_title(printable(short_title), loc="left")
    axes.set_yticks(range(len(results)), [*results])
    axes.set_ylim(len(results) - 0.5, -0.5)
    times: list[float] = []
    for result in results.values():
        times += result.spread
        if FIRST in result.seconds:
            times.append(result.seconds[FIRST])
    _set_seconds(axes, "x", "seconds to the end; hollow: to the first solution", times)
    for row, (result, colour) in enumerate(zip(results.values(), cycle(COLOURS))):
        if result.times:
            _draw_row(axes, row, result, colour)
        else:
            left_edge = axes.get_yaxis_transform()
            axes.text(0.02, row, result.status, va="center", transform=left_edge, alpha=0.7)


def _draw_row(axes: Any, row: int, result: Result, colour: str) -> None:
    """Draw the seconds of a backend: a line over all runs, and the marks."""
    seconds = result.seconds
    first = _drawn(seconds[FIRST]) if FIRST in seconds else None
    last = _drawn(seconds[ALL])
    ends = map(_drawn, result.spread)
    axes.plot([first or last, last, *ends], [row] * 4, color=colour, alpha=0.5)
    if first is not None:
        axes.plot(first, row, "o", color=colour, fillstyle="none", clip_on=False)
    if result.status == "complete":
        axes.plot(last, row, "o", color=colour, clip_on=False)
    else:
        label = f"  {result.status}"
        axes.annotate(label, (last, row), va="center", alpha=0.7, annotation_clip=False)


def _draw_points(
    axes: Any, names: Sequence[str], done: Sequence[Results], timeout: float | None
) -> None:
    """Draw a point for each puzzle: the seconds of two backends.

    It is at the limit of a backend that did not solve the puzzle.
    """
    pairs = [[_solved(results, name) for name in names] for results in done]
    times = [time for pair in pairs for time in pair if time is not None]
    edge = timeout or BEYOND * max(times, default=1.0)
    all_solved = all(None not in pair for pair in pairs)
    if not all_solved:
        times.append(edge)
    axes.set_title(counted(len(done), "puzzle"), loc="left")
    for side, name in zip("xy", names):
        _set_seconds(axes, side, f"seconds of {name}", times)
    solved = [pair for pair in pairs if None not in pair]
    unsolved = [pair for pair in pairs if None in pair]
    for fill, displayed in (("full", solved), ("none", unsolved)):
        points = [[edge if time is None else _drawn(time) for time in pair] for pair in displayed]
        if points:
            style = {"color": COLOURS[0], "fillstyle": fill, "alpha": 0.7, "clip_on": False}
            axes.plot(*zip(*points), "o", **style)
    axes.axline((1, 1), (2, 2), color="0.6", linewidth=1)
    if not all_solved:
        axes.axvline(edge, color="0.6", linestyle=":")
        axes.axhline(edge, color="0.6", linestyle=":")
        axes.set_title("on a dotted line: not solved", loc="right", fontsize=8)
    axes.set_aspect("equal")


def _solved(results: Results, name: str) -> float | None:
    """Return the seconds in which a backend solved a puzzle; None if it did not."""
    return results[name].solved if name in results else None


def _draw_lines(axes: Any, names: Sequence[str], done: Sequence[Results]) -> None:
    """Draw a line for each backend: how many puzzles it solves within so many seconds each."""
    solved: dict[str, list[float]] = {}
    for name in names:
        times = [_solved(results, name) for results in done]
        solved[name] = [time for time in times if time is not None]
    all_times = [time for times in solved.values() for time in times if time]
    axes.set_title(counted(len(done), "puzzle"), loc="left")
    axes.set_xlabel("puzzles solved")
    _set_seconds(axes, "y", "seconds for each puzzle, sorted", all_times)
    for name, colour, marker in zip(names, cycle(COLOURS), cycle(MARKERS)):
        heights = sorted(map(_drawn, solved[name]))
        counts = range(1, len(heights) + 1)
        label = f"{name} ({len(heights)})"
        axes.plot(counts, heights, color=colour, marker=marker, markersize=4, label=label)
    axes.set_xlim(0, len(done) + 0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(fontsize=8)


def _drawn(seconds: float) -> float:
    return max(seconds, LEAST)


def _set_seconds(axes: Any, side: str, label: str, times: Iterable[float]) -> None:
    """Make the axis `x` or `y` one of seconds, between integral powers of ten around the times."""
    powers = [math.log10(max(time, LEAST)) for time in times] or [0.0]
    low = math.floor(min(powers))
    high = max(low + 1, math.ceil(max(powers)))
    limits = (10**low, 10**high)
    axes.set(**{f"{side}scale": "log", f"{side}label": label, f"{side}lim": limits})
    axis = getattr(axes, f"{side}axis")
    axis.set_major_formatter(lambda seconds, _: f"{seconds:g}")
    axis.set_minor_formatter(lambda *_: "")
