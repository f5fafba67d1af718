"""`puzzlekit check`: types run their rules on specs or on data that are made up;
specs are held to `expect`.
"""

import json
from pathlib import Path

import pytest

from puzzlekit.cli.commands.check import check_files
from puzzlekit.lang import bind, spec_of_values, type_of_text
from puzzlekit.lang.schema import example_data
from tests.commands import ROOT, Command
from tests.lang.languages import type_with

SUDOKU = "specs/sudoku/first.yaml"
BOARDS = """\
puzzle: boards
data: {b: "grid[int]"}
variables: {"x[c]": "between(1, b[c]) for c in b.cells"}
"""
TYPE = """\
puzzle: t
data:
  g: grid[int | None] in 0..4
  n: int in 2..
variables:
  line[e]: bool for e in g.adjacent
rules:
  r: sum(line[c, x] for x in g.neighbours(c)) == n for c in g.cells
"""
SPEC = "puzzle: t\ng: |\n  1..\n  ...\nn: 2\n"
WRONG = "line has no member at (r1c2, r1c1)"
THERMO = """\
puzzle: thermo
data:
  givens: grid[int | None]
  lines: list[list[cell]]
require:
  the board has 9 rows: len(givens.rows) == 9
  a line has 2 cells or more: len(line) > 1 for line in lines
  lines are apart: len(through(lines)[c]) < 2 for c in givens.cells
variables:
  x[c]: between(1, 9) for c in givens.cells
rules:
  r: increasing(x[line]) for line in lines
"""


def checked(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = check_files([path], "auto", None)
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "t.yaml").write_text(text)
    return folder / "t.yaml"


def test_check_tells_what_is_not_as_expected(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text((ROOT / SUDOKU).read_text().split("expect:")[0] + "expect: {solutions: 2}\n")
    done = puzzlekit("check", str(path))
    assert done.returncode == 2
    assert "expected 2 solutions, found 1" in done.stderr


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("[11_, 1111]", "expected x with 4 cells in row 2, found 3 cells\n"),
        ("[11_]", "expected x with 1 row, found 2 rows\n"),
        ("[_1_, 121]", "x is not as expected: r1c1 is 1, not a hole, r2c2 is 1, not 2\n"),
        ("[111, 111]", "x is not as expected: r1c3 is a hole, not 1\n"),
    ],
)
def test_check_names_the_cells_that_differ(
    expected: str, said: str, puzzlekit: Command, tmp_path: Path
) -> None:
    (tmp_path / "boards.yaml").write_text(BOARDS)
    spec = tmp_path / "spec.yaml"
    spec.write_text(f"puzzle: boards\nb: [1 1 _, 1 1 1]\nexpect:\n  x: {expected}\n")
    done = puzzlekit("check", "spec.yaml", cwd=tmp_path)
    assert (done.returncode, done.stderr.split(": ", 1)[1][: len(said)]) == (2, said)


LOOP = "puzzle: slitherlink\nclues: |\n  . 3 .\n  3 . 3\n  . 3 .\nexpect:\n  answer: "


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("[+r1c8, +r1c1]", "+r1c8 is not in the solution and [+r1c2, +r1c3] is not expected; "),
        (
            "[[+r1c3, +r1c4]]",
            "[+r1c3, +r1c4] is not in the solution and [+r1c2, +r1c3] is not expected; ",
        ),
    ],
)
def test_check_names_the_first_sides_that_differ(
    expected: str, said: str, puzzlekit: Command, tmp_path: Path
) -> None:
    (tmp_path / "spec.yaml").write_text(LOOP + expected + "\n")
    done = puzzlekit("check", "spec.yaml", cwd=tmp_path)
    assert done.stderr.startswith(f"spec.yaml:7:3: line is not as expected: {said}")


def test_check_reads_links_with_marks_that_no_field_stands_for(puzzlekit: Command) -> None:
    wall = "https://puzz.link/p?heyawake/3/2/o0"
    refused = puzzlekit("check", wall)
    assert refused.returncode == 2 and "a wall between r1c1 and r1c2" in refused.stderr
    assert puzzlekit("check", wall, "--ignore-symbols").returncode == 0


@pytest.mark.parametrize("expected", ["[11_, 111]", "[11., 111]", "|\n    1 1 _\n    1 1 1"])
def test_a_hole_is_expected_as_a_board_writes_it(
    expected: str, puzzlekit: Command, tmp_path: Path
) -> None:
    (tmp_path / "boards.yaml").write_text(BOARDS)
    (tmp_path / "spec.yaml").write_text(
        f"puzzle: boards\nb: [11_, 111]\nexpect:\n  x: {expected}\n"
    )
    assert puzzlekit("check", "spec.yaml", cwd=tmp_path).stdout == "spec.yaml: as expected\n"


