"""Files and texts of other programs: the runs of pictures, XML, janko.at, kanpen.net, HoDoKu."""

from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links.link_format import links_of
from tests.commands import called as command
from tests.shipped import SPECS

NON = """catalogue "ours 1"
title "A hook"
by "Somebody"
width 3
height 3

rows
1,1

0
3

columns
1
1
3
goal "101000111"
"""
PICTURE = NON.replace("1,1\n\n0\n3", "1 1\n\n3").replace("columns\n1\n1\n3", "columns\n1 1\n1\n1 1")
XML = """<?xml version="1.0"?>
<!DOCTYPE pbn SYSTEM "https://webpbn.com/pbn-0.3.dtd">
<puzzleset><puzzle type="grid" defaultcolor="black">
<title>A hook</title>
<color name="white" char=".">fff</color><color name="black" char="X">000</color>
<clues type="columns"><line><count>1</count><count>1</count></line><line><count>1</count></line>
<line><count>1</count><count>1</count></line></clues>
<clues type="rows"><line><count>1</count><count>1</count></line><line></line>
<line><count>3</count></line></clues>
</puzzle></puzzleset>"""
GIVEN = "016400000000200009000400000062070230100000003003087040960000005000800007000006820"
CELLS = "".join(f"{digit}|0|{int(digit == '0')}|" for digit in GIVEN)
GAME = f'<game data="{GIVEN}"/>'
OPEN = f'<?xml version="1.0"?><opensudoku><name>t</name>{GAME}</opensudoku>'
JANKO = """begin
puzzle hitori
author A
size 5
problem
4 4 3 1 4
4 5 3 2 1
5 2 1 2 3
1 4 4 5 5
2 1 4 3 4
solution
1 0 0 0 1
end
"""


def fields_of(text: str) -> dict[str, object]:
    """Return the fields of the only puzzle in a text."""
    return dict(links.read_one(text).fields)


def test_a_line_without_runs_is_0_or_blank() -> None:
    fields = fields_of(PICTURE)
    assert fields["rows"] == ["1 1", "0", "3"]
    assert fields["columns"] == ["1 1", "1", "1 1"]
    assert (fields["title"], fields["source"]) == ("A hook", "Somebody")
    assert puzzlekit.load(None, PICTURE).count() == 1


def test_xml_of_the_same_picture() -> None:
    assert fields_of(XML)["rows"] == fields_of(PICTURE)["rows"]
    assert fields_of(XML)["columns"] == fields_of(PICTURE)["columns"]


def specs_with(form: str) -> dict[str, list[Path]]:
    """Return the specs of each type that has a notation, the smallest first."""
    specs: dict[str, list[Path]] = {}
    for path in sorted(SPECS.values(), key=lambda path: path.stat().st_size):
        specs.setdefault(path.parent.name, []).append(path)
    sections = {name: links_of(read_type(find(name))) for name in specs}
    return {
        name: specs[name]
        for name, section in sections.items()
        if form in {*section.boards, *section.texts}
    }


def round_trips(form: str, most: int | None = None) -> int:
    """Return how many specs are written in a notation; each is read back as it was.

    At most so many specs of a type are tried.
    """
    written = 0
    for name, paths in specs_with(form).items():
        for path in paths[:most]:
            puzzle = puzzlekit.load(name, path)
            try:
                text = links.notation(form).write(puzzle.instance)
            except InputError as error:
                assert "cannot carry" in str(error), path
                continue
            written += 1
            assert dict(puzzlekit.load(name, text)) == dict(puzzle), path
    return written


@pytest.mark.parametrize(
    ("form", "most", "least"), [("non", 9, 7), ("webpbn", 9, 7), ("janko", 2, 30)]
)
def test_what_is_written_is_read_back(form: str, most: int, least: int) -> None:
    assert round_trips(form, most) >= least


@pytest.mark.slow
def test_every_text_of_janko_that_is_written_is_read_back() -> None:
    assert round_trips("janko") >= 91


def test_boards_of_opensudoku() -> None:
    (from_xml,) = links.read(OPEN)
    assert from_xml.fields["title"] == "t"
    (from_cells,) = links.read(f"version: 2\n{CELLS}")
    assert from_cells.fields["givens"] == from_xml.fields["givens"]
    entered = CELLS.replace("0|0|1|", "3|0|1|", 1).replace("0|0|1|", "0|28||1|", 1)
    assert links.read(f"version: 2\n{entered}")[0].fields == from_cells.fields


