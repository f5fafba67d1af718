"""`puzzlekit new`, `puzzlekit examples`, `puzzlekit schema`: what authors begin with."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import pytest

from tests.commands import ROOT, Command
from tests.schemas import READINGS, read

TYPES = sorted((ROOT / "puzzles").glob("*.yaml"))


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(path, marks=[pytest.mark.slow] if number % 6 else [])
        for number, path in enumerate(TYPES)
    ],
    ids=lambda path: path.stem,
)
def test_a_new_spec_passes_check_and_its_schema(
    kind: Path, puzzlekit: Command, tmp_path: Path
) -> None:
    path, schema = tmp_path / "spec.yaml", tmp_path / f"{kind.stem}.schema.json"
    done = puzzlekit("new", "spec", kind.stem, "--out", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}\n{schema}\n", "")
    text = path.read_text(encoding="utf-8")
    assert text.splitlines()[0] == f"# yaml-language-server: $schema={schema.name}"
    assert puzzlekit("check", str(path)).stdout == f"{path}: a valid spec; it has no expect\n"
    for scalar in READINGS.values():
        jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(
            read(text, scalar)
        )
    fields = re.findall(
        r"^  (\w+):",
        kind.read_text(encoding="utf-8").partition("\ndata:\n")[2].partition("\n\n")[0],
        re.MULTILINE,
    )
    assert [field for field in fields if f"\n# {field}: " not in text] == []


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("sudoku", "--size", "6x6"), "givens: |\n  ......\n"),
        (("sudoku", "--size", "6x6"), "\nbox: 2x3\n"),
        (("number-place", "--size", "4"), "\nbox: 2x2\n"),
        (("dominosa", "--size", "2x3"), "numbers: |\n  000\n  000\n"),
        (("nonogram", "--size", "1x3"), "rows: |\n  0\n"),
        (("queens", "--size", "7"), "\nsize: 7\n"),
        (("examples/latin.yaml", "--size", "2x2"), "givens: |\n  ..\n  ..\n"),
        (
            ("kakuro", "--size", "7x7"),
            "are those of an example: replace them.\n",
        ),  # empty cells are no board of it
        (("waffle", "--size", "7x7"), "\n  E.A.N.D\n"),  # not a board full of the letter a
    ],
)
def test_a_new_spec_has_the_size_that_is_requested(
    arguments: tuple[str, ...], shown: str, puzzlekit: Command
) -> None:
    done = puzzlekit("new", "spec", *arguments)
    assert (done.returncode, done.stderr) == (0, "") and shown in done.stdout


def test_a_new_spec_has_shapes_of_several_rows_as_blocks(
    puzzlekit: Command, tmp_path: Path
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        'puzzle: mine\ndata: {g: "grid[symbol | None]", pieces: "map[symbol, shape]"}\n'
        'let: {places: "placements(pieces, g)"}\nvariables: {"use[p]": bool for p in places}\n'
        'rules: {all: "exactly_one(use[p] for p in places.of(s)) for s in pieces"}\n'
    )
    done = puzzlekit("new", "spec", str(path))
    assert (done.returncode, done.stderr) == (
        0,
        "",
    ) and "pieces:\n  a: |\n    ##\n    #.\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("spec", "sudoku", "--size", "7x7"),
            "no empty spec of sudoku of size 7x7 is valid: "
            "this does not hold: a box (3x3 by default) holds as many cells as a row\n"
            "     = there are examples of 4x4, 6x6, 9x9, 10x10, 16x16, 21x21\n",
        ),
        (
            ("spec", "sudoku", "--size", "0x9"),
            "--size 0x9: expected rows x columns, as in 9x9, at most 200 of each\n",
        ),
        (
            ("spec", "sudoku", "--size", "999"),
            "--size 999: expected rows x columns, as in 9x9, at most 200 of each\n",
        ),
        (("spec", "sudku"), "there is no puzzle type sudku; did you mean sudoku?\n"),
        (
            ("type", "a b"),
            "'a b' is not a name: use letters, digits, _ and -, beginning with a letter\n",
        ),
        (
            ("type", "../x"),
            "'../x' is not a name: use letters, digits, _ and -, beginning with a letter\n",
        ),
        (("type", "number_place"), "there is a puzzle type number_place\n"),
        (
            ("type", "mine", "--out", "README.md"),
            "--out README.md: there is such a file; choose another name\n",
        ),
        (("type", "mine", "--out", "no/such/folder.yaml"), "expected a file in an existing folder"),
    ],
)
def test_what_cannot_be_made(arguments: tuple[str, ...], message: str, puzzlekit: Command) -> None:
    done = puzzlekit("new", *arguments)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


def test_a_new_type_works_at_once(puzzlekit: Command, tmp_path: Path) -> None:
    kind, spec = tmp_path / "my_type.yaml", tmp_path / "spec.yaml"
    assert puzzlekit("new", "type", "my_type", "--out", str(kind)).returncode == 0
    assert puzzlekit("check", str(kind)).stdout.startswith(
        f"{kind}: a valid type: fields givens; unknowns number; 3 rules"
    )
    text = kind.read_text(encoding="utf-8")
    assert (
        text.startswith("# yaml-language-server: $schema=type.schema.json\n")
        and "title: My type\n" in text
    )
    schema = json.loads((tmp_path / "type.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(read(text, READINGS["1.2"]))
    assert puzzlekit("new", "spec", str(kind), "--size", "3", "--out", str(spec)).returncode == 0
    assert puzzlekit("solve", str(spec), "--count").stdout.startswith("12 solutions")
    assert puzzlekit("new", "type", "my_type").stdout == text.replace(str(kind), "my_type.yaml")
    commented = re.sub(r"^# (goals:|  small:)", r"\1", text, flags=re.MULTILINE)
    assert commented != text
    kind.write_text(commented, encoding="utf-8")
    assert puzzlekit("check", str(kind)).returncode == 0  # what stands in comments is right, too


def test_the_schema_is_printed_or_written(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    assert puzzlekit("schema", "number-place", "--out", str(path)).stdout == f"{path}\n"
    assert path.read_text(encoding="utf-8") == puzzlekit("schema", "sudoku").stdout
    assert json.loads(puzzlekit("schema").stdout)["title"] == "A puzzle type of puzzlekit"
    assert puzzlekit("schema", "sudku").returncode == 2


def test_examples_are_listed(puzzlekit: Command) -> None:
    out = puzzlekit("examples").stdout
    assert all(re.search(rf"^ +\d+  {kind.stem}$", out, re.MULTILINE) for kind in TYPES)
    out = puzzlekit("examples", "number_place").stdout
    assert re.search(r"^first.yaml +A first sudoku$", out, re.MULTILINE)
    assert out.splitlines()[-1] == str(ROOT / "specs" / "sudoku")


def test_examples_of_a_type_without_any(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "zz.yaml").write_text("puzzle: zz\nvariables: {x: bool}\n", encoding="utf-8")
    done = puzzlekit("examples", "zz", PUZZLEKIT_PATH=str(tmp_path))
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "no examples ship for zz")
    assert puzzlekit("examples", "sudku").returncode == 2


def test_examples_are_copied_once(puzzlekit: Command, tmp_path: Path) -> None:
    done = puzzlekit("examples", "sudoku", "--to", str(tmp_path / "new"))
    copied = sorted((tmp_path / "new" / "specs" / "sudoku").iterdir())
    assert done.returncode == 0 and done.stdout.split() == [str(path) for path in copied]
    assert [path.read_bytes() for path in copied] == [
        path.read_bytes() for path in sorted((ROOT / "specs/sudoku").iterdir())
    ]
    assert puzzlekit("examples", "sudoku", "--to", str(tmp_path / "new")).stdout == ""
    copied[0].unlink()
    copied[1].write_text("mine", encoding="utf-8")
    done = puzzlekit("examples", "sudoku", "--to", str(tmp_path / "new"))
    assert done.returncode == 2 and done.stderr.startswith(
        f"{copied[1]} exists and differs from the example\n"
    )
    assert not copied[0].exists()
    assert puzzlekit("examples", "sudoku", "--to", str(copied[1])).returncode == 2


@pytest.mark.slow
def test_the_commands_of_the_readme_work_without_a_clone(tmp_path: Path) -> None:
    """The wheel holds all that they need."""
    wheel = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(wheel, check=True, timeout=300)
    (built,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(built).extractall(tmp_path / "site")
    here = tmp_path / "here"
    here.mkdir()
    blocks = re.findall(
        r"```(?:sh|console)\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    commands = [
        line
        for block in blocks
        for line in re.findall(r"^(?:\$ )?(puzzlekit .*)$", block, re.MULTILINE)
    ]
    program = "import sys; sys.path[0] = sys.argv.pop(1); from puzzlekit.cli import main; main()"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    assert len(commands) >= 6 and any("examples" in command for command in commands)
    for command in commands:
        line = command.replace(
            "puzzlekit", f"'{sys.executable}' -c '{program}' '{tmp_path / 'site'}'", 1
        )
        done = subprocess.run(
            line, shell=True, cwd=here, env=environment, capture_output=True, text=True, timeout=200
        )
        told = re.sub(
            r"(?m)^\d+ of \d+ puzzles done.*\n", "", done.stderr
        )  # a batch of a minute tells how far it is
        assert (done.returncode, told) == (0, ""), command
