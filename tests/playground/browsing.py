"""The playground in a browser: plain files, served as `python -m http.server` serves them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import FrameLocator, Page, expect

PATIENCE = 120_000  # milliseconds, on a busy machine
DESK = {"width": 1280, "height": 800}


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
