"""From a new type to a link that opens it, in the playground, by nothing but the keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import needs_browser
from tests.playground.browsing import answered, verdict
from tests.serve.editing import Text
from tests.serve.test_serve_page import KIND, SPEC

pytestmark = [needs_browser, pytest.mark.slow]
NAME = """() => {
    const { activeElement: element } = document;
    return element.getAttribute("aria-label") ?? element.textContent;
}"""
MOST = 80  # steps by Tab, once around the page


def reach(page: Page, name: str, key: str = "Tab") -> None:
    """Press a key until the part of the page with this name, or its beginning, has the focus."""
    names = []
    for _ in range(MOST):
        page.keyboard.press(key)
        names.append(str(page.evaluate(NAME)))
        if re.match(name, names[-1]):
            return
    raise AssertionError(f"{key} does not lead to {name}, but to {names}")


def push(page: Page, name: str) -> None:
    """Reach a button, when it is there, and push it."""
    expect(page.get_by_role("button", name=name, exact=True).first).to_be_enabled()
    reach(page, f"{name}$")
    page.keyboard.press("Enter")


def write(page: Page, name: str, text: str) -> None:
    """Write a text in an editor, from which Tab leads on."""
    reach(page, f"{name}$")
    page.keyboard.press("Control+a")
    for number, line in enumerate(text.rstrip("\n").split("\n")):
        if number:
            page.keyboard.press("Enter")
            page.keyboard.press("Shift+Home")  # the blanks that the editor writes
        page.keyboard.insert_text(line) if line else page.keyboard.press("Delete")
    Text(page, name).wait(text.rstrip("\n"))
    page.keyboard.press("Escape")  # then Tab leads on


def test_a_new_type_is_written_solved_played_and_sent_by_keys(page: Page, address: str) -> None:
    page.goto(f"{address}/playground/index.html")
    expect(page.get_by_role("button", name="Solve", exact=True)).to_be_attached()
    push(page, "New")
    expect(verdict(page)).not_to_be_empty()
    write(page, "Type", KIND)
    write(page, "Spec", SPEC.replace(". . 1", ". . 0"))
    expect(verdict(page)).to_have_text("One solution")
    reach(page, "row 1, column 1")
    lamps = page.locator("[role=gridcell][aria-label*=bulb]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    expect(lamps).to_have_count(1)
    page.keyboard.press("Backspace")
    expect(lamps).to_have_count(0)
    push(page, "Hint")
    push(page, "Show the pattern")
    push(page, "Show the step")
    push(page, "Enter it")
    push(page, "Check")
    expect(answered(page)).to_contain_text("Right so far")
    push(page, "Solve")
    expect(answered(page)).to_contain_text("solution")
    push(page, "Count")
    expect(answered(page)).to_contain_text("One solution.")
    push(page, "Explain")
    expect(answered(page)).to_contain_text("This is the only solution")
    push(page, "Close: Explain")
    push(page, "Links")
    expect(answered(page).get_by_role("link").first).to_be_visible()
    link = answered(page).get_by_role("link").first.get_attribute("href")
    assert link is not None
    push(page, "Save the spec")
    with page.expect_download() as saved:
        push(page, "Save")
    spec = Path(saved.value.path()).read_text(encoding="utf-8")
    assert ". . 0" in spec
    push(page, "Make another")
    push(page, "Make")
    expect(page.locator("#answers article", has_text="Here it is.")).to_be_visible()
    expect(verdict(page)).to_have_text("One solution")
    page.goto("about:blank")
    page.goto(link)
    Text(page, "Type").wait(KIND.rstrip("\n"))
    push(page, "Run them")
    expect(verdict(page)).to_have_text("One solution")
