"""What a tab of the playground leaves behind when it is closed while Python works: nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import needs_browser
from tests.playground.browsing import processor_seconds, verdict
from tests.serve.editing import Text
from tests.serve.test_pool import PIGEONS
from tests.serve.test_serve_page import press

pytestmark = [
    needs_browser,
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc here"),
]
ENDING = 4  # seconds: Chromium lets a worker end by itself for 2


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
    busy = processor_seconds(lambda: time.sleep(2))
    page.close()
    time.sleep(ENDING)
    idle = processor_seconds(lambda: time.sleep(2))
    print(f"{busy:.2f} s of 2 while it solves, {idle:.2f} s when it is closed")
    assert idle < busy / 4
