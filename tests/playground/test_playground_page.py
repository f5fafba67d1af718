"""What a person does in the playground, in a real browser."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, Request, expect

from puzzlekit.catalogue import example_specs, types
from puzzlekit.questions import answer
from tests.browser import needs_browser
from tests.playground.browsing import (
    DESK,
    PATIENCE,
    Elsewhere,
    answered,
    seconds_to_stop,
    serving,
    verdict,
)
from tests.playground.built import DIGEST, FILES, WHEEL, build_script, built
from tests.serve.editing import PASTE, Text
from tests.serve.test_pool import KIND as NUMBERS, PIGEONS
from tests.serve.test_serve_page import KIND, SPEC, press, text_of

pytestmark = [needs_browser, pytest.mark.slow]
PHONE = {"width": 390, "height": 844}
VERDICTS = {"none": "No solution", "one": "One solution", "several": "Several solutions"}
SETTLED = re.compile("[^…]+")
UNDECIDED = re.compile("Not known|One solution at least|The time is up")
TOO_LONG = "sum([1 for a in range(1, 100000) for b in range(1, 100000)])"
ENDLESS = f"puzzle: r\nlet: {{n: '{TOO_LONG}'}}\nvariables: {{x: 'between(1, n)'}}\n"
LARGE = (
    "puzzle: m\nlet: {b: 'board(40, 40)'}\n"
    "variables: {'x[c]': 'between(1, 3000) for c in b.cells'}\n"
    "rules: {r: 'sum(x) == 70000', s: 'all_different(x)'}\n"
)


def hosts(requests: list[Request]) -> set[str]:
    return {request.url.split("/")[2] for request in requests if request.url.startswith("http")}


def click(page: Page | FrameLocator, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def fill(frame: FrameLocator, name: str, text: str) -> None:
    """Replace a text of the page by a paste."""
    click(frame, name)
    area = frame.get_by_role("textbox", name=name, exact=True)
    area.press("Control+a")
    area.evaluate(PASTE, text)


def test_a_new_type_on_a_phone_in_the_frame_of_another_origin(
    page: Page, address: str, tmp_path: Path
) -> None:
    requests: list[Request] = []
    page.context.on("request", lambda request: requests.append(request))
    own = address.split("/")[2]
    outside = f'<iframe src="{address}/playground/index.html" style="width:100%;height:820px">'
    (tmp_path / "frame.html").write_text(f"<!DOCTYPE html>{outside}</iframe>")
    page.set_viewport_size(PHONE)
    with serving(tmp_path) as port:
        page.goto(f"http://localhost:{port}/frame.html")
        frame = page.frame_locator("iframe")
        fill(frame, "Type", KIND)
        fill(frame, "Spec", SPEC)
        click(frame, "Board")
        expect(verdict(frame)).to_have_text("Several solutions (4)")
        click(frame, "Count")
        expect(answered(frame)).to_contain_text("4 solutions.")
        fill(frame, "Spec", SPEC.replace(". . 1", ". . 0"))
        click(frame, "Board")
        expect(verdict(frame)).to_have_text("One solution")
        click(frame, "Hint")
        click(frame, "Show the pattern")
        click(frame, "Show the step")
        click(frame, "Enter it")
        click(frame, "Check")
        expect(answered(frame)).to_contain_text("Right so far")
        click(frame, "Explain")
        expect(answered(frame)).to_contain_text("This is the only solution")
        click(frame, "Close: Explain")
        frame.get_by_role("gridcell").nth(2).tap()
        click(frame, "Make another")
        click(frame, "Make")
        expect(frame.locator("#answers article", has_text="Here it is.")).to_be_visible()
        expect(verdict(frame)).to_have_text("One solution")
        click(frame, "Links")
        link = answered(frame).get_by_role("link").first.get_attribute("href")
        click(frame, "Spec")
        click(frame, "Save the spec")
        with page.expect_download() as saved:
            click(frame, "Save")
        spec = Path(saved.value.path()).read_text(encoding="utf-8")
        assert saved.value.suggested_filename == "lamps-spec.yaml"
        assert hosts(requests) == {own, f"localhost:{port}"}
    assert link is not None
    receive(page, link, spec)
    assert hosts(requests) == {own, f"localhost:{port}"}


def receive(page: Page, link: str, spec: str) -> None:
    """Open a link that carries a type and a spec: they run when somebody says so."""
    page.set_viewport_size(DESK)
    page.goto(link)
    run = page.get_by_role("button", name="Run them")
    expect(run).to_be_visible()
    assert text_of(page, "Type") == KIND
    Text(page, "Spec").wait(spec)
    page.wait_for_timeout(1_000)
    assert verdict(page).inner_text() == ""
    expect(page.get_by_role("button", name="Solve")).to_be_disabled()
    page.reload()
    run.click()
    expect(verdict(page)).to_have_text("One solution")
    assert "#" not in page.url


def test_a_damaged_link_says_so(page: Page, address: str) -> None:
    page.goto(f"{address}/playground/index.html#text=fVVNb9swDP0rhHNJ")
    expect(page.locator("#ask")).to_contain_text("This link is damaged")


def test_nothing_is_loaded_before_the_click_and_nothing_on_the_second_visit(
    page: Page, address: str
) -> None:
    requests: list[Request] = []
    page.context.on("request", lambda request: requests.append(request))
    page.goto(f"{address}/types/sudoku.html")
    page.wait_for_timeout(1_000)
    assert not [request.url for request in requests if "playground" in request.url]
    page.get_by_text("Try it here").click()
    frame = page.frame_locator("iframe")
    expect(frame.locator("#loading progress")).to_be_visible()
    expect(frame.locator("#loading")).to_contain_text("MB")
    expect(verdict(frame)).to_have_text("One solution")
    expect(frame.locator("#loading")).to_be_empty()
    addresses = {request.url for request in requests if "/playground/" in request.url}
    assert sum(map(_compressed, addresses)) < 13_000_000
    assert not [url for url in addresses if url.endswith(".zip")]  # what is loaded on demand
    page.goto(f"{address}/playground/index.html")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.context.set_offline(True)
    page.goto(f"{address}/playground/#sudoku/six")
    expect(verdict(page)).to_have_text("One solution")


def _compressed(address: str) -> int:
    """The size of a file of the playground, as a server sends it that compresses what is text."""
    path = built() / address.partition("/playground/")[2]
    content = path.read_bytes()
    return len(content) if path.suffix == ".gzip" else len(gzip.compress(content))


def test_what_takes_long_ends(page: Page, address: str) -> None:
    page.goto(f"{address}/playground/index.html#sudoku/six")
    expect(verdict(page)).to_have_text("One solution")
    page.wait_for_timeout(8_000)  # the second worker
    Text(page, "Type").fill(PIGEONS)
    Text(page, "Spec").fill("k: 14\n")
    expect(verdict(page)).to_have_text("Not known after 8 s")
    press(page, "Solve")
    page.wait_for_timeout(500)
    assert seconds_to_stop(page) < 0.2
    Text(page, "Type").fill(NUMBERS)
    Text(page, "Spec").fill("k: 3\n")
    expect(verdict(page)).to_have_text("Several solutions (4)")
    Text(page, "Type").fill(ENDLESS)
    Text(page, "Spec").fill("")
    expect(verdict(page)).to_have_text(re.compile("this takes more than|time is up|more memory"))
    Text(page, "Type").fill(LARGE)
    expect(verdict(page)).not_to_have_text("…")
    Text(page, "Type").fill(NUMBERS)
    Text(page, "Spec").fill("k: 4\n")
    expect(verdict(page)).to_have_text("Several solutions (5)")
    assert len(page.workers) <= 2


def test_thirty_types_have_the_verdict_that_they_have_here(page: Page, address: str) -> None:
    names = sorted(types())
    page.goto(f"{address}/playground/index.html")
    different: list[str] = []
    late: list[str] = []
    for name in names[:: len(names) // 30][:30]:
        spec = example_specs(name)[0]
        given = {"type": types()[name].read_text("utf-8"), "spec": spec.read_text("utf-8")}
        *_, last = answer({"question": "solutions", "seconds": 20, **given})
        page.evaluate("hash => { location.hash = hash; }", f"{name}/{spec.stem}")
        Text(page, "Spec").wait(given["spec"], seconds=PATIENCE / 1000)
        expect(verdict(page)).to_have_text(SETTLED)
        found = verdict(page).inner_text()
        if UNDECIDED.match(found):
            late.append(name)
        elif not found.startswith(VERDICTS[last["answer"]["verdict"]]):
            different.append(f"{name}: {found}")
    assert different == []
    assert len(late) <= 2, late


def test_the_keyboard_alone_is_enough_and_nothing_overflows(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{address}/playground/index.html#sudoku/six")
    expect(verdict(page)).to_have_text("One solution")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.set_viewport_size(DESK)
    reach(page, "Count")
    page.keyboard.press("Enter")
    expect(answered(page)).to_contain_text("One solution.")


def reach(page: Page, name: str) -> None:
    """Press Tab until a button has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"Tab does not lead to {name}")


def test_the_page_says_from_where_numpy_comes(page: Page, tmp_path: Path) -> None:
    """Where the site does not have numpy, its page names the server before it loads the file."""
    built()  # which skips this where nothing can be built
    script = build_script()
    with serving(FILES, Elsewhere) as port:
        wheel = script.Numpy(WHEEL, DIGEST, f"http://localhost:{port}/{WHEEL}")
        script.build(tmp_path / "site", "", wheel)
        requests: list[Request] = []
        page.context.on("request", lambda request: requests.append(request))
        with serving(tmp_path / "site") as own:
            page.goto(f"http://127.0.0.1:{own}/index.html#sudoku/six")
            expect(page.locator("#loading")).to_contain_text(f"comes from localhost:{port}")
            page.wait_for_timeout(500)
            assert hosts(requests) == {f"127.0.0.1:{own}"}
            assert not [request for request in requests if "/python/" in request.url]
            click(page, "Load")
            expect(verdict(page)).to_have_text("One solution")
        addresses = [request.url for request in requests if f"localhost:{port}/" in request.url]
        assert set(addresses) == {wheel.address}
