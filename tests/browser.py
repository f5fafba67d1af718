"""A page in the system's Chromium, driven by Playwright, without a network."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REQUIRED = os.environ.get("PUZZLEKIT_BROWSER") == "required"


def installed() -> str | None:
    """The browser's program: $PUZZLEKIT_CHROMIUM, or the first that is installed."""
    return os.environ.get("PUZZLEKIT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


needs_browser = pytest.mark.skipif(not installed() and not REQUIRED, reason="no chromium here: the page was not tried")


@contextmanager
def started() -> Iterator[Page]:
    """A page in a browser with a profile, as a person has one, and a screen that is touched.

    A context in memory may lose what its first page keeps: once in 40 times on a busy machine. With
    PUZZLEKIT_BROWSER=required, a missing browser is a failure.
    """
    program = installed()
    assert program, "PUZZLEKIT_BROWSER=required, and there is no chromium"
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            folder, executable_path=program, args=["--disable-gpu", "--hide-scrollbars"], offline=True, has_touch=True
        )
        yield browser.new_page()
        browser.close()
