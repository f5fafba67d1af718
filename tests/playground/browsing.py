"""The playground in a browser: plain files, served as `python -m http.server` serves them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import FrameLocator, Page, expect

PATIENCE = 120_000  # milliseconds, on a busy machine
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
DESK = {"width": 1280, "height": 800}

STOP = """() => new Promise((resolve) => {
    const began = performance.now();
    const answers = document.querySelector("#answers");
    new MutationObserver(() => {
        if (answers.textContent.includes("Stopped")) resolve(performance.now() - began);
    }).observe(answers, {subtree: true, childList: true, characterData: true});
    answers.querySelector(".stop").click();
})"""


class Quiet(SimpleHTTPRequestHandler):
    """The handler of `python -m http.server`, without its log."""

    def log_message(self, *_: Any) -> None:
        pass


class Elsewhere(Quiet):
    """A server whose files any page may load."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def serving(folder: Path, kind: type[Quiet] = Quiet) -> Iterator[int]:
    """Serve a folder of files; gives the port."""
    handler = partial(kind, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def verdict(page: Page | FrameLocator) -> Any:
    return page.locator("#verdict")


def answered(page: Page | FrameLocator) -> Any:
    """The last answer, when it is there."""
    last = page.locator("#answers article").first
    expect(last.locator(".stop")).to_have_count(0)
    return last


def seconds_to_stop(page: Page) -> float:
    """The seconds from *Stop* until the page has stopped, as the page sees them."""
    return float(page.evaluate(STOP)) / 1000


def processor_seconds(action: Callable[[], object]) -> float:
    """The processor time that the browser uses during an action."""
    before = _processor_seconds()
    action()
    after = _processor_seconds()
    return sum(seconds - before.get(number, 0) for number, seconds in after.items())


def _processor_seconds() -> dict[int, float]:
    """The processor time of each process that this one has started, or one of those."""
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        number = int(path.parent.name)
        parents[number] = int(fields[1])
        seconds[number] = (int(fields[11]) + int(fields[12])) / TICKS
    ours = {os.getpid()}
    while further := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= further
    return {number: seconds[number] for number in ours - {os.getpid()}}
