"""What `solve` tells of a puzzle before its solutions, and the files that it draws them in."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.commands import ROOT, Command

LETTERS = "letters=PELLEHÄLLIYHÄETIKMYTTUTÄMYKSET"
TINY = "specs/sanalouhos/tiny.yaml"


def test_all_comes_from_the_command_line(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "sanalouhos", "--set", LETTERS)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^words found: 93 · tiles: 231 · solutions: 5$", done.stdout, re.MULTILINE), (
        done.stdout
    )
    assert "pelleillä" in done.stdout and "least_words: 4, proven optimal" in done.stdout


def test_other_columns_are_another_board(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "sanalouhos", "--set", LETTERS, "--set", "columns=6", "--count")
    assert (done.returncode, done.stdout[:11]) == (1, "0 solutions")
    done = puzzlekit("solve", "sanalouhos", "--set", LETTERS, "--set", "columns=7")
    assert done.returncode == 2 and "30 cells cannot be split into rows of 7" in done.stderr


def test_a_type_by_its_path_needs_no_spec_either(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "examples/magic_square.yaml", "--set", "size=3", "--json")
    report = json.loads(done.stdout)
    assert (report["puzzle"], report["spec"], report["status"]) == (
        "magic_square",
        None,
        "complete",
    )
    assert (
        "expected a spec, got only the type"
        in puzzlekit("solve", "examples/magic_square.yaml").stderr
    )
    told = puzzlekit("compare", "sanalouhos", "--set", "columns=2").stderr
    assert told.startswith(
        "the field letters is missing: the letters, row by row or on one line\n"
        "     = sanalouhos requires letters: grid"
    )


def test_what_is_known_is_told_where_there_is_no_solution(puzzlekit: Command) -> None:
    done = puzzlekit("solve", TINY, "--set", "words=[kivi]")
    assert done.returncode == 1
    told = r"Sanalouhos: .*\nwords found: 1 · tiles: 2 · solutions: 0\nno solution, proven"
    assert re.match(told, done.stdout), done.stdout


@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_solutions_are_drawn_into_files(
    puzzlekit: Command, tmp_path: Path, extra: tuple[str, ...]
) -> None:
    svg, html = tmp_path / "solution.svg", tmp_path / "solution.html"
    done = puzzlekit("solve", TINY, "--svg", str(svg), "--html", str(html), *extra)
    assert (done.returncode, done.stderr) == (0, "")
    drawn = "".join(ElementTree.parse(svg).getroot().itertext())
    written = html.read_text(encoding="utf-8")
    for text in (
        "Sanalouhos: Two words on nine cells",
        "words found: 19 · tiles: 20 · solutions: 1",
        "kivi",
    ):
        assert text in drawn and text in written
    assert "proven optimal" in written and "proven optimal" not in drawn
    assert sorted(path.name for path in tmp_path.iterdir()) == ["solution.html", "solution.svg"]


def test_so_many_solutions_are_drawn_and_no_more(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "many.html"
    puzzlekit("solve", "specs/queens/n8.yaml", "--set", "size=9", "--all", "--html", str(path))
    written = path.read_text(encoding="utf-8")
    assert written.count("<section>") == 200 and "152 more not drawn" in written


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--svg", "nowhere/a.svg"], "--svg nowhere/a.svg: expected a file in an existing folder"),
        (["--html", "specs"], "--html specs: expected a file in an existing folder"),
        (
            ["--svg", "a.svg", "--count"],
            "--svg and --html cannot be combined with --count, which lists no solutions",
        ),
        (["--html", "a.html", "--backbone"], "cannot be combined with --backbone"),
    ],
)
def test_what_cannot_be_drawn_is_told_before_the_search(
    puzzlekit: Command, arguments: list[str], said: str
) -> None:
    done = puzzlekit("solve", TINY, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d\d s|<svg [^>]*>|(?<=width=)\"[\d.]+\"", "#", text)


@pytest.mark.parametrize(
    ("page", "name", "arguments"),
    [
        ("docs/sanalouhos.md", "sanalouhos", ["specs/sanalouhos/first.yaml"]),
        ("docs/wordle.md", "unwordle", ["specs/unwordle/first.yaml", "--limit", "1"]),
    ],
)
def test_the_pictures_of_the_docs_are_those_of_their_commands(
    puzzlekit: Command, tmp_path: Path, page: str, name: str, arguments: list[str]
) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    path = f"docs/pictures/{name}.svg"
    assert (
        f"puzzlekit solve {' '.join(arguments)} --svg {path}\n" in text
        and f"]({path.removeprefix('docs/')})" in text
    )
    puzzlekit("solve", *arguments, "--svg", str(tmp_path / "drawn.svg"))
    drawn, kept = tmp_path / "drawn.svg", ROOT / path
    assert without_times(drawn.read_text(encoding="utf-8")) == without_times(
        kept.read_text(encoding="utf-8")
    )


def test_puzzles_are_drawn_without_their_solutions(puzzlekit: Command, tmp_path: Path) -> None:
    done = puzzlekit("draw", "killer", "specs/killer/tiny.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "Killer sudoku: 6 cages on 4 × 4\n  ┏9━━━━━━┳8━━┯3━━┓\n  ┃ ·   · ┃ · │ · ┃\n"
    )
    svg, html = tmp_path / "all.svg", tmp_path / "all.html"
    specs = ["specs/masyu/tiny.yaml", "specs/kakuro/tiny.yaml"]
    done = puzzlekit("draw", *specs, "--svg", str(svg), "--html", str(html))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    written = html.read_text(encoding="utf-8")
    assert written.count('<section class="puzzle">') == 2 and "break-inside:avoid" in written
    drawn = "".join(ElementTree.parse(svg).getroot().itertext())
    for text in ("Masyu", "Pearls on 6 × 6", "Kakuro", "Sums on 5 × 5", "16"):
        assert text in drawn and text in written
    assert "<title>2 puzzles</title>" in written and "Fill the white cells" in written


def test_a_board_wider_than_the_terminal_is_narrowed_or_reported(puzzlekit: Command) -> None:
    giant = puzzlekit("draw", "specs/nonogram/giant.yaml").stdout
    assert giant.endswith(
        "(106 columns: widen the window, or use draw --svg, --html, --png or --pdf)\n"
    )
    queens = [
        puzzlekit("draw", "queens", "--set", "size=30", COLUMNS=columns).stdout
        for columns in ("100", "70")
    ]
    assert [max(map(len, text.splitlines()[1:])) for text in queens] == [91, 61]


def test_show_prints_the_picture(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        "puzzle: t\ndata: {b: 'grid[int | None]'}\nvariables: {'x[c]': bool for c in b.cells}\n"
    )
    shown = puzzlekit("show", str(tmp_path / "t.yaml")).stdout
    assert "Picture, inferred:\n  show:\n    picture:\n      shade: x\n      text: b\n" in shown
    assert (
        "Picture:\n  show:\n    picture:\n      lines: line\n      signs:\n"
        "        black_circle: black\n"
    ) in puzzlekit("show", "masyu").stdout


def test_the_page_of_a_solution_has_the_puzzle_folded(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "solved.html"
    puzzlekit("solve", "specs/sudoku/six.yaml", "--html", str(path))
    folded, solved = path.read_text(encoding="utf-8").split("</details>", 1)
    assert (
        "<summary>The puzzle</summary><figure><svg" in folded
        and 'class="letter found"' not in folded
    )
    assert 'class="letter found"' in solved and 'class="letter given"' in solved


def test_check_reports_a_picture_that_cannot_be_drawn(puzzlekit: Command, tmp_path: Path) -> None:
    text = (ROOT / "puzzles/hitori.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("puzzle: hitori", "puzzle: odd"),
        ("    shade: shaded\n", "    signs: {star: len(numbers)}\n"),
    ):
        text = text.replace(old, new)
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    spec = tmp_path / "spec.yaml"
    spec.write_text("puzzle: odd\nnumbers: |\n  12\n  21\n", encoding="utf-8")
    done = puzzlekit("check", str(spec))
    assert (
        done.returncode == 2 and "expected cells, sides or corners for signs, got 4" in done.stderr
    )


def test_check_draws_what_only_a_solution_shows(puzzlekit: Command, tmp_path: Path) -> None:
    text = """puzzle: odd
