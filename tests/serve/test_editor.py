"""The editor of the page: completion, the keyboard, a long text, and the file that it loads."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import needs_browser, started
from tests.questions.test_questions import asked
from tests.serve.editing import Text
from tests.serve.test_serve_page import KIND, SPEC, visit
from tests.shipped import ROOT

STATIC = ROOT / "puzzlekit" / "serve" / "static"
LINES = 10_000
TYPED = """(area) => new Promise((done) => {
    const began = performance.now();
    document.execCommand("insertText", false, "x");
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with started(offline=False) as page:
        page.set_default_timeout(20_000)
        expect.set_options(timeout=20_000)
        yield page


@pytest.fixture
def page(browser: Page, port: int) -> Page:
    visit(browser, port)
    return browser


def completions(page: Page, text: Text, line: str) -> list[str]:
    """What is offered at the end of a text with one more line."""
    text.area.focus()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(line)
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li").first).to_be_visible()
    page.wait_for_timeout(200)  # a key that follows at once is not meant for the list
    return page.locator(".cm-tooltip-autocomplete .cm-completionLabel").all_inner_texts()


@needs_browser
def test_keys_are_completed_from_the_schema_and_tab_leads_out(page: Page) -> None:
    type_text, spec = Text(page, "Type"), Text(page, "Spec")
    type_text.fill(KIND)
    spec.fill(SPEC)
    expect(page.locator("#verdict")).to_have_text("Several solutions (4)")
    assert completions(page, type_text, "go") == ["goals"]
    page.keyboard.press("Enter")
    assert type_text.read() == f"{KIND}goals:\n  "
    type_text.fill(KIND)
    assert completions(page, type_text, "  picture:\n    ca")[0] == "cages"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(type_text.area).not_to_be_focused()
    type_text.fill(KIND)
    assert completions(page, spec, "no") == ["note"]


@needs_browser
def test_a_long_text_is_written_without_a_wait(page: Page) -> None:
    spec = Text(page, "Spec")
    spec.fill(SPEC + "# a remark that is long enough for a line\n" * LINES)
    spec.area.focus()
    page.keyboard.press("Control+Home")
    times = sorted(spec.area.evaluate(TYPED) for _ in range(9))
    assert spec.read().startswith("x" * 9)
    assert page.locator("[data-pane=spec] .cm-line").count() < 500  # those that are seen
    print(f"median {times[4]:.0f} ms from a key to the next frame at {LINES:,} lines")


def test_schemas_follow_from_the_type() -> None:
    schemas = asked("schema", type=KIND)
    assert "rules" in schemas["type"]["properties"] and "board" in schemas["spec"]["properties"]
    assert asked("schema", type="rules: [").keys() == {"type"}


def test_the_bundle_is_of_the_versions_that_are_pinned() -> None:
    package = json.loads((ROOT / "editor" / "package.json").read_text())
    licences = (STATIC / "codemirror.license.txt").read_text()
    for name, version in package["dependencies"].items():
        assert f"{name} {version} (MIT)" in licences
    bundle = (STATIC / "codemirror.js").read_text()
    assert len(bundle) < 450_000 and "import(" not in bundle and "https://" not in bundle
