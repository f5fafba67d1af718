"""Drafts of the page: a text that was never saved comes back, and no page writes over another's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import needs_browser, started
from tests.serve.editing import Text
from tests.serve.test_serve_page import KIND, SPEC, answer, press, text_of, visit

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with started(offline=False) as page:
        page.set_default_timeout(20_000)
        expect.set_options(timeout=20_000)
        yield page


@pytest.fixture
def page(browser: Page, port: int) -> Iterator[Page]:
    visit(browser, port)
    yield browser
    for tab in browser.context.pages:
        if tab != browser:
            tab.close()


def write(page: Page, spec: str, type_text: str = KIND) -> None:
    Text(page, "Type").fill(type_text)
    Text(page, "Spec").fill(spec)
    is_kept(page)


def is_kept(page: Page) -> None:
    """Wait until the drafts are written."""
    expect(page.locator("#verdict")).to_have_text("Several solutions (4)")
    page.wait_for_timeout(400)


def open_tab(page: Page, address: str = "") -> Page:
    """A tab as somebody opens it, which knows nothing of other tabs."""
    tab = page.context.new_page()
    tab.goto(f"{page.url.partition('#')[0]}{address}")
    return tab


def names(page: Page) -> list[str]:
    """The drafts that no open page has."""
    press(page, "Files")
    dialog = page.locator("#ask[open]")
    expect(dialog).to_contain_text("Files of")
    titles = dialog.locator("h3 + .names .plain").all_inner_texts()
    press(page, "Close")
    return titles


def test_a_text_that_was_never_saved_comes_back(page: Page) -> None:
    write(page, f"{SPEC}# mine\n")
    tab = page.context.new_page()
    address = page.url
    page.goto("about:blank")  # as if it was closed: the storage of the tab goes with it
    tab.goto(address)
    expect(tab.locator("#draft")).to_contain_text("Not saved: your texts of")
    assert text_of(tab, "Spec") == f"{SPEC}# mine\n" and text_of(tab, "Type") == KIND
    expect(tab.locator("#verdict")).to_have_text("Several solutions (4)")
    press(tab, "Begin empty")
    expect(tab.locator(".blank")).to_be_visible()
    assert names(tab) == ["Lamps"]
    press(tab, "Undo")
    assert text_of(tab, "Spec") == f"{SPEC}# mine\n"


def test_what_replaces_a_text_leaves_its_draft(page: Page) -> None:
    write(page, f"{SPEC}# mine\n")
    page.evaluate("location.hash = 'akari/tiny'")
    expect(page.locator("#title")).to_contain_text("Akari")
    assert names(page) == ["Lamps"]
    press(page, "Files")
    press(page, "Lamps")
    is_kept(page)
    assert text_of(page, "Spec") == f"{SPEC}# mine\n" and names(page) == []
    press(page, "Save the type")
    page.get_by_label("Name").fill("drafts-type.yaml")
    press(page, "Save")
    press(page, "Save the spec")
    page.get_by_label("Name").fill("drafts-spec.yaml")
    press(page, "Save")
    expect(page.locator("[data-pane=spec] .file")).to_have_text("drafts-spec.yaml")
    is_kept(page)
    tab = open_tab(page)
    page.goto("about:blank")
    assert names(tab) == [] and text_of(tab, "Spec") == ""


def test_tabs_have_drafts_of_their_own(page: Page) -> None:
    write(page, f"{SPEC}# first\n")
    tab = open_tab(page)
    tab.wait_for_timeout(600)
    assert text_of(tab, "Spec") == ""  # that of the first tab is open there
    stored = page.evaluate("JSON.stringify({...sessionStorage})")
    tab.evaluate("stored => Object.assign(sessionStorage, JSON.parse(stored))", stored)
    tab.reload()  # a tab that was duplicated
    is_kept(tab)
    assert text_of(tab, "Spec") == f"{SPEC}# first\n"
    Text(tab, "Spec").fill(f"{SPEC}# second\n")
    is_kept(tab)
    third = open_tab(page, "#akari/tiny")
    page.goto("about:blank")
    tab.goto("about:blank")
    assert names(third) == ["Lamps", "Lamps"]
    texts = set()
    for number in range(2):
        press(third, "Files")
        third.locator("#ask[open] h3 + .names .plain").nth(number).click()
        is_kept(third)
        texts.add(text_of(third, "Spec"))
        press(third, "Undo")
        expect(third.locator("#title")).to_contain_text("Akari")
        third.wait_for_timeout(400)
    assert texts == {f"{SPEC}# first\n", f"{SPEC}# second\n"}


@pytest.mark.parametrize("broken", ["IDBObjectStore.prototype.put", "IDBFactory.prototype.open"])
def test_a_storage_that_is_full_or_closed_is_told(page: Page, broken: str) -> None:
    tab = page.context.new_page()
    tab.add_init_script(
        f"{broken} = () => {{ throw new DOMException('full', 'QuotaExceededError'); }}; "
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError');"
        " };"
    )
    tab.goto(page.url)
    write(tab, SPEC)
    press(tab, "Count")
    expect(answer(tab)).to_contain_text("4 solutions")
    expect(tab.locator("#trouble")).to_be_visible()
    with tab.expect_event("dialog") as warned:
        tab.once("dialog", lambda dialog: dialog.accept())
        tab.close(run_before_unload=True)
    assert warned.value.type == "beforeunload"
