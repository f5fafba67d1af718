"""Types: their sections, and what is wrong with them before there is data."""

import re
from collections import Counter
from pathlib import Path

import pytest

from puzzlekit.lang import bind, read_spec, read_type, type_of_text
from tests.lang.languages import problems_of, type_text

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs" / "language.md"
TYPES = sorted((ROOT / "puzzles").glob("*.yaml"))
NO_LOOP, NONE = "but the rule has no loop over it", "the domain of y contains None"
WHOLE = "puzzle: t\nvariables:\n  x[i]: bool for i in range(2)\n"


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        (
            "variables:\n  x: bool\n",
            "a type requires a name: write puzzle: a_name, in letters, digits and _",
            "",
        ),
        (
            "puzzle: a b\nvariables:\n  x: bool\n",
            "a type requires a name: write puzzle: a_name, in letters, digits and _",
            "",
        ),
        ("puzzle: t\n", "a type requires variables: the unknowns and the values they may take", ""),
        (
            "puzzle: t\nvariables:\n",
            "a type requires variables: the unknowns and the values they may take",
            "",
        ),
        (
            "puzzle: t\nvariables: x\n",
            "expected variables to be a mapping, got text",
            "write name: value, each on a line",
        ),
        (WHOLE + "ruels:\n  r: x[0]\n", "there is no section ruels", "did you mean rules?"),
        (
            WHOLE + "rules:\n  r:\n    a: b\n",
            "expected an expression as the rule r, got a mapping",
            None,
        ),
        (WHOLE + "rules:\n  r: [x, y]\n", "expected an expression as the rule r, got a list", None),
        (WHOLE + "rules:\n  r:\n", "an expression is missing here", ""),
        (
            WHOLE + "rules:\n  cell {j}: x[i] for i in range(2)\n",
            f"the name of the rule shows j, {NO_LOOP}",
            "",
        ),
        (
            WHOLE + "rules:\n  cell {i + 1}: x[i] for i in range(2)\n",
            f"the name of the rule shows i + 1, {NO_LOOP}",
            "",
        ),
        (
            WHOLE + "data:\n  puzzle: int\n",
            "a field cannot be called puzzle: every spec has that key",
            "",
        ),
        (
            WHOLE + "data:\n  variables: int\n",
            "a field cannot be called variables: a type has a section of that name",
            "",
        ),
        (
            WHOLE + "data:\n  board: size\nlet:\n  b: board(2, 3)\n",
            "board is not a function here",
            "board in line 5, under data, hides the function: give it another name",
        ),
        (
            WHOLE + "data:\n  a: {type: 'grid[int]', like: b}\n  b: grid[int]\n",
            "the field b is declared below",
            "declare b before a",
        ),
        (WHOLE + "data:\n  x: int\n", "the name x is already used in line 5", ""),
        (
            WHOLE + "let:\n  in: 1\n",
            "in cannot be a name: it is a word of the expression language",
            "",
        ),
        (
            WHOLE + "let:\n  _a: 1\n",
            "'_a' is not a name: use letters, digits and _, beginning with a letter",
            "",
        ),
        (WHOLE + "let:\n  a: x[0]\n", "x is not known here", None),
        (
            WHOLE + "auxiliary:\n  y[i: bool\n",
            "'y[i' does not declare an unknown: write name, name[i] or name[i, j]",
            "",
        ),
        (
            WHOLE + "auxiliary:\n  y[i]: bool for j in range(2)\n",
            "there is no loop over i",
            "add: for i in …",
        ),
        (
            WHOLE + "auxiliary:\n  y: bool for j in range(2)\n",
            "y has no index, but its domain loops over j",
            "write y[j]",
        ),
        (
            WHOLE + "auxiliary:\n  y[i, i]: bool for i in range(2)\n",
            "y[i, i] has the same index twice",
            "",
        ),
        (WHOLE + "auxiliary:\n  y[i]: x for i in range(2)\n", "x is not known here", None),
        (WHOLE + "show: y\n", "there is no unknown y", "known here: x"),
        (WHOLE + "show:\n  x: {color: x}\n", "there is no option color", "did you mean colour?"),
        (
            WHOLE + "show:\n  x: 1\n",
            "expected show x to be a mapping, got text",
            "write name: value, each on a line",
        ),
        (WHOLE + "show:\n  y: zz\n", "zz is not known here", None),
        (
            WHOLE + "then: other\n",
            "expected then to be a mapping, got text",
            "write name: value, each on a line",
        ),
        (
            WHOLE + "then:\n  other:\n",
            "expected a mapping as then other",
            "write name: expression for each field of that type",
        ),
        (WHOLE + "then:\n  other: {a: zz}\n", "zz is not known here", None),
        (
            WHOLE + "goals: minimise(x)\n",
            "expected goals to be a mapping, got text",
            "write name: value, each on a line",
        ),
        (WHOLE + "title: [a]\n", "expected text as title, got a list", ""),
        (WHOLE + "group: [a]\n", "expected text as group, got a list", ""),
        (
            WHOLE + "group: a b\n",
            "'a b' is not a name: use letters, digits, _ and -",
            "write group: a_b",
        ),
        (
            WHOLE + "aliases: a b\n",
            "'a b' is not a name: use letters, digits, _ and -",
            "write aliases: [a, b]",
        ),
        (WHOLE + "tags: [a, ä]\n", "'ä' is not a name: use letters, digits, _ and -", ""),
        (WHOLE + "tags:\n", "'' is not a name: use letters, digits, _ and -", ""),
        (WHOLE + "tags: [a, [b]]\n", "expected text as tags, got a list", ""),
        (WHOLE + "aliases: [a, b, a]\n", "a is given twice in aliases", "keep one of them"),
        (WHOLE + "let:\n  a: 1 // 0\n", "division by zero", ""),
        (WHOLE + "let:\n  a: (None, 1)\nauxiliary:\n  y: a\n", NONE, "distinct(…) leaves None out"),
    ],
)
def test_what_is_wrong_with_a_type(text: str, message: str, help: str | None) -> None:
    found = problems_of(text)
    assert message in [problem.message for problem in found]
    if help is not None:
        assert next(problem.help for problem in found if problem.message == message) == help


