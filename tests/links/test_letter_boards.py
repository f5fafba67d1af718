"""Boards of letters: files of ipuz and of Across Lite, from specs and back."""

import json
import re
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from puzzlekit import links
from puzzlekit.api import Puzzle, load
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import read_spec, read_type, spec_text
from puzzlekit.lang.type_reader import type_of_text
from puzzlekit.links import across_lite, ipuz
from puzzlekit.links.ipuz import numbers
from tests.commands import called
from tests.links.bound import data_of
from tests.shipped import ROOT

puz: Any = pytest.importorskip("puz")
SPEC = ROOT / "specs" / "crossword" / "first.yaml"
BOARDS = ["..#\n.e.\n#..", "_.d\n.#a\n..y", "....\n....", "a"]


@pytest.fixture(scope="module")
def first() -> Puzzle:
    return load(None, SPEC)


def rows(imported: links.ParsedPuzzle) -> list[str]:
    return [row.replace(" ", "") for row in imported.fields["board"]]


FILE = {
    "version": "http://ipuz.org/v2",
    "kind": ["http://ipuz.org/crossword#1"],
    "title": "Three: by three",
    "author": "A. Nonymous",
    "dimensions": {"width": 3, "height": 3},
    "puzzle": [
        [{"cell": 1, "style": {"shapebg": "circle"}}, 2, "#"],
        [3, {"style": {"shapebg": "circle"}}, {"cell": "4", "value": "T"}],
        [None, 5, 0],
    ],
    "solution": [["C", "A", "#"], ["B", "O", "T"], [None, "L", "O"]],
    "clues": {"Across": [[1, "Or neighbour"]], "Down": [[1, "A radio"]]},
}


@pytest.mark.parametrize(
    "text", [json.dumps(FILE), json.dumps(FILE, indent=1), f"ipuz({json.dumps(FILE)});\n"]
)
def test_a_file_of_ipuz(text: str) -> None:
    (found,) = links.read(text)
    assert (found.type, rows(found)) == ("crossword", ["..#", "..t", "_.."])
    assert (found.fields["title"], found.fields["source"]) == ("Three: by three", "A. Nonymous")


def test_another_sign_of_blocks() -> None:
    assert (
        rows(
            links.read(
                json.dumps({**FILE, "block": "@", "puzzle": [["@", 1, 2], [3, 0, 0], [4, 0, "@"]]})
            )[0]
        )[0]
        == "#.."
    )


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kind": ["http://ipuz.org/acrostic#1"]}, "kind: no type has acrostic"),
    ({"kind": ["http://ipuz.org/nurikabe#1"]}, "kind: nurikabe does not have nurikabe"),
    ({"kind": ["http://ipuz.org/../x"]}, "kind: expected one kind"),
    ({"kind": 3}, "kind: expected one kind"),
    (
        {"dimensions": {"width": 10**9, "height": 10**9}},
        "dimensions: expected a width and a height up to",
    ),
    ({"dimensions": {"width": True, "height": "3"}}, "dimensions: expected"),
    ({"dimensions": []}, "dimensions: expected"),
    ({"dimensions": {"width": 3, "height": 4}}, "expected 4 rows"),
    ({"puzzle": [[0, 0, 0], [0, 0], [0, 0, 0]]}, "expected 3 cells in row 2"),
    ({"puzzle": [[0, 0, 0], "000", [0, 0, 0]]}, "expected 3 cells in row 2"),
    ({"puzzle": [[0, 0, 0], [0, [], 0], [0, 0, 0]]}, "r2c2: expected a cell"),
    ({"puzzle": [[0, 0, {"value": "ab"}]] * 3}, "r1c3: expected one letter"),
    ({"puzzle": [[0, 0, {"value": {}}]] * 3}, "r1c3: expected one letter"),
    ({"puzzle": [[0, 0, {"style": {"barred": "L"}}]] * 3}, "bars between cells"),
]


