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

from puzzlekit.api.comparison import ALL, FIRST, Results
from puzzlekit.errors import MissingExtra, installing, printable

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
    """Load the library, and remove the temporary folder that it makes if that of the user cannot be
    written.

    While it is loaded it is configured by a `matplotlibrc` in the current folder, whoever wrote
    that: so it is loaded in another one.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it would advise to set this variable
    chosen = "MPLCONFIGDIR" in os.environ
    with chdir(Path(__file__).parent):
        import matplotlib.figure
    try:
        yield matplotlib
    finally:
        made = Path(matplotlib.get_cachedir())
        if not chosen and made.parent == Path(gettempdir()) and made.name.startswith("matplotlib-"):
            rmtree(made, ignore_errors=True)


def chart(titles: Sequence[str], done: Sequence[Results], timeout: float | None = None) -> str:
    """Return the text of an SVG file of the seconds of each backend, on logarithmic axes.

    One puzzle: a row for each backend, from the first solution to the end. Several: a point for
    each puzzle if there are two backends, else a line for each backend, which shows how many
    puzzles it solves within so many seconds each.
    """
    names = [*dict.fromkeys(name for results in done for name in results)]
    written = StringIO()
    with _matplotlib() as library:
        own = {
            name: value
            for name, value in library.rcParamsDefault.items()
            if not name.startswith("backend")
        }
        with library.rc_context({**own, **SETTINGS}):
            _drawn_figure(library, titles, done, names, timeout).savefig(
                written, format="svg", metadata={"Date": None}
            )
    return written.getvalue()


def _drawn_figure(
    library: Any,
    titles: Sequence[str],
    done: Sequence[Results],
    names: Sequence[str],
    timeout: float | None,
) -> Any:
    figure = library.figure.Figure(
        figsize=(5.6, 1.1 + 0.28 * len(names) if len(done) == 1 else 4.4), layout="constrained"
    )
    axes = figure.add_subplot()
    if len(done) == 1:
        _rows(axes, titles[0], done[0])
    elif len(names) == 2:
        _scatter(axes, names, done, timeout)
    else:
        _cactus(axes, names, done)
    axes.grid(alpha=0.4)
    return figure


def _rows(axes: Any, title: str, results: Results) -> None:
    """Draw a row for each backend: a hollow mark at the first solution, a full one at the end."""
    axes.set_title(
        printable(title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"), loc="left"
    )
    axes.set_yticks(range(len(results)), [*results])
    axes.set_ylim(len(results) - 0.5, -0.5)
    stages = [
        time
        for result in results.values()
        for time in (result.seconds.get(FIRST), *result.spread)
        if time is not None
    ]
    _seconds(axes, "x", "seconds to the end; hollow: to the first solution", stages)
    for place, (result, colour) in enumerate(zip(results.values(), cycle(COLOURS))):
        if not result.times:
            axes.text(
                0.02,
                place,
                result.status,
                va="center",
                transform=axes.get_yaxis_transform(),
                alpha=0.7,
            )
            continue
        first, last, *ends = map(
            _drawn, (result.seconds.get(FIRST), result.seconds[ALL], *result.spread)
        )
        axes.plot([first or last, last, *ends], [place] * 4, color=colour, alpha=0.5)
        if first is not None:
            axes.plot(first, place, "o", color=colour, fillstyle="none", clip_on=False)
        if result.status == "complete":
            axes.plot(last, place, "o", color=colour, clip_on=False)
        else:
            axes.annotate(
                f"  {result.status}", (last, place), va="center", alpha=0.7, annotation_clip=False
            )


def _scatter(
    axes: Any, names: Sequence[str], done: Sequence[Results], timeout: float | None
) -> None:
    """Draw a point for each puzzle: the seconds of two backends, at the limit if one did not solve
    it.
    """
    pairs = [
        [results[name].solved if name in results else None for name in names] for results in done
    ]
    known = [time for pair in pairs for time in pair if time is not None]
    edge = timeout or BEYOND * max(known, default=1.0)
    whole = all(None not in pair for pair in pairs)
    axes.set_title(f"{len(done)} puzzles", loc="left")
    for side, name in zip("xy", names):
        _seconds(axes, side, f"seconds of {name}", known if whole else [*known, edge])
    for fill in ("full", "none"):
        shown = [pair for pair in pairs if (None in pair) == (fill == "none")]
        points = [[edge if time is None else _drawn(time) for time in pair] for pair in shown]
        if points:
            axes.plot(
                *zip(*points), "o", color=COLOURS[0], fillstyle=fill, alpha=0.7, clip_on=False
            )
    axes.axline((1, 1), (2, 2), color="0.6", linewidth=1)
    if not whole:
        axes.axvline(edge, color="0.6", linestyle=":")
        axes.axhline(edge, color="0.6", linestyle=":")
        axes.set_title("on a dotted line: not solved", loc="right", fontsize=8)
    axes.set_aspect("equal")


def _cactus(axes: Any, names: Sequence[str], done: Sequence[Results]) -> None:
    """Draw a line for each backend: how many puzzles it solves within so many seconds each."""
    solved = {name: [results[name].solved for results in done if name in results] for name in names}
    axes.set_title(f"{len(done)} puzzles", loc="left")
    axes.set_xlabel("puzzles solved")
    _seconds(
        axes,
        "y",
        "seconds for each puzzle, sorted",
        [time for times in solved.values() for time in times if time],
    )
    for name, colour, marker in zip(names, cycle(COLOURS), cycle(MARKERS)):
        times = sorted(drawn for drawn in map(_drawn, solved[name]) if drawn is not None)
        axes.plot(
            range(1, len(times) + 1),
            times,
            color=colour,
            marker=marker,
            markersize=4,
            label=f"{name} ({len(times)})",
        )
    axes.set_xlim(0, len(done) + 0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(fontsize=8)


def _drawn(seconds: float | None) -> float | None:
    return None if seconds is None else max(seconds, LEAST)


def _seconds(axes: Any, side: str, label: str, times: Iterable[float]) -> None:
    """Make the axis `x` or `y` one of seconds, between whole powers of ten, that holds these times."""
    powers = [math.log10(max(time, LEAST)) for time in times] or [0.0]
    low = math.floor(min(powers))
    axes.set(
        **{
            f"{side}scale": "log",
            f"{side}label": label,
            f"{side}lim": (10**low, 10 ** max(low + 1, math.ceil(max(powers)))),
        }
    )
    axis = getattr(axes, f"{side}axis")
    axis.set_major_formatter(lambda seconds, _: f"{seconds:g}")
    axis.set_minor_formatter(lambda *_: "")