def test_a_type_says_where_it_belongs() -> None:
    made = type_of_text("t.yaml", WHOLE + "aliases: [other, an-other]\ngroup: loops\ntags: small\n")
    assert (made.aliases, made.group, made.tags) == (("other", "an-other"), "loops", ("small",))
    bare = type_of_text("t.yaml", WHOLE)
    assert (bare.aliases, bare.group, bare.tags) == ((), "", ())


def test_each_shipped_type_belongs_to_a_group_of_the_docs() -> None:
    listed = re.search(
        r"are in the groups(.*?)\.\n", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL
    )
    assert listed
    groups = {path.stem: read_type(path).group for path in TYPES}
    assert {name: group for name, group in groups.items() if f"`{group}`" not in listed[1]} == {}


def test_no_two_shipped_types_share_a_name() -> None:
    names = [name for path in TYPES for name in (path.stem, *read_type(path).aliases)]
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_a_key_that_is_indented_too_far_is_reported_as_such() -> None:
    (problem,) = problems_of("puzzle: x\ntitle: y\n about: z\n")
    assert problem.message == "this key is indented further than the one above"
    assert problem.position is not None and problem.position.line == 3


ENDED, QUOTE = (
    "the value ended before this",
    "if a value begins with a quote, [ or {: quote the whole value",
)
BEGINS, NO_TOKEN = (
    "a value cannot begin with this character: quote the whole value",
    "that cannot start any token",
)
COLON = "a value contains a colon and a blank"
LIST, CLOSE = (
    "expected , or ] in this list, got [ in line 5, column 8",
    "if it is an expression, quote the whole value",
)
ANCHOR = "an anchor (&name) is not part of the language"


@pytest.mark.parametrize(
    ("value", "message", "help"),
    [
        ("[1, 2] == x", ENDED, QUOTE),
        ("{1: 2} == x", ENDED, QUOTE),
        ('"a" == x', ENDED, QUOTE),
        ("@x", f"found character '@' {NO_TOKEN}", BEGINS),
        ("%x", f"found character '%' {NO_TOKEN}", BEGINS),
        ("{1: 2}[x: 1]", COLON, None),
        ("x: y", COLON, "quote the whole value"),
        ("[x[0]]", LIST, f"close it with ]; {CLOSE}"),
        (
            "{x: 1",
            "expected } to close this mapping, got the end of the file",
            f"close it with }}; {CLOSE}",
        ),
        ("&a x", ANCHOR, "if a value begins with &: quote the whole value"),
    ],
)
def test_expressions_that_yaml_reads_otherwise(value: str, message: str, help: str | None) -> None:
    (problem,) = problems_of(WHOLE + f"rules:\n  r: {value}\n")
    if help is not None:
        assert (problem.message, problem.help) == (message, help)
    assert problem.position is not None
    assert problem.position.line == 5


