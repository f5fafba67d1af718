"""What a tab of the playground leaves behind when it is closed while Python works: nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import needs_browser
from tests.playground.browsing import verdict
from tests.serve.editing import Text
from tests.serve.test_pool import PIGEONS
from tests.serve.test_serve_page import press

pytestmark = [
    needs_browser,
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here"),
]
ENDING = 4  # seconds: Chromium lets a worker end by itself for 2
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def processor_seconds() -> dict[int, float]:
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
    for _ in parents:
        further = {child for child, parent in parents.items() if parent in ours} - ours
        if not further:
            break
        ours |= further
    return {number: seconds[number] for number in ours - {os.getpid()}}


def used_in(seconds: float) -> float:
    """The processor time that these processes use in some seconds."""
    before = processor_seconds()
    time.sleep(seconds)
    after = processor_seconds()
    return sum(after[number] - before[number] for number in after.keys() & before.keys())


def test_a_closed_tab_ends_its_workers(page: Page, address: str) -> None:
    page.goto(f"{address}/playground/index.html#sudoku/six")
    expect(verdict(page)).to_have_text("One solution")
    page.wait_for_timeout(8_000)  # the second worker
    Text(page, "Type").fill(PIGEONS)
    Text(page, "Spec").fill("k: 14\n")
    expect(verdict(page)).to_have_text("Not known after 8 s")
    page.context.new_page()
    press(page, "Solve")
    page.wait_for_timeout(1_000)
    busy = used_in(2)
    page.close()
    time.sleep(ENDING)
    idle = used_in(2)
    print(f"{busy:.2f} s of 2 while it solves, {idle:.2f} s when it is closed")
    assert idle < busy / 4
