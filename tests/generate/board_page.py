"""A page that plays a puzzle by swaps, and what a player does on it."""

from pathlib import Path

from playwright.sync_api import Page

from tests.browser import forget

ROOT = Path(__file__).parents[2]
SIZES = sorted((ROOT / "examples" / "waffles").glob("*.html"))


def begin(page: Page, path: Path) -> None:
    """Open a page of which the browser has kept nothing."""
    page.goto(path.as_uri())
    forget(page)


def press(page: Page, button: str) -> None:
    """Press a button of the page by the mouse."""
    page.locator(f"#{button}").click()


def middle(page: Page, cell: int) -> tuple[float, float]:
    """Where a cell's middle is."""
    x, y = page.evaluate(
        f"(() => {{ buttons[{cell}].scrollIntoView({{block: 'nearest'}});"
        f"const b = buttons[{cell}].getBoundingClientRect(); return [b.x + b.width / 2, "
        f"b.y + b.height / 2]; }})()"
    )
    return x, y


def clicks(page: Page, a: int, b: int) -> None:
    for cell in (a, b):
        page.mouse.click(*middle(page, cell))


def taps(page: Page, a: int, b: int) -> None:
    for cell in (a, b):
        page.touchscreen.tap(*middle(page, cell))


def drag_by_touch(page: Page, a: int, b: int) -> None:
    """A finger goes from one cell to another.

    Playwright taps only, so this speaks to the browser.
    """
    session = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle(page, a), middle(page, b)
    for kind, part in (
        ("touchStart", 0.0),
        ("touchMove", 0.3),
        ("touchMove", 0.7),
        ("touchMove", 1.0),
    ):
        at = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def text(page: Page, element: str) -> str:
    """The text of an element, empty if it is hidden."""
    return str(
        page.evaluate(
            f"(x => x.checkVisibility() ? x.innerText : '')(document.getElementById('{element}'))"
        )
    )


def enabled(page: Page) -> set[str]:
    """The buttons of the game that can be pressed."""
    return set(
        page.evaluate(
            "[...document.querySelectorAll('nav button')].filter(b => !b.disabled && "
            "!b.hidden).map(b => b.id)"
        )
    )


def state(page: Page) -> tuple[list[str], int]:
    return page.evaluate("letters"), page.evaluate("left")


def drawn(page: Page) -> tuple[list[str], list[str]]:
    """The letters and the colours that the board shows."""
    letters = page.evaluate(
        "buttons.map(b => b.querySelector('.letter:not(.corner)').textContent.toLowerCase())"
    )
    return letters, page.evaluate(
        "buttons.map(b => b.querySelector('.cell').getAttribute('class').replace('cell ', ''))"
    )


def two(page: Page) -> tuple[int, int]:
    """Two cells that are not green, the second where the first one's letter belongs;
    nothing moves any more.
    """
    page.evaluate("document.getAnimations().forEach(one => one.finish())")
    found = page.evaluate(
        "(() => { for (let a = 0; a < letters.length; a++) for (let b = 0; b < letters.length; b++)"
        " if (colours[a] < 2 && colours[b] < 2 && letters[a] === puzzle.answer[b]) return [a, "
        "b]; })()"
    )
    return found[0], found[1]


def solve(page: Page) -> None:
    """Solve the puzzle by taps."""
    while not page.evaluate("solved()"):
        a, b = two(page)
        page.evaluate(f"choose({a}); choose({b})")


def lose(page: Page) -> None:
    """Use up all swaps on two grey letters."""
    a, b = page.evaluate(
        "[0, 1].map(k => letters.map((x, i) => i).filter(i => colours[i] === 0)[k])"
    )
    while page.evaluate("left"):
        page.evaluate(f"swap({a}, {b})")


def swapped(before: list[str], a: int, b: int) -> list[str]:
    after = list(before)
    after[a], after[b] = after[b], after[a]
    return after


def check_swapped(page: Page, before: tuple[list[str], int], a: int, b: int) -> None:
    assert state(page) == (swapped(before[0], a, b), before[1] - 1)
    assert (
        drawn(page)[0] == page.evaluate("letters") and drawn(page)[1][b] == "green"
    )  # the board follows
    assert page.evaluate(f"buttons[{b}].getAttribute('aria-label')").endswith(", green")
    assert (
        page.evaluate("document.getElementById('left').textContent")
        == f"{before[1] - 1} swaps left"
    )
    assert "changed places" in page.evaluate("document.getElementById('said').textContent")
