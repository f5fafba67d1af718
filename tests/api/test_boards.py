"""Pictures of boards in the making: marks, crosses, and what a step is about;
the page of all steps.
"""

import html
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.api.boards import (
    board_parts,
    check_parts,
    conflict_parts,
    step_highlights,
    step_labels,
    step_parts,
)
from puzzlekit.api.spec_progress import progress_facts
from puzzlekit.render.layout import plain_text, text_lines
from puzzlekit.render.svg import drawing
from puzzlekit.render.theme import LABEL, STRIKE
from puzzlekit.scene import Highlight, PencilMarks, Scene, Symbols, Text
from tests.browser import needs_browser, started
from tests.commands import called
from tests.shipped import SPECS

SUDOKU = SPECS["sudoku/first"]
SIDES_OF_A_CLUE = [(1, 5, 1, 6), (1, 5, 2, 5), (1, 6, 2, 6), (2, 5, 2, 6)]  # by their ends
X_WING = [
    "1.....569",
    "492.561.8",
    ".561.924.",
    "..964.8.1",
    ".64.1....",
    "218.356.4",
    ".4.5...16",
    "9.5.614.2",
    "621.....5",
]
XY_WING = [
    "9..24....",
    ".5.69.231",
    ".2..5..9.",
    ".9.7..32.",
    "..29356.7",
    ".7...29..",
    ".69.2..73",
    "51..79.62",
    "2.7.86..9",
]
CHAINS = ("chain", "XY-chain", "XY-wing")


def text(parts: list) -> str:
    return plain_text(text_lines(parts))


def test_a_step_has_its_scope_its_reasons_and_what_is_new() -> None:
    puzzle = puzzlekit.load(None, SUDOKU)
    explanation = puzzle.explain()
    step = next(iter(explanation))
    (cell,) = step.placed[0].cells
    assert step_highlights(step)[2 * cell.row, 2 * cell.column] == "new"
    roles = list(step_highlights(step).values())
    assert roles.count("new") == 1 and len(roles) == 9  # of the box
    drawn = text(step_parts(puzzle.instance, step, explanation.values(step)))
    assert "┃ ·  ·  · ┃ ·  8' · ┃[1](7)(9)┃" in drawn


def test_what_is_excluded_has_a_cross_or_a_dot() -> None:
    puzzle = puzzlekit.load(None, SPECS["slitherlink/5x5"])
    marks = progress_facts(
        puzzle, {"line": [["+r1c1", "+r1c2"]], "not": {"line": [["+r1c1", "+r2c1"]]}}
    )
    (scene,) = board_parts(puzzle.instance, {fact.unknown: fact.value for fact in marks})
    assert isinstance(scene, Scene)
    assert [layer.symbols for layer in scene.of_type(Symbols)] == [{(2, 1): "cross"}]
    puzzle = puzzlekit.load(None, SPECS["akari/tiny"])
    (lamp,) = progress_facts(puzzle, {"not": {"lamp": ["r1c1"]}})
    (scene, *_) = board_parts(puzzle.instance, {lamp.unknown: lamp.value})
    assert [layer.symbols for layer in scene.of_type(Symbols)][-1] == {(2, 2): "dot"}


def test_crosses_stand_on_all_sides_of_a_clue() -> None:
    puzzle = puzzlekit.load(None, SPECS["slitherlink/5x5"])
    sides = progress_facts(
        puzzle,
        {"not": {"line": [[f"+r{r}c{c}", f"+r{r2}c{c2}"] for r, c, r2, c2 in SIDES_OF_A_CLUE]}},
    )
    (scene,) = board_parts(puzzle.instance, {fact.unknown: fact.value for fact in sides})
    assert [{*layer.symbols} for layer in scene.of_type(Symbols)] == [
        {(1, 10), (2, 9), (2, 11), (3, 10)}
    ]


def test_marks_stand_in_the_picture_of_a_spec(tmp_path: Path) -> None:
    spec = tmp_path / "marked.yaml"
    spec.write_text(SUDOKU.read_text() + "progress: {digit: {r1c3: 4}}\n")
    assert "┃ 5' 3' 4 ┃" in called("draw", str(spec)).stdout
    assert "┃ 5  3  · ┃" in called("draw", str(SUDOKU)).stdout


def test_what_is_to_blame_stands_out() -> None:
    puzzle = puzzlekit.load(None, SUDOKU)
    marks = {"digit": {"r1c3": 5}}
    judgement = puzzle.check(marks)
    assert "(5)" in text(check_parts(puzzle.instance, progress_facts(puzzle, marks), judgement))
    wrong = puzzlekit.load("sudoku", {"givens": ["11.......", *["........."] * 8]})
    (scene,) = conflict_parts(wrong.instance, wrong.conflict())
    (highlight,) = scene.of_type(Highlight)
    assert [place for place, kind in highlight.roles.items() if kind == "reason"] == [
        (2, 2),
        (2, 4),
    ]


@pytest.mark.parametrize(
    "name",
    ["kakuro/4x4", "zebra/zebra", "waffle/pasted", "nawabari/tiny", "cipher/small", "masyu/tiny"],
)
def test_steps_of_any_type_are_drawn(name: str) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    explanation = puzzle.explain()
    for step, _ in zip(explanation, range(3)):
        assert isinstance(text(step_parts(puzzle.instance, step, explanation.values(step))), str)


