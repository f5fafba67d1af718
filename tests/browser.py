"""A page in the system's Chromium, driven by Playwright, without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REQUIRED = os.environ.get("PUZZLEKIT_BROWSER") == "required"


def installed() -> str | None:
    """The browser's program: $PUZZLEKIT_CHROMIUM, or the first that is installed."""
    return os.environ.get("PUZZLEKIT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


needs_browser = pytest.mark.skipif(not installed() and not REQUIRED, reason="no chromium here: the page was not tried")


@contextmanager
def started() -> Iterator[Browser]:
    """A browser of its own. With PUZZLEKIT_BROWSER=required, a missing one is a failure."""
    program = installed()
    assert program, "PUZZLEKIT_BROWSER=required, and there is no chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-gpu", "--hide-scrollbars"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser) -> Iterator[Page]:
    """A page whose browser has kept nothing; a screen that is touched, too."""
    context = browser.new_context(offline=True, has_touch=True, viewport={"width": 1200, "height": 800})
    yield context.new_page()
    context.close()
