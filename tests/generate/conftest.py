"""A page that plays a puzzle, in a real browser."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import started
from tests.generate.board_page import begin


@pytest.fixture(scope="package")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    arguments = [
        "generate",
        "waffle",
        "--seed",
        "3",
        "--count",
        "2",
        "--html",
        str(path),
        "--common",
        "400",
    ]
    subprocess.run(
        [sys.executable, "-m", "puzzlekit", *arguments],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return path


@pytest.fixture(scope="package")
def browser() -> Iterator[Page]:
    with started() as page:
        yield page


@pytest.fixture
def page(browser: Page, file: Path) -> Page:
    browser.set_viewport_size({"width": 1200, "height": 800})
    browser.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    begin(browser, file)
    return browser
