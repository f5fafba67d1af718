"""Three hands that a person plays with: a mouse, a finger, and a keyboard alone.

A hand knows entries and points of a board, and no type.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise

from playwright.sync_api import CDPSession, Locator, Page

Point = tuple[float, float]
Link = tuple[Point, Point, int]  # its ends and how many lines it has
ON_SCREEN = """([scene, points]) => {
    const board = document.querySelectorAll("svg.board")[scene];
    board.scrollIntoView({block: "center"});
    const matrix = board.getScreenCTM();
    return points.map(([x, y]) => {
        const {x: left, y: top} = new DOMPoint(x, y).matrixTransform(matrix);
        return [left, top, Boolean(document.elementFromPoint(left, top)?.closest("svg.board"))];
    });
}"""
STOPS = """() => [...document.querySelectorAll("[role=gridcell]")].map((cell) => {
    const {x, y, width, height} = cell.getBBox();
    return [Number(cell.dataset.stop), x + width / 2, y + height / 2];
})"""
FOCUSED = "() => document.activeElement?.dataset?.stop ?? null"
HAS_FOCUS = "(control) => control === document.activeElement"
ARROWS = {"ArrowRight": (1, 0), "ArrowDown": (0, 1), "ArrowLeft": (-1, 0), "ArrowUp": (0, -1)}
CORNERS = {"q": (-1, -1), "e": (1, -1), "z": (-1, 1), "c": (1, 1)}
WAYS = {**ARROWS, **CORNERS}
NEAR = 0.6  # of a cell
TABS = 300  # that are pressed to reach a control, at most


class Hand(ABC):
    """What a player does on a page.

    Args:
        page: The page in a browser.
        size: The side of a cell, in coordinates of the boards.
    """

    def __init__(self, page: Page, size: float) -> None:
        self.page = page
        self.size = size
        self.scene = 0

    def choose(self, number: int, scene: int) -> None:
        """Choose what is entered, and on which board."""
        self.scene = scene
        if self.page.locator(".bar [aria-pressed]").count():
            self.press(self.page.locator(".bar button").nth(number))

    @abstractmethod
    def turn(self, at: Point, times: int) -> None:
        """Click so many times."""

    @abstractmethod
    def write(self, at: Point, label: str, turn: int) -> None:
        """Enter a text or a sign in a cell.

        Args:
            at: The cell.
            label: The text, or what stands on the key of the sign.
            turn: The number of the entry among those that are possible there, from 1.
        """

    @abstractmethod
    def draw(self, links: Sequence[Link]) -> None:
        """Draw lines."""

    @abstractmethod
    def border(self, sides: Sequence[Point]) -> None:
        """Draw sides of cells."""

    @abstractmethod
    def join(self, cells: Sequence[Point]) -> None:
        """Join the cells of a piece."""

    @abstractmethod
    def trace(self, cells: Sequence[Point]) -> None:
        """Trace a way through cells."""

    @abstractmethod
    def exchange(self, first: Point, second: Point) -> None:
        """Exchange the texts of two cells."""

    @abstractmethod
    def press(self, button: Locator, times: int = 1) -> None:
        """Press a button."""

    @abstractmethod
    def select(self, field: Locator, text: str) -> None:
        """Choose from a list."""

    @abstractmethod
    def fill(self, field: Locator, text: str) -> None:
        """Type into a field."""


class Pointer(Hand):
    """A hand that points; it writes with the keys of the page."""

    def on_screen(self, points: Sequence[Point]) -> list[Point]:
        """The points of a board as points of the screen. Nothing covers them."""
        points = self.page.evaluate(ON_SCREEN, [self.scene, list(points)])
        assert all(is_free for _, _, is_free in points), f"covered, or not on the screen: {points}"
        return [(x, y) for x, y, _ in points]

    @abstractmethod
    def tap(self, at: Point) -> None:
        """Click or tap."""

    @abstractmethod
    def drag(self, points: Sequence[Point]) -> None:
        """Drag from point to point of the screen."""

    def turn(self, at: Point, times: int) -> None:
        (point,) = self.on_screen([at])
        for _ in range(times):
            self.tap(point)

    def write(self, at: Point, label: str, turn: int) -> None:
        self.turn(at, 1)
        keys = self.page.locator(".keys")
        field = keys.locator("input")
        if field.count():
            self.fill(field, label)
        else:
            self.press(keys.get_by_role("button", name=label, exact=True))

    def draw(self, links: Sequence[Link]) -> None:
        for start, end, count in links:
            for _ in range(count):
                self.trace([start, end])

    def border(self, sides: Sequence[Point]) -> None:
        for side in sides:
            self.turn(side, 1)

    def join(self, cells: Sequence[Point]) -> None:
        self.trace(way_through(cells, self.size))

    def trace(self, cells: Sequence[Point]) -> None:
        self.drag(self.on_screen(cells))

    def exchange(self, first: Point, second: Point) -> None:
        self.trace([first, second])

    def select(self, field: Locator, text: str) -> None:
        field.select_option(label=text)  # the system draws the list, not the page

    def fill(self, field: Locator, text: str) -> None:
        self.press(field)
        field.fill(text)  # as the keyboard of a screen does
        field.blur()


class Mouse(Pointer):
    """Clicks and drags."""

    def tap(self, at: Point) -> None:
        self.page.mouse.click(*at)

    def drag(self, points: Sequence[Point]) -> None:
        first, *others = points
        self.page.mouse.move(*first)
        self.page.mouse.down()
        for point in others:
            self.page.mouse.move(*point, steps=2)
        self.page.mouse.up()

    def press(self, button: Locator, times: int = 1) -> None:
        for _ in range(times):
            button.click()


class Touch(Pointer):
    """One finger."""

    def __init__(self, page: Page, size: float) -> None:
        super().__init__(page, size)
        self.session: CDPSession = page.context.new_cdp_session(page)

    def tap(self, at: Point) -> None:
        self.drag([at])

    def drag(self, points: Sequence[Point]) -> None:
        self._send("touchStart", points[:1])
        for start, end in pairwise(points):
            self._send("touchMove", [((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)])
            self._send("touchMove", [end])
        self._send("touchEnd", [])

    def _send(self, type_: str, points: Sequence[Point]) -> None:
        touches = [{"x": x, "y": y, "id": 0} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": touches})

    def press(self, button: Locator, times: int = 1) -> None:
        for _ in range(times):
            button.tap()


class Keys(Hand):
    """Keys alone: it walks over the board, and learns where each key leads."""

    def __init__(self, page: Page, size: float) -> None:
        super().__init__(page, size)
        self.stops: dict[int, Point] = {}
        self.at: int | None = None
        self.leads: dict[tuple[int, str], int] = {}
        self.learnt: set[tuple[int, str]] = set()
        self.keys: Sequence[str] = ()

    def choose(self, number: int, scene: int) -> None:
        super().choose(number, scene)
        self.at = None
        self.learnt.clear()
        self.leads.clear()
        self.stops = {stop: (x, y) for stop, x, y in self.page.evaluate(STOPS)}
        is_typed = self.page.locator(".keys button").count() > 0
        self.keys = list(ARROWS if is_typed else WAYS)

    def go(self, at: Point) -> None:
        """Move the cursor to a cell, a corner or an end of lines."""
        self._go(self._stop(at))

    def turn(self, at: Point, times: int) -> None:
        self.go(at)
        for _ in range(times):
            self.page.keyboard.press(" ")

    def write(self, at: Point, label: str, turn: int) -> None:
        self._go(self._stop(at))
        if label.isascii():
            self.page.keyboard.type(label.lower())
            self.at = self._focused()  # the cursor may have gone on
        else:
            for _ in range(turn):
                self.page.keyboard.press("Enter")

    def draw(self, links: Sequence[Link]) -> None:
        waiting = [(self._stop(start), self._stop(end), count) for start, end, count in links]
        while waiting:
            waiting.sort(key=lambda link: -min(self._steps(link[0]), self._steps(link[1])))
            first, second, count = waiting.pop()
            start, end = sorted((first, second), key=self._steps)
            self._go(start)
            for _ in range(count):
                self._draw_to(end)
                start, end = end, start

    def border(self, sides: Sequence[Point]) -> None:
        for side in sides:
            near = sorted(self.stops, key=lambda stop: distance(self.stops[stop], side))
            first, second = sorted(near[:2], key=self._steps)
            self._go(first)
            self._draw_to(second, stays=True)

    def join(self, cells: Sequence[Point]) -> None:
        stops = [self._stop(cell) for cell in cells]
        self._go(stops[0])
        if len(stops) == 1:
            self.page.keyboard.press(" ")
        joined = [stops[0]]
        while len(joined) < len(stops):
            start, end = next(
                (start, end)
                for start in joined
                for end in (self._leads(start, key) for key in self.keys)
                if end in stops and end not in joined
            )
            self._go(start)
            self._draw_to(end)
            joined.append(end)

    def trace(self, cells: Sequence[Point]) -> None:
        first, *others = map(self._stop, cells)
        self._go(first)
        for stop in others:
            self._draw_to(stop)
        self.page.keyboard.press(" ")

    def exchange(self, first: Point, second: Point) -> None:
        self.keys = list(ARROWS)  # letters are typed
        for cell in (first, second):
            self._go(self._stop(cell))
            self.page.keyboard.press(" ")

    def press(self, button: Locator, times: int = 1) -> None:
        self._tab_to(button)
        for _ in range(times):
            self.page.keyboard.press("Enter")

    def select(self, field: Locator, text: str) -> None:
        self._tab_to(field)
        self.page.keyboard.type(text)

    def fill(self, field: Locator, text: str) -> None:
        self._tab_to(field)
        self.page.keyboard.type(text)
        self.page.keyboard.press("Tab")

    def _tab_to(self, control: Locator) -> None:
        for _ in range(TABS):
            if control.evaluate(HAS_FOCUS):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Tab does not lead there")

    def _stop(self, at: Point) -> int:
        """The stop of the cursor at a point of the board."""
        stop = min(self.stops, key=lambda stop: distance(self.stops[stop], at))
        assert distance(self.stops[stop], at) < NEAR * self.size, f"the cursor is never at {at}"
        return stop

    def _focused(self) -> int:
        stop = self.page.evaluate(FOCUSED)
        assert stop is not None, "the keyboard is not on the board"
        return int(stop)

    def _go(self, goal: int) -> None:
        """Walk to a stop."""
        if self.at is None:
            self.page.keyboard.press("ArrowDown")
            self.at = self._focused()
        for _ in range(4 * len(self.stops)):
            if self.at == goal:
                return
            key = self._way(goal)[0]
            self.page.keyboard.press(key)
            if (self.at, key) not in self.learnt:
                self.learnt.add((self.at, key))
                self.leads[self.at, key] = self._focused()
            self.at = self.leads[self.at, key]
        raise AssertionError(f"no key leads to {self.stops[goal]}")

    def _draw_to(self, stop: int, stays: bool = False) -> None:
        """Press Shift with the key that leads to a stop."""
        assert self.at is not None
        key = next((key for key in self.keys if self._leads(self.at, key) == stop), None)
        assert key, f"no key leads from {self.stops[self.at]} to {self.stops[stop]}"
        self.page.keyboard.press(f"Shift+{key}")
        if not stays:
            self.at = stop
        assert self._focused() == self.at

    def _leads(self, start: int, key: str) -> int:
        """Where a key leads: as it is learnt, else to the nearest stop in its direction."""
        if (start, key) not in self.leads:
            right, down = WAYS[key]
            x, y = self.stops[start]
            best, least = start, float("inf")
            for stop, (to_x, to_y) in self.stops.items():
                along = (to_x - x) * right + (to_y - y) * down
                aside = abs((to_x - x) * down - (to_y - y) * right)
                if along > 1 and aside < along and along + 3 * aside < least:
                    best, least = stop, along + 3 * aside
            self.leads[start, key] = best
        return self.leads[start, key]

    def _way(self, goal: int) -> list[str]:
        """The fewest keys to a stop."""
        start = self.at or 0
        ways: dict[int, list[str]] = {start: []}
        waiting = [start]
        for stop in waiting:
            if stop == goal:
                return ways[stop]
            for key in self.keys:
                beside = self._leads(stop, key)
                if beside not in ways:
                    ways[beside] = [*ways[stop], key]
                    waiting.append(beside)
        raise AssertionError(f"no keys lead to {self.stops[goal]}")

    def _steps(self, stop: int) -> int:
        return 0 if self.at is None else len(self._way(stop))


def distance(start: Point, end: Point) -> float:
    return ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5


def way_through(cells: Sequence[Point], size: float) -> list[Point]:
    """A way through all cells of a piece, and back where it branches."""
    way: list[Point] = []

    def walk(cell: Point) -> None:
        way.append(cell)
        for beside in sorted(cells, key=lambda other: distance(cell, other)):
            if distance(cell, beside) < 1.5 * size and beside not in way:
                walk(beside)
                way.append(cell)

    walk(cells[0])
    return way
