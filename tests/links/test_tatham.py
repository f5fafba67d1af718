"""Game IDs, links and saves of Simon Tatham's puzzles, and tasks of puzzle sites."""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links import tatham
from tests.commands import called as command
from tests.shipped import ROOT, SPECS

PROGRAMS = Path("/usr/games")  # where Debian's package sgt-puzzles has them
IDS = {  # boards that the programs made
    "akari": ("lightup", "7x7:iB3h0bBaBaBb1h31i"),
    "binairo": ("unruly", "8x8u:hABDfhcbaGBCbeeaDa"),
    "dominosa": ("dominosa", "3:11002021330213332102"),
    "fillomino": ("filling", "4x4:1d41b4b44a4"),
    "fivecells": ("palisade", "5x5n5:a2b21a1g2d3b1"),
    "futoshiki": ("unequal", "4:3,0,0,0,0,0L,0,0U,0,0L,0L,0,0,0,0RL,0,"),
    "hashi": ("bridges", "7x7m2:4b4b4h2a2b5g2n4d3"),
    "hitori": ("singles", "5x5:2512121454524251453255221"),
    "kenken": ("keen", "4:__a__a_ba_a__a3,s2s1m32a4d2m3a7"),
    "kuromasu": ("range", "9x6:b4a4_6g8d7_4n7_6d4g7_8a11b"),
    "magnets": ("magnets", "4x4:1112,2120,1022,1112,TLRTBTTBTBBTBLRB"),
    "masyu": ("pearl", "6x6:bWhWaWbWbWBaBfWbWc"),
    "mosaic": ("mosaic", "4x4:c46c5a9e"),
    "nonogram": ("pattern", "6x5:1.3/3/2/1/2/3/2/1/2.1/1.1.2/1.4"),
    "shikaku": ("rect", "7x7:b6_2b6i2_2b2_2d5_3a4c4i8b3b"),
    "skyscrapers": ("towers", "4:2/1/2/3/1/3/2/2/2/2/3/1/2/2/1/3"),
    "slant": ("slant", "4x4:a011b2g2b24a0d"),
    "slitherlink": ("loopy", "4x4t0:a12a32b3012d"),
    "spiral_galaxies": ("galaxies", "7x7:ggiczipbcdzbzegc"),
    "sudoku": (
        "solo",
        "9j:5c9_2_4i4c4a2a3_1_6c7a9b2c9a4c7b4a1c4_9_5a8a6c8i7_2_4c1,"
        "ac_c_bbabb_aag__fa__fcdccae__b__aad__a_a____ab___d___daadc",
    ),
    "tents": ("tents", "8x8:aaapdgg_b_ibb,2,1,2,2,2,0,2,1,3,1,1,0,3,1,1,2"),
    "tracks": ("tracks", "8x8:CcCzg6t9d,2,2,3,S4,3,5,6,2,S5,6,5,2,2,2,1,4"),
    "killer": ("solo", "2x2k:p,_a_a__bc__a_ba,8_3a7a5c7_10e"),
}
SAVE = "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\n"


@pytest.mark.parametrize("name", list(IDS))
def test_a_board_has_one_solution_and_is_written_as_it_was(name: str) -> None:
    game, game_id = IDS[name]
    puzzle = puzzlekit.load(name, game_id)
    assert len(list(puzzle.solve(limit=2))) == 1
    link = f"{tatham.SITE}{game}.html#{game_id}"
    assert dict(puzzlekit.load(None, link)) == dict(puzzle)
    assert tatham.write(puzzle.instance) == link


GAMED = {
    name: path
    for name, path in SPECS.items()
    if "\n  tatham:" in (ROOT / f"puzzles/{name.split('/')[0]}.yaml").read_text("utf-8")
}


def test_all_types_are_tried() -> None:
    assert {name.split("/")[0] for name in GAMED} == set(IDS)


@pytest.mark.parametrize("spec", GAMED)
def test_what_is_written_is_read_back(spec: str) -> None:
    puzzle = puzzlekit.load(None, GAMED[spec])
    try:
        link = tatham.write(puzzle.instance)
    except InputError as error:
        assert re.search("carry|not written|has a|cannot be written|has [0-9]+ values", str(error))
        return
    again = puzzlekit.load(None, link)
    assert tatham.write(again.instance) == link
    differing = {name for name in puzzle if again[name] != puzzle[name]}
    assert differing <= {"signs"}  # which come in another order, and perhaps the other way round


def test_saves_and_ids() -> None:
    _, game_id = IDS["hitori"]
    _, desc = game_id.split(":")
    save = f"{SAVE}GAME    :7:Singles\nPARAMS  :5:5x5dk\nCPARAMS :5:5x5dk\nDESC    :25:{desc}\n"
    rows = links.read_one(save).fields["numbers"]
    assert (
        rows == links.read_one(game_id, read_type(ROOT / "puzzles/hitori.yaml")).fields["numbers"]
    )
    with pytest.raises(InputError, match="does not name its game") as caught:
        links.read(game_id)
    assert "hitori" in caught.value.help
    with pytest.raises(InputError, match="no DESC; it may be cut off"):
        links.read(save.split("DESC")[0])


