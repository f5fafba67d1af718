"""Files of puzz.link: what they mean is what the link of the same puzzle means."""

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit import links
from puzzlekit.errors import InputError
from tests.links.test_puzzlink import bound, fields, kind_of

ROOMS = "3/0 0 1 /0 2 1 /2 2 1 /"
BORDERS = "0 1 /1 1 /0 1 /0 1 0 /1 0 0 /"
# a link, and the lines of the file
SAME = [
    ("nurikabe/3/2/2i.-10", "nurikabe/2/3/2 # + /. - 16 "),
    (
        "heyawake/3/3/ega02g0",
        "heyawake/3/3/3/0 0 1 /0 2 1 /2 2 1 /2 . . /. 0 . /. . . /. # . /. . . /. . . ",
    ),
    ("masyu/3/3/962", "mashu/3/3/1 . . /. 2 . /. . 2 /0 0 /1 0 /0 0 /0 0 0 /0 0 0 "),
    ("factors/2/2/o062", "factors/2/2/1 /1 /0 0 /6 2 /. . /1 2 /2 1 "),
    ("starbattle/3/3/2/ega0", "starbattle/3/3/2/3/0 0 1 /0 2 1 /2 2 1 "),
    (
        "nonogram/3/3/2g111g111g2g",
        "nonogram/3/3/. . . 1 . /. . 2 1 1 /1 1 # . # /. 1 . . . /. 2 . . . ",
    ),
    ("tapa/3/1/ga6g", "tapa/1/3/# 1,- . "),
    ("gokigen/2/2/gbg2a", "gokigen/2/2/. 1 . /. . 2 /0 . . /1 2 /. . "),
    ("sudoku/4/4/1g2", "sudoku/4/1 . 2 . /. . . . /. . . . /. . . . "),
    ("fillomino/t/2/1/2", "fillomino/1/2/t/2 . /. . /0 "),
    ("aquarium/r/2/1/g/1g2", "aquarium/1/2/r/1 /. c1 . /2 . # "),
    *(
        (f"{kind}/3/3/ega02g1", f"{kind}/3/3/{ROOMS}2 . . /. 1 . /. . . /. # . ")
        for kind in ("aqre", "chocona", "shimaguni")
    ),
    *(
        (f"{kind}/3/3/ega02n", f"{kind}/3/3/{BORDERS}2 . . /. . . /. . . /. 3 . ")
        for kind in ("ripple", "cojun")
    ),
    ("paintarea/3/3/ega02h", f"paintarea/3/3/{ROOMS}2 . . /. . . /. . . /# . . "),
    ("creek/2/2/gbg2a", "creek/2/2/. 1 . /. . 2 /0 . . /. # /. . "),
    ("shakashaka/3/1/2.g", "shakashaka/1/3/2 5 . /. . 2 "),
    ("yajilin/3/2/a41b2.+", "yajilin/2/3/. 4,1 . /. 2,- # /. . . /. # . "),
    ("kakuro/2/1/l003", "kakuro/1/2/0 0 0 /3 . . /1 2 "),
    ("kakuro/3/1/03l00", "kakuro/1/3/0 0 0 0 /0 3,0 . . "),
    ("tents/3/2/10g10i4", "tents/2/3/. 1 0 . /1 A 1 - /0 . . . "),
]


@pytest.mark.parametrize(("link", "file"), SAME)
def test_a_file_and_a_link_of_a_puzzle_are_alike(link: str, file: str) -> None:
    expected = fields(f"https://puzz.link/p?{link}")
    lines = f"pzprv3/{file}/"
    for text in (
        lines,
        lines.replace("/", "\n"),
        f"https://puzz.link/p?{lines.replace(' ', '%20')}",
        f"pzprv3.1/{file}",
    ):
        assert fields(text) == expected


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("nurikabe/2/2/2 ./", "line 6: expected 2 words, got 0"),
        ("nurikabe/2/2/2 ./q ./", "line 6: 'q' has no meaning here"),
        ("nurikabe/2/2/q ./. ./", "line 5: 'q' has no meaning here"),
        ("nurikabe/2/2/0 ./. ./", "line 5: clues of nurikabe takes numbers from 1, got 0"),
        ("mashu/2/2/5 . /. . /", "line 5: masyu cannot have 5 in pearls"),
        ("norinori/2/2/-1 /0 /0 0 /", "line 5: expected 0 or 1 for a border, got '-1'"),
        ("norinori/2/2/0 /0 /0 2 /", "line 7: expected 0 or 1 for a border, got '2'"),
        ("heyawake/2/2/2/0 a /0 1 /", "line 6: expected the number of a region, got 'a'"),
        ("nurikabe/2/2/2 .", "line 5: the file ends before the puzzle does"),
        ("nurikabe/0/2/2 .", "line 3: expected a number from 1 to 200, got '0'"),
        ("slither/1/2/f/2 .", "the flag f changes rules"),
        ("heyawake/1/2/1/0 0 /1 2 ", "line 7: a region has two numbers"),
        ("castle/1/1/. /. ", "files of castle are not read"),
        ("yajilin/1/2/. 5,1 ", "line 5: '5,1' has no meaning here"),
        ("kakuro/1/3/0 7 0 0 /0 3,0 . . ", "line 5: the sum 7 stands before a black cell"),
        ("tents/1/1/. 1 /1 x ", "line 6: 'x' has no meaning here"),
        ("neverheard/1/1/.", "no type has links of the name neverheard"),
        ("nurikabe/1/1/0", "line 5: clues of nurikabe takes numbers from 1, got 0"),
    ],
)
def test_a_wrong_file_is_refused_at_its_line(lines: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        links.read(f"pzprv3/{lines}")


def test_files_are_not_written() -> None:
    with pytest.raises(InputError, match="read, and not written"):
        links.notation("pzprv3").write(bound(kind_of("nurikabe"), "clues: |\n  2.\n  ..\n"))


@settings(max_examples=60)
@given(st.data())
def test_any_file_is_read_or_refused(data: st.DataObject) -> None:
    text = f"pzprv3/{data.draw(st.sampled_from([file for _, file in SAME]))}"
    at = data.draw(st.integers(7, len(text)))
    text = (
        text[:at]
        + data.draw(st.text("0129-.#c,/ax ", max_size=3))
        + text[at + data.draw(st.integers(0, 4)) :]
    )
    try:
        links.read(text)
    except InputError as error:
        assert str(error)