@pytest.mark.parametrize(("parts", "said"), WRONG)
def test_a_wrong_part_is_told(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        links.read(json.dumps({**FILE, **parts}))


def test_a_cut_file_of_ipuz_is_told() -> None:
    text = json.dumps(FILE)
    for end in range(60, len(text), 7):
        with pytest.raises(InputError, match="not JSON"):
            links.read(text[:end])
    with pytest.raises(InputError, match="not JSON"):
        links.read('{"version": "http://ipuz.org/v2", "puzzle": ' + "[" * 200_000)


@pytest.mark.parametrize("board", BOARDS)
def test_boards_come_back_from_ipuz(board: str) -> None:
    kind = read_type(find("crossword"))
    puzzle: Any = SimpleNamespace(
        type=kind, data=data_of(kind, spec := spec_text({"board": board.splitlines()}))
    )
    puzzle.bound_from = (kind, read_spec("<spec>", spec), {})
    assert rows(links.read(ipuz.write(puzzle))[0]) == board.splitlines()
    assert rows(links.read_binary("puz", across_lite.write(puzzle))[0]) == [
        re.sub("[a-z]", ".", row).replace("_", "#") for row in board.splitlines()
    ]


def test_the_shipped_board_comes_back_from_both(first: Puzzle) -> None:
    fields = yaml.safe_load(SPEC.read_text("utf-8"))
    given = fields["board"].replace(" ", "").splitlines()
    text = ipuz.write(first.instance)
    (found,) = links.read(text)
    assert (rows(found), found.fields["title"]) == (given, fields["title"])
    assert json.loads(text)["puzzle"][0] == [
        1,
        0,
        2,
        0,
        {"cell": 3, "value": "D"},
        "#",
        4,
        {"cell": 0, "value": "O"},
        5,
    ]
    data = across_lite.write(first.instance)
    (found,) = links.read_binary("puz", data)
    pattern = ["".join("#" if char == "#" else "." for char in row) for row in given]
    assert (rows(found), found.fields["title"]) == (pattern, fields["title"])
    made = puz.load(data)
    assert made.fill[:9] == "----D.-O-"
    assert set(made.solution) == {"-", "."}
    clues = [*made.clue_numbering().across, *made.clue_numbering().down]
    assert len(made.clues) == len(clues) == 14
    cells = {(clue.row, clue.col): clue.number for clue in clues}
    assert cells == numbers([["#" if char == "#" else None for char in row] for row in given], "#")


def test_a_list_of_words_is_not_lost(first: Puzzle) -> None:
    puzzle = load(None, SPEC.with_name("tiny.yaml"))
    for write in (ipuz.write, across_lite.write):
        with pytest.raises(InputError, match="this puzzle has the field words"):
            write(puzzle.instance)  # type: ignore[operator]


def made_file() -> bytes:
    made = puz.Puzzle()
    made.title, made.author, made.copyright = "Título", "An author", "© 2026"
    made.width, made.height = 3, 2
    made.solution, made.fill = "AB.CDE", "A-.---"
    made.clues = ["one", "two", "three", "four"]
    data: bytes = made.tobytes()
    return data


def test_letters_of_a_binary_file_are_not_given() -> None:
    (found,) = links.read_binary("puz", made_file())
    assert found.text == (
        "puzzle: crossword\ntitle: Título\nsource: An author, © 2026\nboard: |\n  . . #\n  . . .\n"
    )


def test_a_wrong_binary_file_is_told() -> None:
    data = made_file()
    random = Random(1)
    for end in range(len(data) - 1):
        with pytest.raises(InputError, match="not a whole file"):
            links.read_binary("puz", data[:end])
    for _ in range(200):
        wrong = bytearray(data)
        wrong[random.randrange(len(data))] ^= 1 << random.randrange(8)
        try:
            links.read_binary("puz", bytes(wrong))
        except InputError:
            continue
    with pytest.raises(InputError, match="at most"):
        links.read_binary("puz", data + bytes(across_lite.MOST))


def test_without_the_library_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "puz", None)
    with pytest.raises(InputError, match=r"pip install -e '\.\[puz\]'"):
        links.read_binary("puz", made_file())


def test_files_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "board.puz"
    done = called("export", str(SPEC), "--format", "puz")
    assert (done.returncode, done.stdout, "--out FILE" in done.stderr) == (2, "", True)
    assert called("export", str(SPEC), "--format", "puz", "--out", str(out)).returncode == 0
    written = tmp_path / "board.ipuz"
    written.write_text(called("export", str(SPEC), "--format", "ipuz").stdout, "utf-8")
    cut = tmp_path / "cut.puz"
    cut.write_bytes(out.read_bytes()[:90])
    done = called("import", str(out), str(cut), str(written))
    assert (done.returncode, done.stdout.count("title: A crossword without clues")) == (2, 2)
    assert done.stderr.startswith(f"{cut}: this is not a whole file of .puz")
    assert called("import", "crossword", str(written)).returncode == 0
    assert "nurikabe has no puz" in called("import", "nurikabe", str(out)).stderr


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("ipuz: {kind: x}", "ipuz requires board:"),
        ("puz: {board: n, kind: x}", "there is no key kind"),
        ("puz: {board: m}", "there is no field m"),
        ("puz: yes", "expected"),
    ],
)
def test_a_wrong_section_is_told(section: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        type_of_text(
            "t", f"puzzle: t\ndata: {{n: int}}\nvariables:\n  x: 1..n\nlinks:\n  {section}\n"
        )