def test_a_type_need_have_no_rules_and_shows_what_is_not_auxiliary() -> None:
    puzzle = type_of_text("t", WHOLE + "auxiliary:\n  y: bool\n")
    assert [shown.name for shown in puzzle.show] == ["x"]
    made = bind(puzzle, read_spec("s", "title: a"))
    assert len(made.model.domains) == 3
    assert [variable.name for variable in made.model.visible()] == ["x[0]", "x[1]"]


def test_several_expressions_under_one_rule() -> None:
    made = bind(
        type_of_text("t", WHOLE + "rules:\n  r:\n    - x[0]\n    - x[i] for i in range(2)\n"),
        read_spec("s", "title: a"),
    )
    assert [str(c.origin) for c in made.model.constraints] == ["r", "r (i = 0)", "r (i = 1)"]


def test_long_fields_and_sections() -> None:
    text = "puzzle: t\ntitle: A\n  title\nabout: >\n  one\n  two\n"
    text += "data:\n  n: {type: int, default: 3, about: a number}\nvariables:\n  x: bool\n"
    puzzle = type_of_text("t", text)
    assert (puzzle.name, puzzle.title, puzzle.about) == ("t", "A title", "one two")
    assert (str(puzzle.fields["n"]), puzzle.fields["n"].about) == ("n: int = 3", "a number")


def test_check_names_the_first_rule_that_is_broken() -> None:
    made = bind(
        type_of_text("t", type_text("x[i] == i for i in range(3)")), read_spec("s", "title: a")
    )
    solution = {variable: domain[0] for variable, domain in made.model.domains.items()}
    origin = made.check(solution)
    assert str(origin) == "r (i = 1)"


def test_a_rule_without_a_value_does_not_hold() -> None:
    made = bind(type_of_text("t", type_text("[1, 2][x[0]] == 1")), read_spec("s", "title: a"))
    solution = {variable: domain[-1] for variable, domain in made.model.domains.items()}
    assert str(made.check(solution)) == "r"


@pytest.mark.parametrize(
    ("spec", "rules"),
    [
        ("n: 1", "Say a."),
        ("n: 2", "Say a. There are several."),
        ("l: [1]\nway: up", "Say a. They are listed. It goes up."),
        ("l: []\nway: down\nb: no", "Say a."),
        ("c: no", "Say a. It is false."),
    ],
)
def test_the_rules_of_a_puzzle_are_those_of_its_fields(spec: str, rules: str) -> None:
    fields = """
  n: {type: int, default: 1, rule: There are several.}
  l: {type: "list[int]", default: [], rule: They are listed.}
  b: {type: bool, default: yes, rule: It is true.}
  c: {type: bool, default: yes, rule: {no: It is false.}}
  way: {type: "choice(left, up, down)", default: left, rule: {up: It goes up., left: It goes left.}}
"""
    text = f"puzzle: t\nabout: Say a.\ndata:{fields}variables: {{x: bool}}\n"
    assert bind(type_of_text("t.yaml", text), read_spec("s.yaml", spec)).about == rules


@pytest.mark.parametrize(
    ("spec", "rules"), [("l: []", "Say a. There are 2."), ("n: 3", "Say a. There are 3.")]
)
def test_a_rule_that_shows_the_value_is_added_for_the_default_too(spec: str, rules: str) -> None:
    fields = """
  n: {type: int, default: 2, rule: "There are {n}."}
  l: {type: "list[int]", default: [], rule: "There are {n}, {l}."}
"""
    text = f"puzzle: t\nabout: Say a.\ndata:{fields}variables: {{x: bool}}\n"
    assert bind(type_of_text("t.yaml", text), read_spec("s.yaml", spec)).about == rules
