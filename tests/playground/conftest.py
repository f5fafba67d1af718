"""The playground in a browser, for tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import started
from tests.playground.browsing import DESK, PATIENCE, serving
from tests.playground.built import build_script, built


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the playground, in a folder below that of a site."""
    site = tmp_path_factory.mktemp("site")
    (site / "docs").mkdir()
    (site / "docs" / "playground").symlink_to(built())
    (site / "docs" / "types").mkdir()
    part = build_script().try_here("../playground/index.html", "sudoku/six", "Sudoku")
    page = f"<!DOCTYPE html><title>Sudoku</title>{part}"
    (site / "docs" / "types" / "sudoku.html").write_text(page, encoding="utf-8")
    with serving(site) as port:
        yield f"http://127.0.0.1:{port}/docs"


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of somebody who was never here, on which nothing may go wrong."""
    errors: list[str] = []
    with started(offline=False) as own:
        own.context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        own.on("pageerror", lambda error: errors.append(str(error)))
        own.set_viewport_size(DESK)
        yield own
    assert errors == []
