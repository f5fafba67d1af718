"""The section `links` of a type, and what `check` says about a wrong one."""

import pytest

from puzzlekit.errors import Problems
from puzzlekit.lang import PuzzleType, type_of_text
from puzzlekit.links.link_format import links_of

TYPE = """
puzzle: p
data:
  clues: grid[int | None]
  signs: {type: "grid[choice(w, b) | None]", like: clues}
  regions: {type: "grid[symbol]", like: clues}
  rows: list[int | None]
  stars: int = 1
variables: {x: bool}
links:
"""


def made(section: str) -> PuzzleType:
    return type_of_text("<type>", TYPE + section)


GOOD = """
  puzzlink:
    type: {one: {}, two: {}}
    also: [single, the-one]
    flags: {b: {}}
    body:
    - border: regions
    - rooms: clues
    - circle: signs
      values: {w: 1, b: [2, 1]}
    - /
    - count: stars
      optional: yes
"""


def test_the_form_of_links_is_read() -> None:
    text = TYPE.replace("  rows: list[int | None]\n", "") + GOOD
    form = links_of(type_of_text("<type>", text)).puzzlink
    assert form is not None
    assert (list(form.names), form.also, list(form.flags)) == (
        ["one", "two"],
        ("single", "the-one"),
        ["b"],
    )
    assert [layer and layer.name for layer in form.body] == [
        "border",
        "rooms",
        "circle",
        None,
        "count",
    ]
    assert form.layers[2].values == {"signs": {"w": (1,), "b": (2, 1)}}
    assert form.filled == {"regions", "clues", "signs", "stars"}
    assert form.settings("the-one") == {}
    assert form.settings("three") is None


def test_parts_of_boards_have_fields() -> None:
    kind = made("  fpuzzles: {grid: clues, odd: {signs: w}}")
    assert links_of(kind).board_parts == {"grid": ("clues", ""), "odd": ("signs", "w")}


def test_fields_stand_in_places_of_drawings() -> None:
    kind = made(
        "  penpa: {_: shade, regions: regions, rows: [top plus, left], signs: {white_circle: "
        "w}, stars: not shown}"
    )
    places = {
        "regions": "regions",
        "rows": ["top plus", "left"],
        "signs": {"white_circle": ["w"]},
        "stars": "not shown",
    }
    assert links_of(kind).drawn == {"_": ["shade"], **places}
    with pytest.raises(Problems, match="there is no place middle"):
        made("  penpa: {clues: [texts, middle]}")


def test_a_type_without_the_section_has_no_links() -> None:
    assert links_of(made("  # nothing\n")).puzzlink is None


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("  puzlink: {}", "there is no notation puzlink"),
        ("  fpuzzles: {thermomter: rows}", "there is no part thermomter"),
        ("  fpuzzles: {grid: clue}", "there is no field clue"),
        ("  fpuzzles: {odd: {sign: o}}", "there is no field sign"),
        ("  fpuzzles: {odd: {}}", "expected one field and its value, got 0"),
        ("  fpuzzles: yes", "expected"),
        ("  puzzlink: {body: []}", "links require type:"),
        ("  puzzlink: {type: one}", "links require body:"),
        ("  puzzlink: {type: One, body: []}", "'One' is not a name on the site"),
        ("  puzzlink: {type: one, name: two, body: []}", "there is no key name"),
        ("  puzzlink: {type: {one: {clue: 2}}, body: []}", "there is no field clue"),
        ("  puzzlink: {type: {one: {stars: many}}, body: []}", "'many' is not a whole number"),
        (
            "  puzzlink: {type: one, flags: {bb: {}}, body: []}",
            "a flag is one small letter, got 'bb'",
        ),
        (
            "  puzzlink: {type: one, sizes: {big: {}}, body: []}",
            "expected the side of a board, got 'big'",
        ),
        ("  puzzlink: {type: one, body: [number61: clues]}", "there is no layer or key number61"),
        ("  puzzlink: {type: one, body: [number16: clue]}", "there is no field clue"),
        (
            "  puzzlink: {type: one, body: [number16: rows]}",
            "number16 does not fill a list[int | None]: it requires a board",
        ),
        (
            "  puzzlink: {type: one, body: [count: clues]}",
            "it requires a single value or list[…]",
        ),
        ("  puzzlink: {type: one, body: [outside: rows]}", "outside fills 2 or 4 fields, got 1"),
        (
            "  puzzlink: {type: one, body: [circle]}",
            "expected LAYER: FIELD or / as a layer, got text",
        ),
        ("  puzzlink: {type: one, body: [{circle: signs, bits: signs}]}", "a layer has one name"),
        ("  puzzlink: {type: one, body: [{values: {}}]}", "a layer requires a name"),
        (
            "  puzzlink: {type: one, body: [{circle: signs, values: {g: 1}}]}",
            "the field signs does not take 'g'",
        ),
        (
            "  puzzlink: {type: one, body: [{circle: signs, values: some}]}",
            "expected a mapping of values, or letters",
        ),
        (
            "  puzzlink: {type: one, body: [{circle: signs, optional: perhaps}]}",
            "expected yes or no",
        ),
        (
            "  puzzlink: {type: one, body: [{border: regions, except: {x: y}}]}",
            "there is no field x",
        ),
        (
            "  puzzlink: {type: one, body: [rooms: clues]}",
            "rooms require a layer border: before them",
        ),
        (
            "  puzzlink: {type: one, body: [number16: clues, number10: clues]}",
            "two layers fill clues",
        ),
        ("  puzzlink: {type: one, body: [number16: clues]}", "no layer fills the field signs"),
        (
            "  puzzlink: {type: one, body: [{bank: clues, sets: {d: {4: x}}}]}",
            "how many pieces there are of each length",
        ),
    ],
)
def test_a_wrong_section_is_reported(section: str, message: str) -> None:
    with pytest.raises(Problems) as caught:
        made(section)
    assert message in str(caught.value)
    assert all(
        problem.position is not None and problem.position.line >= 11
        for problem in caught.value.problems
    )