@needs_browser
def test_arrow_keys_lead_from_step_to_step(tmp_path: Path) -> None:
    file = tmp_path / "steps.html"
    assert called("explain", "specs/slitherlink/tiny.yaml", "--html", str(file)).returncode == 0
    with started() as page:
        page.goto(file.as_uri())
        shown = lambda: page.locator(".steps>li:visible").inner_text()  # noqa: E731
        assert "The puzzle" in shown()
        page.keyboard.press("ArrowRight")
        assert shown().startswith("1. ")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        assert "The puzzle" in shown()
        page.locator("button").last.click()
        assert shown().startswith("1. ")
        page.locator(".steps>li:visible span").first.hover()
        assert page.locator(".lit").count() > 0
        page.keyboard.press("ArrowLeft")
        assert page.locator(".lit").count() == 0


@needs_browser
def test_a_board_keeps_its_place_from_step_to_step(tmp_path: Path) -> None:
    file = tmp_path / "steps.html"
    assert called("explain", "specs/slitherlink/tiny.yaml", "--html", str(file)).returncode == 0
    with started() as page:
        page.goto(file.as_uri())
        clue = page.locator(".board text:visible").first
        position = clue.bounding_box()
        assert position is not None
        for _ in range(page.locator(".steps>li").count()):  # later signs stand on the rim
            page.keyboard.press("ArrowRight")
            assert clue.bounding_box() == position


def roles_of(step: puzzlekit.ExplainedStep) -> dict[str, set]:
    by_role: dict[str, set] = {}
    for (y, x), role in step_highlights(step).items():
        by_role.setdefault(role, set()).add((y // 2, x // 2))
    return by_role


def test_an_x_wing_has_a_frame_around_its_base_and_crosses_out_what_it_strikes() -> None:
    explanation = puzzlekit.load("sudoku", {"givens": X_WING}).explain()
    step = next(iter(explanation))
    assert step.pattern.text == "X-wing"
    roles = roles_of(step)
    assert roles["base"] == {(2, 4), (2, 8), (6, 4), (6, 8)}
    assert roles["struck"] == {tuple(cell) for fact in step.struck for cell in fact.cells}
    assert {column for _, column in roles["scope"]} == {4, 8}
    (scene,) = explanation.picture_parts(True, step)
    (marks,) = scene.of_type(PencilMarks)
    assert set(marks.struck) == roles["struck"] and set(marks.struck.values()) == {frozenset("7")}
    assert marks.texts[2, 4] == ("3", "7")
    drawn = text([scene])
    assert "(37)" in drawn and "{2348-7}" in drawn
    assert drawing("", [scene]).count(STRIKE) == len(step.struck)


def test_a_chain_has_numbers_from_its_assumption_to_its_contradiction() -> None:
    explanation = puzzlekit.load("sudoku", {"givens": XY_WING}).explain()
    step = next(step for step in explanation if step.pattern.text in CHAINS)
    roles = roles_of(step)
    assert roles["assumed"] and roles["contradiction"]
    labels = list(step_labels(step).values())
    assert labels[:3] == ["?", "1", "2"]
    (scene,) = explanation.picture_parts(True, step)
    assert drawing("", [scene]).count(LABEL) == len(labels)


def test_the_page_of_a_sudoku_draws_its_board_once(tmp_path: Path) -> None:
    file = tmp_path / "steps.html"
    assert called("explain", str(SPECS["sudoku/seventeen"]), "--html", str(file)).returncode == 0
    page = file.read_text(encoding="utf-8")
    assert len(page.encode()) < 200_000 and page.count("<svg") == 1
    assert "<path" in page and "http" not in page.replace("http://www.w3.org", "")


def test_a_notebook_draws_the_last_step() -> None:
    explanation = puzzlekit.load(None, SPECS["kakuro/4x4"]).explain()
    assert "kakuro" in explanation._repr_html_().lower()
    next(iter(explanation))
    step = explanation.steps[-1]
    assert f"{step.number}. {step.text}." in html.unescape(explanation._repr_html_())


def test_what_marks_leave_is_drawn_small_where_nothing_is_written() -> None:
    spec = Path("specs/sudoku/six.yaml").read_text(encoding="utf-8")
    excluded = "not: {digit: {r1c1: [1, 2], r4c1: [1, 2, 3, 4, 5]}}"
    marked = puzzlekit.load(None, f"{spec}progress: {{digit: {{r2c1: 2}}, {excluded}}}\n")
    (scene,) = (part for part in marked.parts() if isinstance(part, Scene))
    (small,) = scene.of_type(PencilMarks)
    assert small.texts == {(1, 1): ("3", "4", "5", "6")}
    found = {
        cell: own
        for layer in scene.of_type(Text)
        if not layer.is_given
        for cell, own in layer.texts.items()
    }
    assert found == {(2, 1): "2", (4, 1): "6"}


def test_a_step_shows_the_clue_of_its_rule() -> None:
    explanation = puzzlekit.load(None, SPECS["slitherlink/5x5"]).explain()
    step = next(step for step in explanation if "3 at r5c5" in step.text)
    assert step_highlights(step)[10, 10] == "scope"  # the clue, which is no place of an unknown
