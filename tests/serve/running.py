"""A server that runs in a thread of the test, and who asks it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

from puzzlekit.serve.pool import Pool
from puzzlekit.serve.server import bound, server

TOKEN = "opens-the-door"


class Person:
    """Somebody with a browser, who has opened the address with the token."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.client = httpx.Client(
            base_url=self.address, headers={"Origin": self.address}, timeout=60
        )
        assert self.client.get("/", params={"token": TOKEN}).status_code == 303
        self.found: dict[str, list[Any]] = {}  # by question
        self.open: set[str] = set()

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *error: object) -> None:
        if self.open:
            self.post("stop", {"ids": sorted(self.open)})
        self.client.close()

    def post(self, path: str, given: Any) -> httpx.Response:
        return self.client.post(f"/{path}", json=given)

    def ask(self, question: str, **given: Any) -> str:
        """Ask, and return the name of the question; what was found at once is kept."""
        told = (
            self.post("ask", {"question": question, "seconds": 20, **given})
            .raise_for_status()
            .json()
        )
        self.found[told["id"]] = told["news"]
        self.open |= set() if told["done"] else {told["id"]}
        return str(told["id"])

    def wait(self, seconds: float = 60, name: str | None = None) -> dict[str, list[Any]]:
        """Wait for all answers, or for that to one question."""
        until = time.monotonic() + seconds
        while (self.open if name is None else name in self.open) and time.monotonic() < until:
            for one in self.post("news", {"ids": sorted(self.open)}).json()["questions"]:
                self.found[one["id"]] += one["news"]
                self.open -= {one["id"]} if one["done"] else set()
            time.sleep(0.02)
        assert time.monotonic() < until, f"{len(self.open)} questions have no answer"
        return self.found

    def answer(self, question: str, **given: Any) -> Any:
        """Ask, and return the answer, or the error."""
        name = self.ask(question, **given)
        *_, last = self.wait(name=name)[name]
        return last.get("answer", last)


@contextmanager
def running(folder: Path) -> Iterator[int]:
    """Serve a folder; gives the port."""
    with closing(bound("127.0.0.1", 0)) as own:
        port = own.getsockname()[1]
        pool = Pool(str(folder))
        made = server(pool, folder, "127.0.0.1", port, TOKEN, lambda: None)
        thread = Thread(target=made.run, args=([own],), daemon=True)
        thread.start()
        try:
            until = time.monotonic() + 30
            while not made.started and time.monotonic() < until:
                time.sleep(0.01)
            assert made.started
            yield port
        finally:
            made.should_exit = True
            thread.join(20)
            pool.close()
