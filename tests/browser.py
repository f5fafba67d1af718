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
    return os.environ.get("PUZZLEKIT_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )


needs_browser = pytest.mark.skipif(
    not installed() and not REQUIRED, reason="no chromium here: the page was not tried"
)


@contextmanager
def started(offline: bool = True) -> Iterator[Page]:
    """A page in a browser with a profile, as a person has one, and a screen that is touched.

    A context in memory may lose what its first page keeps: once in 40 times on a busy machine. With
    PUZZLEKIT_BROWSER=required, a missing browser is a failure.
    """
    program = installed()
    assert program, "PUZZLEKIT_BROWSER=required, and there is no chromium"
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=program,
            args=["--disable-gpu", "--hide-scrollbars"],
            offline=offline,
            has_touch=True,
        )
        yield browser.new_page()
        browser.close()


# On a busy machine, Chromium gives one page in forty an empty localStorage of its own, and loses
# what that page keeps. A page that sees this name has the storage that the next page has too.
SEEN = "the storage that lasts"


def forget(page: Page) -> None:
    """Load the page anew, without anything that the browser kept."""
    for _ in range(5):
        page.evaluate("name => { localStorage.clear(); localStorage.setItem(name, 'seen'); }", SEEN)
        page.reload()
        if page.evaluate("name => localStorage.getItem(name)", SEEN):
            return
    raise AssertionError("the browser keeps nothing")


def reload(page: Page) -> None:
    """Load the page anew, after `forget`, with all that the browser kept."""
    for _ in range(5):
        page.reload()
        if page.evaluate("name => localStorage.getItem(name)", SEEN):
            return
    raise AssertionError("the browser keeps nothing")