def test_tasks_without_a_size_are_square_boards() -> None:
    _, game_id = IDS["hitori"]
    task = game_id.split(":")[1]
    done = command("import", "hitori", task)
    assert done.stdout == command("import", "hitori", game_id).stdout != ""
    done = command("import", "nonogram", "1.1/3/1.1/2.1/2.1/3/2/2/1.1/3.1")
    assert "columns" in done.stdout
    done = command("import", task)
    assert done.returncode == 2 and "names no puzzle" in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hitori", "5x5:44", "expected 25 values, got 2"),
        ("hitori", "5x5:" + "4" * 26, "goes on after its last value"),
        ("slitherlink", "4x4t1:a12a32b3012d", "has the parameter t0"),
        ("slitherlink", "4x4t0:a12a32b3012z", "expected 16 values"),
        ("futoshiki", "2a:0,0,0,0,", "the parameter a changes rules"),
        ("futoshiki", "2:0U,0,0,0,", "no cell on this side"),
        ("skyscrapers", "4x5:1/1", "a square board"),
        ("tents", "2x2:_aa,1,0", "expected 4 values"),
        ("magnets", "2x2:..,..,..,..,LLTB", "no other end"),
        ("killer", "3x3:a", "the parameter k"),
        ("sudoku", "900x9:a", "no|rows and columns"),
        ("masyu", "3x3:Q", "'Q' has no meaning here"),
        ("akari", "999x999:a", "rows and columns"),
        ("queens", "5x5:a1", "no game IDs"),
        ("kenken", "2:_9999999999,a1", "expected 5 values, got 6"),
    ],
)
def test_what_is_wrong_is_told(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        links.read(text, read_type(ROOT / f"puzzles/{name}.yaml"))


PARAMS = {
    "akari": "7x7 8x6",
    "binairo": "6x6 8x8u",
    "dominosa": "4 6 11",
    "fillomino": "7x6 6x6",
    "fivecells": "5x5n5 6x6n4",
    "futoshiki": "4 5",
    "hashi": "7x7 9x7m3",
    "hitori": "5x5 8x6",
    "kenken": "4 5 6",
    "killer": "2x3k 3x3k",
    "kuromasu": "7x6 8x8",
    "magnets": "6x5 5x5",
    "masyu": "6x6 7x7",
    "mosaic": "5x5 8x6",
    "nonogram": "6x5 8x8",
    "shikaku": "7x7 6x9",
    "skyscrapers": "4 5",
    "slant": "6x6 5x7",
    "slitherlink": "6x6t0 5x7t0",
    "spiral_galaxies": "5x5 7x6",
    "sudoku": "2x2 3x3 2x3 3x3x 6j 9j",
    "tents": "8x8 7x9",
    "tracks": "6x6 8x6",
}
ANSWERS = {  # the unknown, and the values of its cells in what the program keeps as its solution
    "futoshiki": ("number", r"S(\d+)", str),
    "kenken": ("number", r"S(\d+)", str),
    "nonogram": ("black", r"S([01]+)", lambda value: "1" if value == "#" else "0"),
    "skyscrapers": ("height", r"S(\d+)", str),
    "slant": ("diagonal", r"([/\\]+)", str),
}


def hidden(data: str) -> str:
    """Return the solution that a save hides: each half is masked by the digest of the other."""
    text = bytearray.fromhex(data)
    middle = len(text) // 2
    for seed, target in (
        (range(middle), range(middle, len(text))),
        (range(middle, len(text)), range(middle)),
    ):
        key = bytes(text[index] for index in seed)
        masks = b"".join(hashlib.sha1(key + str(n).encode()).digest() for n in range(len(text)))
        for index, mask in zip(target, masks):
            text[index] ^= mask
    return text.decode("latin-1")


@pytest.mark.slow
@pytest.mark.parametrize("name", PARAMS)
def test_boards_of_the_programs_are_read_and_solved(name: str, tmp_path: Path) -> None:
    """The programs make boards with one solution, and a save hides it."""
    game = IDS[name][0]
    program = PROGRAMS / f"sgt-{game}"
    if not program.exists():
        pytest.skip("Debian's sgt-puzzles is not installed")
    for params in PARAMS[name].split():
        made = [str(program), "--generate", "5", "--save", str(tmp_path / f"{params}_"), params]
        subprocess.run(made, check=True, timeout=120, capture_output=True)
    for save in sorted(tmp_path.iterdir()):
        text = save.read_text("latin-1")
        puzzle = puzzlekit.load(None, text)
        assert puzzle.type.name == name
        solutions = list(puzzle.solve(limit=2))
        assert len(solutions) == 1, text
        game_id = f"{re.search('CPARAMS.*:(.*)', text)[1]}:{re.search('DESC.*:(.*)', text)[1]}"
        link = tatham.write(puzzle.instance)
        assert link.split(":")[-1] == game_id.split(":")[1]
        assert dict(puzzlekit.load(None, link)) == dict(puzzle)
        aux = re.search("AUXINFO.*:(.*)", text)
        if name in ANSWERS and aux is not None:
            unknown, pattern, written = ANSWERS[name]
            expected = re.match(pattern, hidden(aux[1]))
            assert expected is not None
            rows = solutions[0][unknown]
            assert "".join(written(value) for row in rows for value in row) == expected[1]
