"""A page with several puzzles: what it says of each, what it keeps, and what is printed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import forget, needs_browser, reload
from tests.commands import called
from tests.shipped import SPECS

CHOSEN = ("akari/tiny", "sudoku/six", "nurikabe/tiny", "akari/first")
LEVEL = "generated_by: {version: '1', command: make, seed: 1, score: 3, level: hard}\n"
SIZE = 2_000_000  # bytes of a book of two dozen puzzles


def folder_of(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        shutil.copy(SPECS[name], folder / f"{name.replace('/', '-')}.yaml")
    return folder


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("book")
    folder = folder_of(root / "folder", *CHOSEN)
    spec = folder / "sudoku-six.yaml"
    lines = [line for line in spec.read_text().splitlines() if not line.startswith("title:")]
    spec.write_text("\n".join([*lines, LEVEL]))
    page = root / "book.html"
    titles = ("--title", "A week <1>", "--subtitle", "for & from all", "--author", "A. Person")
    done = called("draw", str(folder), "--play", "--html", str(page), *titles)
    assert done.returncode == 0, done.stderr
    return page


@pytest.fixture
def page(browser: Page, book: Path) -> Iterator[Page]:
    errors: list[str] = []

    def note(error: Any) -> None:
        errors.append(str(error))

    size = browser.viewport_size
    browser.on("pageerror", note)
    browser.set_viewport_size({"width": 390, "height": 844})
    browser.goto(book.as_uri())
    forget(browser)
    yield browser
    browser.remove_listener("pageerror", note)
    browser.set_viewport_size(size or {"width": 1280, "height": 720})
    assert errors == []


def test_a_book_has_scripts_and_styles_once(book: Path) -> None:
    text = book.read_text()
    assert text.count("<script") == 2 and text.count("<style") == 1
    assert "src=" not in text.partition("<script")[0] and "default-src 'none'" in text
    assert "<title>A week &lt;1&gt;</title>" in text and "for &amp; from all" in text
    assert len(text.encode()) < SIZE / 24 * len(CHOSEN)


@needs_browser
def test_a_book_is_played_and_keeps_how_far(page: Page) -> None:
    links = page.locator(".contents a")
    titles = [" ".join(link.split()) for link in links.all_inner_texts()]
    assert titles[0] == "1 Lamps on 9 × 9" and titles[3] == "4 No. 4 hard"
    expect(page.locator(".progress")).to_have_text("0 of 4 solved")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    links.nth(1).click()
    section = page.locator("section:not([hidden])")
    expect(section).to_have_count(1)
    section.locator("[role=gridcell]").nth(1).click()
    assert page.evaluate("puzzlekit.state().undo") == 1
    page.get_by_role("button", name="The next puzzle").click()
    expect(page.locator("section:not([hidden]) h2")).to_contain_text("3. Nurikabe")
    assert page.evaluate("puzzlekit.state().undo") == 0
    page.go_back()
    expect(page.locator("section:not([hidden]) h2")).to_contain_text("2. Akari")
    page.wait_for_function("() => puzzlekit.state().undo === 1")
    page.get_by_role("button", name="All puzzles").click()
    expect(links.nth(1)).to_contain_text("begun")
    reload(page)
    expect(links.nth(1)).to_contain_text("begun")
    links.nth(1).click()
    page.wait_for_function("() => window.puzzlekit?.state().undo === 1")


@needs_browser
def test_a_solved_puzzle_is_noted(page: Page) -> None:
    page.locator(".contents a").nth(3).click()
    section = page.locator("section:not([hidden])")
    expect(section.locator("h2")).to_contain_text("hard")
    given = ["..3.2.", ".5....", "16...2", "......", "......", "62.4.5"]
    for row, digits in enumerate(["413526", "256143", "164352", "532614", "345261", "621435"]):
        for column, digit in enumerate(digits):
            if given[row][column] == ".":
                name = f"row {row + 1}, column {column + 1}:"
                section.locator(f"[role=gridcell][aria-label^='{name}']").click()
                page.keyboard.type(digit)
    expect(section.locator(".said")).to_contain_text("Solved in")
    page.get_by_role("button", name="All puzzles").click()
    expect(page.locator(".contents a").nth(3)).to_contain_text("solved")
    expect(page.locator(".progress")).to_have_text("1 of 4 solved")


@needs_browser
def test_a_book_is_printed_with_all_rules(page: Page) -> None:
    page.emulate_media(media="print")
    try:
        sections = page.locator("section.play")
        assert [section.is_visible() for section in sections.all()] == [True] * len(CHOSEN)
        assert page.locator("section.play details[open] p:visible").count() == len(CHOSEN)
        assert page.locator(".contents:visible, .pages:visible, .tools:visible").count() == 0
    finally:
        page.emulate_media(media="screen")


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        ("puzzle: sudoku\ngivens: [\n", "bad.yaml:3"),
        ("puzzle: sudoku\nnone: 1\n", "bad.yaml:2"),
        ("puzzle: pairs\n", "bad.yaml:1"),
    ],
)
def test_a_bad_file_is_told_with_its_line_and_nothing_is_written(
    tmp_path: Path, spoilt: str, message: str
) -> None:
    folder = folder_of(tmp_path / "folder", "akari/tiny")
    (folder / "bad.yaml").write_text(spoilt)
    done = called("draw", str(folder), "--play", "--html", str(tmp_path / "page.html"))
    assert done.returncode == 2 and message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_puzzle_without_a_solution_is_told_by_its_file(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "folder", "akari/tiny", "sudoku/six")
    text = (folder / "sudoku-six.yaml").read_text()
    (folder / "worse.yaml").write_text(text.replace("givens: |", "givens: |\n  112...", 1))
    done = called("draw", str(folder), "--play", "--html", str(tmp_path / "page.html"))
    assert done.returncode == 2 and "worse.yaml" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
