"""Types: their sections, and what is wrong with them before there is data."""

import pytest

from puzzlekit.lang import bind, read_spec, type_of_text
from tests.lang.languages import problems_of, type_text

WHOLE = "puzzle: t\nvariables:\n  x[i]: bool for i in range(2)\n"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("variables:\n  x: bool\n", "a type begins with its name: puzzle: a_name, in letters, digits and _", ""),
        ("puzzle: a b\nvariables:\n  x: bool\n", "a type begins with its name: puzzle: a_name, in letters, digits and _", ""),
        ("puzzle: t\n", "a type has variables: what is unknown, and the values it may take", ""),
        ("puzzle: t\nvariables:\n", "a type has variables: what is unknown, and the values it may take", ""),
        ("puzzle: t\nvariables: x\n", "variables is a mapping: name: value, one a line", ""),
        (WHOLE + "ruels:\n  r: x[0]\n", "the section ruels is not known here", "did you mean rules?"),
        (WHOLE + "rules:\n  r:\n    a: b\n", "the rule r is an expression, and this is a mapping", None),
        (WHOLE + "rules:\n  r: [x, y]\n", "the rule r is an expression, and this is a list", None),
        (WHOLE + "rules:\n  r:\n", "an expression is missing here", ""),
        (
            WHOLE + "rules:\n  cell {j}: x[i] for i in range(2)\n",
            "the rule's name shows j, and no loop of the rule runs over it",
            "",
        ),
        (WHOLE + "data:\n  puzzle: int\n", "a field cannot be called puzzle: specs have a key of that name", ""),
        (WHOLE + "data:\n  x: int\n", "the name x is taken: line 5 has it", ""),
        (WHOLE + "let:\n  in: 1\n", "in is no name: expressions use the word otherwise", ""),
        (WHOLE + "let:\n  _a: 1\n", "'_a' is not a name: letters, digits and _, a letter first", ""),
        (WHOLE + "let:\n  a: x[0]\n", "x is not known here", None),
        (WHOLE + "auxiliary:\n  y[i: bool\n", "'y[i' declares no unknown: write name, name[i] or name[i, j]", ""),
        (WHOLE + "auxiliary:\n  y[i]: bool for j in range(2)\n", "no loop runs over i", "add: for i in …"),
        (WHOLE + "auxiliary:\n  y: bool for j in range(2)\n", "y has no index, and its domain runs over j", "write y[j]"),
        (WHOLE + "auxiliary:\n  y[i, i]: bool for i in range(2)\n", "y[i, i] has the same index twice", ""),
        (WHOLE + "auxiliary:\n  y[i]: x for i in range(2)\n", "x is not known here", None),
        (WHOLE + "show: y\n", "the unknown y is not known here", "known here: x"),
        (WHOLE + "show:\n  x: {color: x}\n", "the option color is not known here", "did you mean colour?"),
        (WHOLE + "show:\n  x: 1\n", "show x is a mapping: name: value, one a line", ""),
        (WHOLE + "show:\n  y: zz\n", "zz is not known here", None),
        (WHOLE + "then: other\n", "then is a mapping: name: value, one a line", ""),
        (WHOLE + "then:\n  other:\n", "then other gives that type its data: name: expression", ""),
        (WHOLE + "then:\n  other: {a: zz}\n", "zz is not known here", None),
        (WHOLE + "goals: minimise(x)\n", "goals is a mapping: name: value, one a line", ""),
        (WHOLE + "title: [a]\n", "title is text, and this is a list", ""),
        (WHOLE + "let:\n  a: 1 // 0\n", "this divides by zero", ""),
        (
            WHOLE + "let:\n  a: (None, 1)\nauxiliary:\n  y: a\n",
            "the domain of y has nothing (None) among its values",
            "distinct(…) leaves that out",
        ),
    ],
)
def test_what_is_wrong_with_a_type(text: str, message: str, hint: str | None) -> None:
    found = problems_of(text)
    assert message in [problem.message for problem in found]
    if hint is not None:
        assert next(problem.hint for problem in found if problem.message == message) == hint


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        (
            "[1, 2] == x",
            "the value ended before this",
            "where a value begins with a quote, [ or {: put the whole value in quotes",
        ),
        (
            "{1: 2} == x",
            "the value ended before this",
            "where a value begins with a quote, [ or {: put the whole value in quotes",
        ),
        ('"a" == x', "the value ended before this", "where a value begins with a quote, [ or {: put the whole value in quotes"),
        (
            "@x",
            "found character '@' that cannot start any token",
            "no value begins with this character: put the whole value in quotes",
        ),
        (
            "%x",
            "found character '%' that cannot start any token",
            "no value begins with this character: put the whole value in quotes",
        ),
        ("{1: 2}[x: 1]", "a colon and a blank stand inside a value", None),
        ("x: y", "a colon and a blank stand inside a value", "put the whole value in quotes"),
        ("[x[0]]", "expected ',' or ']', but got '['", None),
        ("&a x", "an anchor (&name) is not part of the language", "a value that begins with &: put the whole value in quotes"),
    ],
)
def test_expressions_that_yaml_reads_otherwise(value: str, message: str, hint: str | None) -> None:
    (problem,) = problems_of(WHOLE + f"rules:\n  r: {value}\n")
    if hint is not None:
        assert (problem.message, problem.hint) == (message, hint)
    assert problem.place is not None
    assert problem.place.line == 5


def test_a_type_need_have_no_rules_and_shows_what_is_not_auxiliary() -> None:
    puzzle = type_of_text("t", WHOLE + "auxiliary:\n  y: bool\n")
    assert [shown.name for shown in puzzle.show] == ["x"]
    made = bind(puzzle, read_spec("s", "title: a"))
    assert len(made.model.domains) == 3
    assert [variable.name for variable in made.model.visible()] == ["x[0]", "x[1]"]


def test_several_expressions_under_one_rule() -> None:
    made = bind(
        type_of_text("t", WHOLE + "rules:\n  r:\n    - x[0]\n    - x[i] for i in range(2)\n"), read_spec("s", "title: a")
    )
    assert [str(c.origin) for c in made.model.constraints] == ["r", "r (i = 0)", "r (i = 1)"]


def test_long_fields_and_sections() -> None:
    text = "puzzle: t\ntitle: A\n  title\nabout: >\n  one\n  two\n"
    text += "data:\n  n: {type: int, default: 3, about: a number}\nvariables:\n  x: bool\n"
    puzzle = type_of_text("t", text)
    assert (puzzle.name, puzzle.title, puzzle.about) == ("t", "A title", "one two")
    assert (str(puzzle.fields["n"]), puzzle.fields["n"].about) == ("n: int = 3", "a number")


def test_check_names_the_first_rule_that_is_broken() -> None:
    made = bind(type_of_text("t", type_text("x[i] == i for i in range(3)")), read_spec("s", "title: a"))
    solution = {variable: domain[0] for variable, domain in made.model.domains.items()}
    origin = made.check(solution)
    assert str(origin) == "r (i = 1)"


def test_a_rule_without_a_value_does_not_hold() -> None:
    made = bind(type_of_text("t", type_text("[1, 2][x[0]] == 1")), read_spec("s", "title: a"))
    solution = {variable: domain[-1] for variable, domain in made.model.domains.items()}
    assert str(made.check(solution)) == "r"