data: {board: "grid[int | None]"}
variables: {"x[c]": "between(1, 2) for c in board.cells"}
rules: {they are so: "x[c] == 1 for c in board.cells"}
show:
  picture:
    - {text: board}
    - {text: [board, x], diagonals: "{c: x[c] + 2 for c in board.cells}"}
"""
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    spec = tmp_path / "spec.yaml"
    spec.write_text("puzzle: odd\nboard: 12\nexpect: {x: 11}\n", encoding="utf-8")
    done = puzzlekit("check", str(spec))
    assert done.returncode == 2
    assert "expected \\ or /, or a condition, as the diagonal of r1c1, got 3\n   8 |" in done.stderr
    (tmp_path / "odd.yaml").write_text(
        text.replace('"{c: x[c] + 2 for c in board.cells}"', "x"), encoding="utf-8"
    )
    for command in ("draw", "check"):
        done = puzzlekit(command, str(spec))
        assert (done.returncode, "as the diagonal of r1c1, got 1\n   8 |" in done.stderr) == (
            2,
            True,
        )


def test_boards_of_another_size_stand_below_the_picture(puzzlekit: Command, tmp_path: Path) -> None:
    text = """puzzle: signs
data:
  givens: grid[int | None]
  across: grid[choice(<, >) | None]
variables: {"x[c]": "between(1, 2) for c in givens.cells"}
rules:
  givens stay: x[c] == givens[c] for c in givens.given
  signs hold: (x[c] < x[cell(c.row, c.column + 1)]) == (across[c] == '<') for c in across.given
"""
    (tmp_path / "signs.yaml").write_text(text, encoding="utf-8")
    spec = tmp_path / "spec.yaml"
    spec.write_text("puzzle: signs\ngivens: [1., .1]\nacross: [<, '>']\n", encoding="utf-8")
    assert (
        puzzlekit("draw", str(spec)).stdout == "signs\n   1  ·\n   ·  1\n    across:\n   <\n   >\n"
    )
    assert puzzlekit("solve", str(spec)).stdout.startswith("signs\n   1' 2\n")