def test_a_text_of_janko() -> None:
    fields = fields_of(JANKO)
    assert fields["numbers"] == ["44314", "45321", "52123", "14455", "21434"]
    assert fields["source"] == "A"
    areas = JANKO.replace("hitori", "norinori").replace("problem", "areas")
    assert links.read_one(areas).type == "norinori"


def test_a_link_of_kanpen() -> None:
    rows = "https://www.kanpen.net/slitherlink.html?problem=2/3/1_3_2/0_._./"
    assert fields_of(rows)["clues"] == ["132", "0.."]
    body = (
        links.notation("puzzlink").write(puzzlekit.load(None, rows).instance).split("slither/")[1]
    )
    assert fields_of(f"http://kanpen.net/slitherlink.html?pzpr={body}")["clues"] == ["132", "0.."]


def test_a_line_of_hodoku_has_given_and_solved_digits() -> None:
    line = GIVEN.replace("0", ".")
    solved = line.replace(".16", "+516", 1)
    assert fields_of(f":0702:9:{solved}:412 513:994::") == fields_of(line)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NON.replace("width 3", "width 2"), "columns: expected 2 lines, got 3"),
        (NON.replace("1,1", "1,x"), "row 1: expected numbers, got 'x'"),
        (NON.replace("height 3", "height 5"), "rows: expected 5 lines, got 3"),
        (NON.replace("height 3", "height 3\ncolor a red"), "several colours"),
        (NON.split("columns")[0], "no section columns"),
        (XML.replace("<count>3</count>", '<count color="red">3</count>'), "2 colours"),
        (XML.replace("</puzzle>", ""), "not well-formed XML"),
        (XML.replace('type="rows"', ""), "no clues of its rows"),
        (OPEN.replace(GIVEN, GIVEN[1:]), "81 digits"),
        (f"version: 2\n{CELLS[:-6]}", "81 cells"),
        (f"version: 2\n{CELLS.replace('|0|', '|x|', 1)}", "cell 1: "),
        (JANKO.replace("end\n", ""), "cut off"),
        (JANKO.replace("2 1 4 3 4", "2 1 4 3"), "line 10: expected 5 cells, got 4"),
        (JANKO.replace("2 1 4 3 4", "2 1 q 3 4"), "line 10: hitori cannot have 'q' in numbers"),
        (JANKO.replace("problem", "rlabels"), "no section problem"),
        (JANKO.replace("puzzle hitori", "puzzle nothing"), "for nothing"),
        (f":0702:9:{GIVEN[1:]}:::", "81 cells, got 80"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        links.read(text)
    assert "\n" not in str(caught.value)


BOMB = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>'
UNREADABLE = {
    "a short link": "https://tinyurl.com/abc",
    "a short link of SudokuPad": "https://sudokupad.app/abc123",
    "a random seed": "5x5de#1234567",
    "a web page": "<!DOCTYPE html><html><body>no</body></html>",
    "XML of an unknown notation": "<?xml version='1.0'?><sudoku/>",
    "declares an XML entity": f"<?xml version='1.0'?>{BOMB}<puzzleset>&b;</puzzleset>",
    "JSON of an unknown notation": '{"a": [1, 2]}',
    "numbers without a name": "5 5\n1 2\n3\n",
    "a link, and no notation": "https://example.org/?x=1",
    "this begins with 'some words'": "some words\nand more\n" * 50,
    "this is empty": " \n",
    "this begins with 'aaaaaaaa": "a" * 300_000,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_unknown_is_named_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text(UNREADABLE[name])
    for arguments in (("import",), ("solve",)):
        done = command(*arguments, str(path))
        problems = [line for line in done.stderr.splitlines() if not line.startswith("     = ")]
        is_empty_spec = name == "this is empty" and arguments == ("solve",)
        assert is_empty_spec or (len(problems) == 1 and name in problems[0]), done.stderr
        assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("begin", "name"), [(b"\x89PNG\r\n", "a PNG picture"), (b"PK\x03\x04\xff", "a ZIP archive")]
)
def test_files_that_are_no_text_are_named(begin: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(begin + b"\x00\xff" * 20)
    good = tmp_path / "good.non"
    good.write_text(PICTURE)
    done = command("import", str(path), str(good))
    assert done.returncode == 2 and "A hook" in done.stdout
    assert done.stderr.rstrip() == f"{path}: expected text, got {name}"
