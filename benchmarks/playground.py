"""Measure the playground in Chromium: how soon it answers, how soon it stops, and what is sent.

    python benchmarks/playground.py FOLDER            # of docs/build_playground.py
    python benchmarks/playground.py FOLDER --rounds 5

Each round is somebody who was never here, and then comes back: the seconds until the first verdict,
on the first visit and on the second one, with those of the processor in brackets, and the seconds
from *Stop* until the page has stopped. The load of the machine stands beside them: on a busy
machine the clock says little.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Page, expect

from tests.browser import started
from tests.playground.browsing import PATIENCE, processor_seconds, seconds_to_stop, serving, verdict
from tests.serve.editing import Text
from tests.serve.test_pool import PIGEONS
from tests.serve.test_serve_page import press

# when the verdict is there, as the page sees it
SETTLED = """new MutationObserver(() => {
    const verdict = document.querySelector("#verdict")?.textContent;
    if (verdict === "One solution") window.settled ??= performance.now();
}).observe(document, {subtree: true, childList: true, characterData: true})"""
EXAMPLE = "#sudoku/first"
SENT_LATER = (".zip", ".txt", "sw.js")  # after the first verdict, if at all
KEPT = 10_000  # milliseconds in which the browser keeps the files for the next visit


def main() -> None:
    """Print the sizes, and the seconds of each round."""
    parser = argparse.ArgumentParser(description="Measure the playground in Chromium.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print_sizes(options.folder)
    print("first visit    second visit   stop  load")
    with serving(options.folder) as port:
        for _ in range(options.rounds):
            first, second, stop = seconds(f"http://127.0.0.1:{port}/index.html")
            print(f"{first}  {second}  {stop:4.2f}  {os.getloadavg()[0]:4.1f}")


def print_sizes(folder: Path) -> None:
    """Print the bytes that are sent before the first verdict."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    contents = [
        (path.suffix == ".gzip", path.read_bytes())
        for path in paths
        if not path.name.startswith(".") and not path.name.endswith(SENT_LATER)
    ]
    plain = sum(len(content) for _, content in contents)
    packed = sum(
        len(content if is_packed else gzip.compress(content)) for is_packed, content in contents
    )
    print(f"{packed / 1e6:.1f} MB compressed, {plain / 1e6:.1f} MB as the files are")


def seconds(address: str) -> tuple[str, str, float]:
    """Return the times until the verdict on the first visit and the second, and until a stop."""
    with started(offline=False) as page:
        expect.set_options(timeout=PATIENCE)
        page.set_default_timeout(PATIENCE)
        page.add_init_script(SETTLED)
        first = until_verdict(page, f"{address}{EXAMPLE}")
        page.wait_for_timeout(KEPT)
        page.goto("about:blank")
        second = until_verdict(page, f"{address}{EXAMPLE}")
        page.wait_for_timeout(KEPT)
        return first, second, until_stopped(page)


def until_verdict(page: Page, address: str) -> str:
    """Return the seconds from opening an address to the verdict, by the clock and of processors."""

    def visit() -> None:
        page.goto(address)
        expect(verdict(page)).to_have_text("One solution")

    processors = processor_seconds(visit)
    clock = float(page.evaluate("window.settled")) / 1000
    return f"{clock:5.2f} ({processors:5.2f})"


def until_stopped(page: Page) -> float:
    """Return the seconds from *Stop*, while Python searches, until the page has stopped."""
    Text(page, "Type").fill(PIGEONS)
    Text(page, "Spec").fill("k: 14\n")
    expect(verdict(page)).to_have_text("Not known after 8 s")
    press(page, "Solve")
    page.wait_for_timeout(1_000)
    return seconds_to_stop(page)


if __name__ == "__main__":
    main()
