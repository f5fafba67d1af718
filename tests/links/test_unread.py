"""What a link states and no field stands for is named, and the puzzle refused; or it is left out,
if that is wished.
"""

import json

import pytest

from puzzlekit import links, load
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links import fpuzzles
from puzzlekit.links.lz_string import compress
from tests.commands import called
from tests.shipped import ROOT, SPECS

WALL = "https://puzz.link/p?heyawake/3/2/o0"  # two walls that end inside a room
INNER = ("a wall between r1c1 and r1c2", "a wall between r1c2 and r1c3")
MODULAR = fpuzzles.SITE + compress(
    json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "modularline": [{"lines": [["R1C1", "R1C2"]]}]})
)


@pytest.mark.parametrize(
    "kind", ["heyawake", "heyawacky", "lits", "country", "shimaguni", "norinori"]
)
def test_walls_that_end_inside_a_room_are_named(kind: str) -> None:
    text = WALL.replace("heyawake", kind)
    with pytest.raises(InputError, match=f"{INNER[0]}; {INNER[1]}\nignore_symbols"):
        links.read(text)
    assert links.read(text, ignore_symbols=True)[0].unread == [*INNER]
    assert (
        load(None, text, ignore_symbols=True).type.name
        == links.read_one(text, ignore_symbols=True).type
    )


@pytest.mark.parametrize(
    ("text", "name"), [(WALL, INNER[0]), (MODULAR, "the constraint modularline")]
)
def test_the_option_reads_the_rest(text: str, name: str) -> None:
    for command in ("import", "draw", "check"):
        done = called(command, text)
        assert (done.returncode, done.stdout, name in done.stderr) == (2, "", True), command
    done = called("import", text, "--ignore-symbols")
    assert done.returncode == 0
    assert done.stderr.startswith(f"ignored: {name}")
    assert called("draw", text, "--ignore-symbols").returncode == 0


@pytest.mark.parametrize(
    ("link", "field"), [("doubleback/3/1/08", "regions"), ("magnets/3/1/n008", "plates")]
)
def test_regions_are_found_without_the_holes(link: str, field: str) -> None:
    """A hole between two cells separates them, where no border does."""
    assert links.read_one(f"https://puzz.link/p?{link}").fields[field] == ["A_B"]


@pytest.mark.parametrize("form", ["fpuzzles", "line", "puzzlink", "penpa"])
def test_a_puzzle_of_another_type_is_refused(form: str) -> None:
    text = links.notation(form).write(load(None, SPECS["sudoku/first"]).instance)
    with pytest.raises(InputError, match="slitherlink"):
        links.read(text, read_type(ROOT / "puzzles/slitherlink.yaml"))
