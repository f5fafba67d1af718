"""The HTML page of an explanation.

The board is drawn once, and a script shows at each step which of its elements are visible. Those
that the first picture lacks are made by the script: from templates, and what varies in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from puzzlekit.dataclass import dataclass
from puzzlekit.render.html_page import html_file
from puzzlekit.render.svg import CELL, description
from puzzlekit.render.svg_layers import scene_elements
from puzzlekit.render.svg_shapes import Frame, escape
from puzzlekit.scene import Group, Line, PicturePart, Point, Scene, Table

# what differs between elements that look alike: positions, paths and texts
VARYING = re.compile(r' (?:x|y|d|cx|cy|x1|y1|x2|y2|points|transform)="([^"]*)|>([^<>]+)</')
STYLE = (
    ".off{display:none}.board{overflow:visible;max-width:100%}.boards{padding:.6rem}"
    "html{scrollbar-gutter:stable}#at{display:inline-block;min-width:5em}"
    "nav{margin:.5rem 0}nav button{font-size:1.1rem;min-width:3rem;min-height:2.4rem}"
    ".steps{list-style:none;padding:0;margin:.5rem 0;min-height:6em}"
    ".steps li p{margin:0;padding-left:calc(var(--level)*.55ch + 2.2ch);text-indent:-2.2ch}"
    ".steps span{text-decoration:underline dotted;text-underline-offset:.2em;cursor:pointer}"
    ".steps span:is(:hover,:focus){background:#2f6fde33;outline:none;border-radius:3px}"
    ".lit{fill:#2f6fde;fill-opacity:.35;pointer-events:none}"
    "@media print{.steps li{display:list-item!important}.steps{min-height:0}"
    ".steps span{text-decoration:none}}"
)
SCRIPT = """
const page = JSON.parse(document.getElementById("data").textContent);
const {boards, at: points, sets, templates, later} = page;
function made([template, ...pieces]) {
  return templates[template].map((text, number) => text + (pieces[number] ?? "")).join("");
}
document.querySelectorAll("svg.board>.later").forEach((run, number) => {
  run.innerHTML = later[number].map((parts) => `<g class="v off">${made(parts)}</g>`).join("");
});
const svgs = [...document.querySelectorAll("svg.board")];
const drawn = svgs.map((svg) => [...svg.querySelectorAll(".v")]);
const items = [...document.querySelectorAll(".steps>li")];
const nav = document.querySelector("nav");
const keys = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -1e9, End: 1e9};
let now = 0;
nav.hidden = false;
function dark() {
  for (const lit of document.querySelectorAll(".lit")) lit.remove();
}
function light(event) {
  dark();
  const phrase = event.target.closest?.("[data-p]");
  for (const number of sets[phrase?.dataset.p] ?? []) {
    const [x, y, width] = points[number];
    const shape = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const look = {x: x - width / 2, y: y - width / 2, width, height: width, rx: 4, class: "lit"};
    for (const [name, text] of Object.entries(look)) shape.setAttribute(name, text);
    svgs[0].append(shape);
  }
}
function turn(changes) {
  const flip = (board, number) => drawn[board][number].classList.toggle("off");
  changes.forEach((numbers, board) => numbers.forEach((number) => flip(board, number)));
}
function show(step) {
  const next = Math.max(0, Math.min(items.length - 1, step));
  while (now < next) turn(boards[now++]);
  while (now > next) turn(boards[--now]);
  dark();
  items.forEach((item, number) => { item.hidden = number !== now; });
  document.getElementById("at").textContent = `${now} / ${items.length - 1}`;
  history.replaceState(null, "", now ? `#${now}` : location.pathname);
}
addEventListener("keydown", (event) => {
  const by = keys[event.key];
  if (by) {
    event.preventDefault();
    show(now + by);
  }
});
nav.addEventListener("click", ({target}) => {
  if (target.dataset.by) show(now + Number(target.dataset.by));
});
for (const phrase of document.querySelectorAll("[data-p]")) phrase.tabIndex = 0;
for (const name of ["pointerover", "focusin"]) addEventListener(name, light);
show(Number(location.hash.slice(1)) || 0);
"""


@dataclass(frozen=True)
class PictureStep:
    """A step of a page.

    Attributes:
        text: The text.
        parts: The picture.
        phrases: The phrases of the text that are about points of the board: where each begins and
            ends, and the points.
    """

    text: str
    parts: Sequence[PicturePart]
    phrases: Sequence[tuple[int, int, Sequence[Point]]] = ()


def stepwise(
    title: str, start: Sequence[PicturePart], steps: Sequence[PictureStep], foot: str
) -> str:
    """Return the HTML page of steps.

    Arrow keys lead from step to step. Phrases light up what they are about. Without scripts, and on
    paper, there are the first board and the texts of all steps.

    Args:
        title: The title.
        start: The picture of the board before the first step.
        steps: The steps.
        foot: The text at the end.
    """
    later = _LaterElements()
    boards = [_Board(scenes, later) for scenes in zip(*map(_scenes, _pictures(start, steps)))]
    figures = "".join(board.svg(title) for board in boards)
    numbering = _PointNumbers(boards[0].frame if boards else None)
    items = ["<li>The puzzle</li>"]
    for number, step in enumerate(steps, 1):
        items.append(f"<li><b>{number}.</b> {_paragraphs(_lit_text(step, numbering))}</li>")
    changes = [[board.changes[number] for board in boards] for number in range(len(steps))]
    page_contents = {
        "boards": changes,
        "at": numbering.shapes,
        "sets": numbering.sets,
        "templates": list(later.templates),
        "later": later.runs,
    }
    texts = json.dumps(page_contents, separators=(",", ":")).replace("<", "\\u003c")
    buttons = (
        '<button data-by="-1" aria-label="the step before">←</button> '
        '<button data-by="1" aria-label="the next step">→</button> <span id="at"></span>'
    )
    keys = "<small>Arrow keys, or these buttons, lead from step to step.</small>"
    head = f"<style>{STYLE}</style><h1>{escape(title)}</h1><nav hidden>{buttons} {keys}</nav>"
    board = f'<figure class="boards">{figures}</figure>{_lines(start)}'
    list_items = "".join(items)
    list_of_steps = f'<ol class="steps" aria-live="polite">{list_items}</ol><p>{escape(foot)}</p>'
    contents = f'<script type="application/json" id="data">{texts}</script>'
    script = f"<script>{SCRIPT}</script>"
    return html_file(title, head + board + list_of_steps + contents + script)


def _pictures(
    start: Sequence[PicturePart], steps: Sequence[PictureStep]
) -> Iterator[Sequence[PicturePart]]:
    yield start
    for step in steps:
        yield step.parts


def _scenes(parts: Iterable[PicturePart]) -> list[Scene]:
    """Return the boards of a picture."""
    scenes: list[Scene] = []
    for block in parts:
        if isinstance(block, Scene):
            scenes.append(block)
        elif isinstance(block, Group):
            scenes += block.scenes
    return scenes


def _lines(parts: Iterable[PicturePart]) -> str:
    """Return the lines of text of a picture."""
    lines: list[Line] = [block for block in parts if not isinstance(block, Scene | Group | Table)]
    texts = ("".join(span.text for span in line) for line in lines)
    elements = (f'<div class="line">{escape(text)}</div>' for text in texts)
    return "".join(elements)


class _Board:
    """A board of which some elements are visible only at some steps.

    Attributes:
        frame: Its coordinates.
        changes: For each step, the numbers of the elements that appear or vanish with it.
    """

    def __init__(self, scenes: Sequence[Scene], later: _LaterElements) -> None:
        self.scene = scenes[0]
        self._later = later
        # signs on the rim need a wider margin: the board has it from the start, and does not move
        margin = max(Frame(scene, CELL).margin for scene in scenes)
        frames = [Frame(scene, CELL, margin) for scene in scenes]
        self.frame = frames[0]
        pictures = [dict.fromkeys(scene_elements(frame)) for frame in frames]
        self._elements = merged_order(pictures)
        self._first = pictures[0]
        self._common = set(pictures[0]).intersection(*pictures[1:])
        varying = [element for element in self._elements if element not in self._common]
        numbers = {element: number for number, element in enumerate(varying)}
        self.changes = []
        for before, after in pairwise(pictures):
            changed = before.keys() ^ after.keys()
            self.changes.append(sorted(numbers[element] for element in changed))

    def svg(self, title: str) -> str:
        """Return the board with all elements, those of the first picture visible."""
        frame = self.frame
        size = f"{frame.width:.0f} {frame.height:.0f}"
        width, height = size.split()
        label = escape(self.scene.title.text or title)
        about = f"<title>{label}</title><desc>{escape(description([self.scene]))}</desc>"
        return (
            f'<svg class="board" width="{width}" height="{height}" viewBox="0 0 {size}" '
            f'role="img" aria-label="{label}">{about}{"".join(self._drawn())}</svg>'
        )

    def _drawn(self) -> Iterator[str]:
        for is_first, elements in groupby(self._elements, self._first.__contains__):
            if not is_first:
                self._later.add(list(elements))
                yield '<g class="later"></g>'
                continue
            for element in elements:
                if element in self._common:
                    yield element
                else:
                    yield f'<g class="v">{element}</g>'


class _LaterElements:
    """The elements that the first picture lacks, as templates and what varies in them.

    Attributes:
        templates: The texts between the varying pieces of elements.
        runs: For each run of such elements, the elements: the number of the template, and the
            pieces.
    """

    def __init__(self) -> None:
        self.templates: dict[tuple[str, ...], int] = {}
        self.runs: list[list[list[int | str]]] = []

    def add(self, elements: Sequence[str]) -> None:
        """Add a run of elements."""
        self.runs.append([self._pieces(element) for element in elements])

    def _pieces(self, element: str) -> list[int | str]:
        texts: list[str] = []
        pieces: list[str] = []
        end = 0
        for match in VARYING.finditer(element):
            start, stop = match.span(match.lastindex or 0)
            texts.append(element[end:start])
            pieces.append(element[start:stop])
            end = stop
        key = (*texts, element[end:])
        return [self.templates.setdefault(key, len(self.templates)), *pieces]


def merged_order(sequences: Iterable[Iterable[str]]) -> list[str]:
    """Return the elements of all sequences, each once, in an order that is that of the sequences.

    Where they contradict each other, the first one decides.

    Examples:
        >>> merged_order(["ad", "abd", "acd"])
        ['a', 'c', 'b', 'd']
    """
    following: dict[str, str] = {}  # a linked list; it begins and ends with an empty text
    for sequence in sequences:
        last = ""
        for element in sequence:
            if element not in following:
                following[element] = following.get(last, "")
                following[last] = element
            last = element
    order = []
    element = following.get("", "")
    while element:
        order.append(element)
        element = following[element]
    return order


def lit_square(frame: Frame, point: Point) -> tuple[float, float, float]:
    """Return the square that lights up for a point: its middle and its side."""
    x, y = frame.xy(point)
    is_cell = point[0] % 2 == point[1] % 2 == 0
    return round(x, 1), round(y, 1), CELL if is_cell else CELL * 0.4


class _PointNumbers:
    """The points that phrases are about, each with a number, and sets of them.

    Attributes:
        sets: The numbers of the points of each set.
        shapes: The squares that light up: their middles and their sides.
    """

    def __init__(self, frame: Frame | None) -> None:
        self.frame = frame
        self.shapes: list[tuple[float, float, float]] = []
        self.sets: list[list[int]] = []
        self._numbers: dict[Point, int] = {}
        self._set_numbers: dict[tuple[int, ...], int] = {}

    def set_number(self, points: Iterable[Point]) -> int:
        """Return the number of a set of points."""
        numbers = tuple(sorted({self.number(point) for point in points}))
        if numbers not in self._set_numbers:
            self._set_numbers[numbers] = len(self.sets)
            self.sets.append(list(numbers))
        return self._set_numbers[numbers]

    def number(self, point: Point) -> int:
        """Return the number of a point."""
        assert self.frame is not None
        if point not in self._numbers:
            self._numbers[point] = len(self.shapes)
            self.shapes.append(lit_square(self.frame, point))
        return self._numbers[point]


def _paragraphs(text: str) -> str:
    """Return a text whose lines after the first one are paragraphs, each indented by its blanks."""
    first, *further = text.split("\n")
    paragraphs = [first]
    for line in further:
        unindented = line.lstrip()
        level = len(line) - len(unindented)
        paragraphs.append(f'<p style="--level:{level}">{unindented}</p>')
    return "".join(paragraphs)


def _lit_text(step: PictureStep, numbering: _PointNumbers) -> str:
    """Return the text of a step, with what its phrases light up."""
    if numbering.frame is None:
        return escape(step.text)
    pieces = []
    end = 0
    for start, stop, points in step.phrases:
        phrase = escape(step.text[start:stop])
        pieces.append(escape(step.text[end:start]))
        pieces.append(f'<span data-p="{numbering.set_number(points)}">{phrase}</span>')
        end = stop
    return "".join(pieces) + escape(step.text[end:])