def test_check_counts_the_arguments_of_functions(puzzlekit: Command, tmp_path: Path) -> None:
    rules = [
        "sorted((1, 2), 3) == x",
        "rarity('a') == x",
        "count(xs=[x], v=1, w=2) == 1",
        "any(sum([x], 2, 3) == x for y in [1])",
    ]
    path = tmp_path / "calls.yaml"
    lines = "".join(f'  - "{rule}"\n' for rule in rules)
    path.write_text(f"puzzle: calls\nvariables: {{x: 'between(1, 2)'}}\nrules:\n  calls:\n{lines}")
    done = puzzlekit("check", str(path))
    said = [
        line.split(": ", 1)[1] for line in done.stderr.splitlines() if line.startswith(str(path))
    ]
    assert done.returncode == 2
    assert [text.split(":")[0] for text in said] == ["sorted", "rarity", "count", "sum"]
    assert "     = write rarity(xs, words)\n" in done.stderr


def test_a_missing_library_is_reported_once(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    rules = "rules:\n  a: pips(x) == opposite(x)\n  b: roll(x)\n"
    path.write_text(
        "puzzle: d\nlibraries: [dice]\ndata: {d: die}\n"
        f"variables: {{x: 'between(1, 2)'}}\n{rules}"
    )
    done = puzzlekit("check", str(path))
    assert (done.returncode, done.stderr.count(str(path))) == (2, 1)
    assert "there is no library dice\n" in done.stderr


@pytest.mark.parametrize("place", ["types/a.yaml", "types/specs/t/a.yaml", "specs/t/a.yaml"])
def test_errors_of_the_rules_are_found_on_specs_beside_the_type(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, spec = written(tmp_path / "types", TYPE), tmp_path / place
    spec.parent.mkdir(parents=True, exist_ok=True)
    spec.write_text(SPEC)
    code, said = checked(path, capsys)
    assert code == 2 and said.startswith(f"{path}:8:10: {WRONG} (with {spec})")
    written(path.parent, TYPE.replace("line[c, x]", "line[edge(c, x)]"))
    assert checked(path, capsys) == (
        0,
        f"{path}: a valid type: fields g, n; unknowns line; 1 rule, run on 1 spec\n",
    )
    spec.write_text(SPEC.replace("1..", "9.."))  # an error of the spec
    valid = "a valid type: fields g, n; unknowns line; 1 rule, run on data that were made up"
    assert checked(path, capsys) == (0, f"{path}: {valid}\n")


def test_a_let_runs_where_there_is_no_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "puzzle: t\nlet: {both: \"{'a': 1} + {'a': 2}\"}\nvariables: {x: bool}\n"
    code, said = checked(written(tmp_path, text), capsys)
    assert code == 2 and ":2:14: both mappings have the key 'a'" in said


def test_a_spec_is_of_a_type_before_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind = tmp_path / "of_another_name.yaml"
    kind.write_text(TYPE.replace("line[c, x]", "line[edge(c, x)]"))
    named, bare = tmp_path / "named.yaml", tmp_path / "bare.yaml"
    named.write_text(SPEC)
    bare.write_text(SPEC.split("\n", 1)[1])

    def check(*files: Path | str) -> tuple[int, str]:
        code = check_files(files, "auto", None)
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    assert check(kind, named, bare)[0] == 0
    assert check(kind, "queens", named, SUDOKU)[0] == 0
    assert "there is no puzzle type t" in check(named)[1]
    assert "does not name its type" in check(bare, kind)[1]
    assert "the field size is missing" in check("queens", bare)[1]
    kind.write_text(TYPE)
    assert "its type has errors, which stand above" in check(kind, bare)[1]


def test_the_smallest_specs_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, TYPE.replace("line[c, x]", "line[edge(c, x)]"))
    for number in range(5):
        (tmp_path / f"spec{number}.yaml").write_text(SPEC + "note: " + "n" * number + "\n")
    (tmp_path / "spec9.yaml").write_text(
        SPEC.replace("puzzle: t", "puzzle: tt").replace("1..", "9..")
    )
    assert checked(path, capsys)[1].endswith("1 rule, run on 3 specs\n")


def test_without_a_spec_data_are_made_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TYPE)
    code, said = checked(path, capsys)
    assert code == 0 and f"{path}:8:10: {WRONG} (with data that were made up)" in said
    assert said.startswith(f"{path}: the text has no error: ")
    written(tmp_path, f"{TYPE}  s: sum(line) == n + 'a'\n")
    said = checked(path, capsys)[1]
    assert f"{path}:8:10: " in said and f"{path}:9:" in said  # all that is wrong
    written(tmp_path, TYPE.replace("line[c, x]", "line[edge(c, x)]"))
    assert checked(path, capsys)[1].endswith("1 rule, run on data that were made up\n")


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("grid[int | None]", "x[c] == f[c] + 'a' for c in f.given"),
        ("grid[int | choice(q) | None]", "x[c] == f[c] + 1 for c in f.having('q')"),
        ("grid[choice(p, q)]", "x[c] == f[c] + 1 for c in f.cells if f[c] == 'q'"),
        ("grid[int | None]", "x[c] == f[c] for c in f.cells"),
    ],
)
def test_boards_that_are_made_up_have_clues_of_all_kinds(
    field: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "clues.yaml"
    variables = '{"x[c]": "between(1, 4) for c in f.cells"}'
    path.write_text(
        f'puzzle: clues\ndata: {{f: "{field}"}}\nvariables: {variables}\nrules:\n  r: {rule}\n'
    )
    assert f"{path}:5:" in checked(path, capsys)[1]


def test_data_are_made_up_that_the_checks_accept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thermo.yaml"
    path.write_text(THERMO)
    assert checked(path, capsys)[1].endswith("1 rule, run on data that were made up\n")
    path.write_text(THERMO.replace("increasing(x[line])", "increasing(x[line].cells)"))
    told = (
        f"{path}:12:17: (x[r1c1], x[r1c2], x[r1c3]) has no .cells (with data that were made up)\n"
    )
    assert told in checked(path, capsys)[1]
    path.write_text(THERMO.replace("rows) == 9", "rows) == 7"))
    why = (
        "with data that were made up, this does not hold: the board has 9 rows; "
        "add a spec to specs/thermo/"
    )
    assert (
        f"{path}: the rules were not run: {why}, so that the rules run on it\n"
        in checked(path, capsys)[1]
    )


def test_rules_that_take_too_long_are_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = "sum(1 for a in range(1700) for b in range(1700)) > n"
    path = written(tmp_path, TYPE.replace(TYPE.split("  r: ")[1], loop + "\n"))
    (tmp_path / "a.yaml").write_text(SPEC)
    assert check_files([path], "auto", 0.05) == 0
    assert capsys.readouterr().out.endswith(
        "1 rule; there was no time to run them on a spec\n     = no rule uses the unknown line\n"
    )


@pytest.mark.parametrize(
    "field",
    [
        *(
            "int",
            "int in 3..",
            "bool",
            "text",
            "letter",
            "word",
            "symbol",
            "size",
            "cell",
            "mark",
            "marks",
            "lexicon",
            "shape",
        ),
        *(
            "choice(b, c)",
            "list[int | choice(x)]",
            "list[list[word]]",
            "tuple[cell, int]",
            "map[symbol, list[int]]",
        ),
        *(
            "grid[letter]",
            "grid[int | None]",
            "grid[tuple[int, int | None]]",
            "grid[choice(#)]",
            "map[symbol, shape]",
        ),
    ],
)
def test_data_are_made_up_for_every_type(field: str) -> None:
    kind = type_of_text("t.yaml", type_with(f'"{field}"'))
    for varied in (False, True):
        values = example_data(kind, varied=varied)
        assert values is not None
        assert bind(kind, spec_of_values(values, kind.fields)).data["f"] is not None


def test_the_errors_of_a_type_are_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, spec = written(tmp_path, TYPE.replace("line[c, x]", "lin[c, x]")), tmp_path / "spec.yaml"
    spec.write_text(SPEC)
    assert check_files([path, spec], "auto", 10.0) == 2
    said = capsys.readouterr().err
    assert said.count("lin is not known here") == 1
    assert said.endswith(f"{spec}: its type has errors, which stand above: {path}\n")
    assert check_files([path, spec], "auto", 10.0, as_json=True) == 2
    assert [
        str(file["message"]).count("lin is not")
        for file in json.loads(capsys.readouterr().out)["files"]
    ] == [1, 1]
    assert check_files([path, path], "auto", 10.0) == 2
    assert capsys.readouterr().err.count("lin is not known here") == 2


def test_json_has_the_help_apart_from_the_message(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text("puzzle: queens\nsize: 4\n")
    missing = str(tmp_path / "frist.yaml")
    message, help = f"{missing}: there is no such file", "did you mean first.yaml?"
    assert puzzlekit("check", missing).stderr == f"{message}\n     = {help}\n"
    (file,) = json.loads(puzzlekit("check", missing, "--json").stdout)["files"]
    assert (file["message"], file["help"]) == (message, help)
