"""Links of puzz.link: all shipped types that have them, published links,
and links that are wrong.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit import links, load
from puzzlekit.errors import InputError, Problems
from puzzlekit.lang import PuzzleType, read_type, type_of_text
from puzzlekit.links import puzzlink
from puzzlekit.links.link_format import links_of
from tests.links.bound import alike, bound, data_of
from tests.shipped import ROOT

TYPES = {
    path.stem: path
    for path in sorted((ROOT / "puzzles").glob("*.yaml"))
    if "\n  puzzlink:\n" in path.read_text("utf-8")
}
SPECS = {
    f"{name}/{path.stem}": path
    for name in TYPES
    for path in sorted((ROOT / "specs" / name).glob("*.yaml"))
}
BESIDE = [
    folder / "shared" / "data" / "links.jsonl" for folder in (ROOT.parent, ROOT.parent.parent)
]
PUBLISHED = next((path for path in BESIDE if path.is_file()), BESIDE[0])
NOT_CARRIED = {
    "hashi/three": "cannot carry most: 3",
    "kakurasu/first": "a missing number cannot be written",
    "fivecells/six": "cannot carry size: 6",
    "fivecells/ten": "cannot carry size: 10",
    "minesweeper/first": "cannot carry mines: 24",
    "minesweeper/parity": "cannot carry mines: 8",
    "minesweeper/tiny": "cannot carry mines: 6",
    "nonogram/rings": "cannot carry rings: true",
    "nonogram/unknown": "rows has a line without a clue, and in a link such a line has no runs",
    "numberlink/24x30": "cannot carry detours: false",
    "numberlink/35x48": "cannot carry detours: false",
    "skyscrapers/parks": "cannot carry highest: 4",
    "slitherlink/hexagons": "cannot carry",
    "slitherlink/hexagons_large": "cannot carry",
    "slitherlink/sheep": "cannot carry animals",
    "slitherlink/triangles": "cannot carry",
    "star_battle/holes": "cannot carry the hole of regions at r1c1",
    "statue_park/hexagons": "cannot carry cells: hexagons",
    "statue_park/triangles": "cannot carry cells: triangles",
    "sudoku/arrows": "cannot carry diagonals: true and arrows",
    "sudoku/even_odd": "cannot carry givens at r2c3: o cannot be written",
    "sudoku/jigsaw": "a link of sudoku cannot carry regions",
    "sudoku/knight": "cannot carry moves",
    "sudoku/samurai": "a square board with a side of 4, 6, 9, 16, 25",
    "sudoku/skyscrapers": "cannot carry outside: skyscrapers and top",
    "sudoku/ten": "a square board with a side of 4, 6, 9, 16, 25",
}  # the specs that a link cannot carry, and why


# the sudokus without a variant; a link can carry no other
PLAIN = (
    "ai_escargot",
    "easter_monster",
    "first",
    "golden_nugget",
    "inkala_2010",
    "inkala_2012",
    "seventeen",
    "six",
    "sixteen",
)


def kind_of(name: str) -> PuzzleType:
    return read_type(TYPES[name])


def fields(link: str) -> dict[str, object]:
    """The fields of the only spec in a link, without its source."""
    return {name: value for name, value in links.read_one(link).fields.items() if name != "source"}


@pytest.mark.sampled(110)
@pytest.mark.parametrize("spec", SPECS)
def test_every_spec_goes_out_and_comes_back(spec: str) -> None:
    name, title = spec.split("/")
    kind = kind_of(name)
    text = SPECS[spec].read_text("utf-8")
    if spec in NOT_CARRIED or (name == "sudoku" and title not in PLAIN):
        with pytest.raises(InputError, match=re.escape(NOT_CARRIED.get(spec, "cannot carry"))):
            puzzlink.write(bound(kind, text))
        return
    link = puzzlink.write(bound(kind, text))
    found = links.read_one(link)
    assert found.type == kind.name
    assert alike(kind, data_of(kind, found.text)) == alike(kind, data_of(kind, text))


def test_each_name_on_the_site_belongs_to_one_type() -> None:
    forms = [form for name in TYPES if (form := links_of(kind_of(name)).puzzlink) is not None]
    names = Counter(name for form in forms for name in (*form.names, *form.also))
    assert len(forms) >= 66
    assert [name for name, count in names.items() if count > 1] == []


# published links whose boards have what a type does not,
# or whose writers drew more than a board has
OTHERS = {
    "battleship/7/7/": "33bk is not a straight piece",
    "geradeweg/17/17/": "clues of geradeweg takes numbers from 1, got 0",
}
REDRAWN = {
    "country/10/12/": "borders inside a region",
    "shimaguni/10/10/tbq": "borders inside a region",
    "cocktail/10/10/107": "borders inside a region",
    "tentaisho/19/22/": "black dots",
    "doubleback/23/9/": "no borders between holes",
}


def published() -> list[dict[str, str]]:
    if not PUBLISHED.is_file():
        return []
    named = {
        name
        for kind in TYPES
        for form in [links_of(kind_of(kind)).puzzlink]
        if form
        for name in (*form.names, *form.also)
    }
    return [
        link
        for link in map(json.loads, PUBLISHED.read_text("utf-8").splitlines())
        if link["type"] in named
    ]


@pytest.mark.skipif(
    not PUBLISHED.is_file(), reason="the published links are not part of the project"
)
def test_published_links_are_read_and_written_again() -> None:
    for link in published():
        query = link["url"].split("?", 1)[1]
        if reason := next(
            (reason for begin, reason in OTHERS.items() if query.startswith(begin)), None
        ):
            with pytest.raises(Problems, match=re.escape(reason)):
                links.read_one(link["url"])
            continue
        redrawn = any(query.startswith(begin) for begin in REDRAWN)
        found = links.read_one(link["url"], ignore_symbols=redrawn)
        kind = kind_of(found.type)
        written = puzzlink.write(bound(kind, found.text)).split("?", 1)[1]
        if not redrawn:
            assert written.split("/", 1)[1].rstrip("/") == query.split("/", 1)[1].rstrip("/"), link[
                "url"
            ]


def test_a_link_becomes_a_spec_as_a_person_writes_it() -> None:
    assert links.read_one("https://puzz.link/p?heyawake/3/3/ega02g0").text == (
        "puzzle: heyawake\n"
        "source: https://puzz.link/p?heyawake/3/3/ega02g0\n"
        "rooms: |\n  AAB\n  ACB\n  CCB\n"
        "clues: |\n  2..\n  .0.\n  ...\n"
    )


@pytest.mark.parametrize(
    "link, expected",
    [
        ("masyu/3/3/962", {"pearls": ["w..", ".b.", "..b"]}),
        ("starbattle/3/3/2/ega0", {"stars": 2, "regions": ["AAB", "ACB", "CCB"]}),
        (
            "skyscrapers/3/3/3j2g1j",
            {"top": "3 . .", "bottom": ". . 2", "left": ". 1 .", "right": ". . ."},
        ),
        ("nonogram/3/3/2g111g111g2g", {"rows": ["1 1", "1", "2"], "columns": ["2", "1 1", "1"]}),
        ("tents/3/2/10g10i4", {"trees": [".T.", "..."], "rows": "1 0", "columns": "1 0 ."}),
        ("tentaisho/2/2/8f", {"circles": ["ov", ".."]}),
        ("sudoku/4/4/1g2", {"givens": ["1.2.", "....", "....", "...."], "box": "2x2"}),
        (
            "easyasabc/2/2/2/1g2",
            {"letters": "a b", "top": "a .", "bottom": "b .", "left": ". .", "right": ". ."},
        ),
        ("battleship/2/2/10000i//c", {"fleet": {3: 1, 2: 2, 1: 3}}),
        ("battleship/3/1/g1g00h/2/31s/11g", {"fleet": {3: 1, 1: 1}, "given": ["x.."]}),
        ("fourcells/2/2/7b2", {"clues": ["_.", ".2"], "size": 4}),
        ("suguru/2/1/01h8", {"givens": ["1_"], "regions": ["A_"]}),
        ("kakuro/2/1/l34h", {"board": ["\\   3\\ 4\\", "\\17 .  ."]}),
        ("araf/1/2/-10g", {"clues": ["16 _", ". _"]}),
        ("factors/2/2/o062", {"regions": ["AB", "AB"], "products": {"A": 6, "B": 2}}),
        ("nondango/3/1/gg", {"circles": [".oo"], "regions": ["ABB"]}),
        ("bosanowa/3/1/gg23", {"givens": ["_23"]}),
        (
            "statuepark/2/2/20//2/21o/22s",
            {"clues": ["..", "b."], "pieces": {"A": "##", "B": "##\n#."}},
        ),
        ("statuepark/2/2/20//t", {"clues": ["..", "b."]}),
        ("statuepark/2/2/20//5/22u/41u/23bg/23f/32t", {"pieces": None}),
        ("tapa/3/2/3ga6bn9./", {"clues": ["3   .    1?", "113 1111 ?"]}),
        ("tilepaint/2/1/gh.-101", {"tiles": ["AB"], "columns": ". 16", "rows": "1"}),
        ("coral/2/2/1g2g", {"columns": ["1", "[]"], "rows": ["2", "[]"]}),
        ("shugaku/3/1/57", {"posts": ["?.."]}),
        ("kakuro/2/1/l003", {"board": ["\\  \\ \\", "\\3 . ."], "gaps": None}),
        ("kakuro/2/1/l000", {"gaps": True}),
        ("hitori/2/1/1.", {"numbers": ["1."]}),
        ("pipelink/4/1/a1.", {"pieces": ["nsew o o ."]}),
        ("pipelinkr/i/2/1/i", {"pieces": [".."], "crossings": "circles"}),
        ("snake/3/1/gg.g", {"ends": ["oxo"], "rows": ".", "columns": ". . ."}),
        ("easyasabc/2/2/2/.g2", {"top": ". .", "bottom": "b ."}),
        ("numlin/3/1/1g.", {"numbers": ["1.?"]}),
        ("castle/2/1/11.a", {"colours": ["w."], "arrows": ["n."], "numbers": [".."]}),
        ("battleship/1/1/...//c", {"columns": ".", "rows": ".", "given": ["?"]}),
        ("box/2/2/1.23", {"columns": "1 .", "rows": "2 3"}),
    ],
)
def test_the_parts_of_a_link_fill_the_fields_of_a_spec(
    link: str, expected: dict[str, object]
) -> None:
    found = fields(f"https://puzz.link/p?{link}")
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    "link",
    [
        "https://puzz.link/p?nurikabe/2/2/2i",
        "https://puzz.link/p?nurikabe/2/2/2i/",
        "http://pzv.jp/p.html?nurikabe_edit/2/2/2i",
        "https://pzprxs.vercel.app/p?type=editor&nurikabe_play/2/2/2z",
        "puzz.link/p?nurikabe/2/2/2",
        " https://puzz.link/p?nurikabe%2F2%2F2%2F2i\n",
        "https://puzz.link/p?nurikabe/2/2/2i.0",
        "https://puzz.link/p?nurikabe/2/2/2i&id=7#top",
        "https://puzz.link/p?nurikabe%2F2%2F2%2F2i%26id%3D7",
        "https://puzz.link/p?nurikabe/2/2/2i%22",
        "<https://puzz.link/p?nurikabe/2/2/2i>",
    ],
)
def test_links_of_one_puzzle_are_written_in_many_ways(link: str) -> None:
    assert puzzlink.recognises(link)
    assert fields(link) == {"clues": ["2.", ".."]}


@pytest.mark.parametrize(
    "link, at, message",
    [
        ("slither/4/3/d7.bh!", 18, "'!' has no meaning here"),
        ("slither/4/3/d7/bh", 15, "'/' has no meaning here"),
        ("nurikabe/2/2/3-1", 15, "the text ends inside a value"),
        ("nurikabe/2/2/3-gg", 16, "'g' is not a digit from 0 to f"),
        ("nurikabe/2/2/3gggg", 18, "the link goes on after its last value"),
        ("nurikabe/2/2/0", 14, "clues of nurikabe takes numbers from 1, got 0"),
        ("mines/2/1/9g", 11, "clues of minesweeper takes numbers from 0 to 8, got 9"),
        ("nurikabe/0/2/", 10, "from 1 to 200 rows and columns, got 0"),
        ("nurikabe/9999999999999999999999/2/", 10, "from 1 to 200 rows and columns"),
        ("nurikabe/2", 10, "expected the height of the board"),
        ("nurikabe/2/x/", 12, "expected the height of the board, got 'x'"),
        ("nurikabe/v:/2/2/2", 10, "this is a variant"),
        ("slither/f/2/2/2", 9, "the flag f changes rules"),
        ("heyawake/3/3/ega", 14, "the borders of 3×3 cells have 4 characters, but 3 are left"),
        ("sudoku/5/5/1", 8, "expected a square board with a side of 4, 6, 9, 16, 25, got 5×5"),
        ("nondango/6/1/00", 16, "the link ends before the last value of circles"),
        ("statuepark/2/2/0i//2/21o/99z", 26, "99z is not a piece"),
        ("statuepark/2/2/0i//²/22u", 20, "how many pieces there are"),
        ("statuepark/2/2/0i//q", 20, "the set of pieces q is not known to statue_park"),
        ("tapa/2/1/zz2", 11, "the link goes on after its last value"),
        ("tapa/2/1/2dz", 11, "'d' has no meaning here"),
        ("tilepaint/2/1/g10", 16, "tilepaint has no field for this (number16)"),
        ("neverheard/2/2/2", 1, "no type has links of the name neverheard"),
        ("battleship/3/3/l/2/31s", 18, "how many pieces there are"),
    ],
)
def test_a_wrong_link_is_refused_at_its_place(link: str, at: int, message: str) -> None:
    head = "https://puzz.link/p?"
    with pytest.raises(Problems, match=re.escape(message)) as caught:
        links.read_one(head + link)
    (problem,) = caught.value.problems
    assert problem.position is not None
    assert (problem.position.path, problem.position.line, problem.position.column) == (
        "<link>",
        1,
        len(head) + at,
    )
    assert ("write the type before the link" in problem.help) is message.startswith(
        "no type has links"
    )


def some_links() -> list[str]:
    return [
        puzzlink.write(bound(kind_of(name), path.read_text("utf-8"))) for name, path in CUT.items()
    ]


CUT = {
    name: ROOT / "specs" / name / "tiny.yaml"
    for name in ("battleships", "kakuro", "castle_wall", "magnets", "abc_end_view")
}
CUT["castle_wall"] = CUT["castle_wall"].with_name("small.yaml")


def test_a_link_that_is_cut_anywhere_is_read_or_refused() -> None:
    for link in some_links():
        for end in range(link.index("?") + 1, len(link)):
            _read_or_refused(link[:end])


@settings(max_examples=30)
@given(st.data())
def test_a_link_with_other_characters_is_read_or_refused(data: st.DataObject) -> None:
    link = data.draw(st.sampled_from(some_links()))
    at = data.draw(st.integers(link.index("?"), len(link) - 1))
    other = data.draw(st.text("0123456789abgkvz.-+=@%*$/é²\x00 \n", max_size=4))
    _read_or_refused(link[:at] + other + link[at + data.draw(st.integers(0, 3)) :])


CARRIED = [spec for spec in SPECS if spec not in NOT_CARRIED]
SMALL = {
    spec.split("/")[0]: SPECS[spec]
    for spec in sorted(CARRIED, key=lambda spec: -SPECS[spec].stat().st_size)
}


@pytest.mark.sampled(30)
@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=12)
@given(data=st.data())
def test_any_link_that_is_read_is_written_and_read_back(name: str, data: st.DataObject) -> None:
    """Links of each type with other characters of the same alphabet:
    what they mean is what is written for it means.
    """
    kind = kind_of(name)
    link = puzzlink.write(bound(kind, SMALL[name].read_text("utf-8")))
    begin = link.index("/", link.index("?") + 1) + 1
    letters = [char for char in link[begin:] if char != "/"] or ["0"]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(begin, len(link) - 1))
        link = (
            link[:at]
            + data.draw(st.sampled_from(letters))
            + link[at + data.draw(st.integers(0, 1)) :]
        )
    try:
        found = links.read_one(link, kind)
        written = puzzlink.write(bound(kind, found.text))
    except InputError as error:
        assert str(error)
        return
    again = data_of(kind, links.read_one(written, kind).text)
    assert alike(kind, again) == alike(kind, data_of(kind, found.text))


def _read_or_refused(link: str) -> None:
    try:
        found = links.read_one(link)
    except InputError as error:
        assert str(error)
    else:
        if None not in found.fields.values():  # what the link does not tell
            data_of(kind_of(found.type), found.text)


def test_a_type_that_is_not_found_by_name_reads_links_for_itself() -> None:
    text = """
        puzzle: mine
        data: {clues: "grid[int | None]"}
        variables: {x: bool}
        links:
          puzzlink: {type: nurikabe, also: [islands], body: [number16: clues]}
    """
    kind = type_of_text("<type>", text)
    assert links.read_one("https://puzz.link/p?islands/2/1/3", kind).type == "mine"
    with pytest.raises(InputError, match="mine has no links of the name slither"):
        links.read_one("https://puzz.link/p?slither/2/1/3", kind)


def test_a_puzzle_is_loaded_from_a_link() -> None:
    puzzle = load(spec="https://puzz.link/p?lits/4/2/00u")
    assert puzzle.type.name == "lits"
    assert puzzle.spec.text("source") == "https://puzz.link/p?lits/4/2/00u"
    with pytest.raises(InputError, match="akari has no links of the name lits"):
        load("akari", "https://puzz.link/p?lits/4/2/00u")


@pytest.mark.parametrize(
    ("link", "field", "value"),
    [
        ("starbattle/4/4//vvvvvv", "stars", "1"),
        ("easyasabc/2/2//1", "letters", "a b"),
        ("battleship/2/1/g1g", "fleet", "{1: 1}"),
        ("statuepark/2/1/", "pieces", "{A: '#'}"),
    ],
)
def test_what_a_link_does_not_tell_is_supplied_by_a_setting(
    link: str, field: str, value: str
) -> None:
    address = f"https://puzz.link/p?{link}"
    assert fields(address)[field] is None
    with pytest.raises(
        Problems, match=rf"the field {field} is missing.*(?s:.*)settings\['{field}'\] supplies it"
    ):
        load(spec=address)
    try:
        load(spec=address, settings={field: value})
    except Problems as error:
        assert f"the field {field}" not in str(error)


def test_addresses_are_those_of_sites_that_can_carry_the_puzzle() -> None:
    first = bound(kind_of("heyawake"), Path(ROOT / "specs/heyawake/first.yaml").read_text("utf-8"))
    assert links.addresses(first)["puzz.link"].startswith("https://puzz.link/p?heyawake/8/8/")
    knight = load(None, ROOT / "specs/sudoku/knight.yaml").instance
    assert list(links.addresses(knight)) == ["f-puzzles.com"]
