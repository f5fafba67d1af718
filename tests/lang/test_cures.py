"""What a newcomer writes at first, and the message that says what to write instead."""

import pytest

from puzzlekit.api.values import plain
from puzzlekit.errors import Problem, nearest
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.lang.data.type_syntax import parse_field_type
from tests.lang.languages import problems_of, type_with

BETWEEN = "write between(1, 4) for the values of an unknown, range(1, 5) for a loop"
NOT_PART = "is not part of the language"
GIVEN = "g: |\n  ..\n  ..\n"


def problem(
    rule: str = "len(d) == 4", data: str = "", spec: str = "", grid: str = "grid[int | None]"
) -> Problem:
    """The only problem of a type with this rule, and of a spec with these lines."""
    text = (
        f"puzzle: t\ndata:\n  g: {grid}\n{data}variables:\n  d[c]: between(1, 4) for c in g.cells\n"
        f"  line[e]: bool for e in g.adjacent\n  side[e]: bool for e in g.edges\nrules:\n"
        f"  r: |\n    {rule}\n"
    )
    (found,) = problems_of(text, spec if spec.startswith("g:") else GIVEN + spec)
    return found


@pytest.mark.parametrize(
    ("spec", "message", "help"),
    [
        ("r: ? a: 3", "a value contains a colon and a blank", "quote the whole value"),
        (
            "r: - 2 3",
            "a value begins with - and a blank",
            "quote the whole value, or write it on the lines below |",
        ),
        (
            "r: * 2 3",
            "a value begins with * or & and a blank",
            "quote the whole value, or write it on the lines below |",
        ),
        ("r: [?, 2]", "expected int | choice(?), got a mapping", "quote a ? in a list: '?'"),
        (
            "r: #2 3",
            "expected list[int | choice(?)], got nothing",
            "# begins a comment: quote the whole value",
        ),
        ("r:", "expected list[int | choice(?)], got nothing", ""),
        ("r: [{a: 1}]", "expected int | choice(?), got a mapping", ""),
    ],
)
def test_values_that_yaml_reads_otherwise(spec: str, message: str, help: str) -> None:
    found = problem(data="  r: list[int | choice(?)]\n", spec=spec)
    assert (found.message, found.help) == (message, help)


@pytest.mark.parametrize(
    ("rule", "message", "column"),
    [
        (
            "line[e] => d[e[0]] < 3 for e in line",
            "=> is not part of the language: write implies(p, q), or >= for at least",
            13,
        ),
        (
            "line[e] -> d[e[0]] < 3 for e in line",
            "-> is not part of the language: write implies(p, q), or >= for at least",
            13,
        ),
        (
            "if d[c] == 1 then d[c] == 2",
            "then is not part of the language: write implies(p, q) for if p, then q",
            18,
        ),
        ("d[c] > 1 && d[c] > 2 for c in g.cells", "&& is not part of the language: write and", 14),
        ("d[c] > 1 || d[c] > 2 for c in g.cells", "|| is not part of the language: write or", 14),
        ("!line[e] for e in g.adjacent", "! is not part of the language: write not", 5),
        ("d[c] <> 1 for c in g.cells", "<> is not part of the language: write !=", 10),
        ("d[c] ≠ 1 for c in g.cells", "≠ is not part of the language: write !=", 10),
        (
            "d[c] == 1 <=> d[c] == 2 for c in g.cells",
            "<=> is not part of the language: write iff(p, q)",
            15,
        ),
        (
            "d[c] == 1 iff d[c] == 2 for c in g.cells",
            "iff is not part of the language: write iff(p, q)",
            15,
        ),
        (
            "d[c] == 1 implies d[c] == 2 for c in g.cells",
            "implies is not part of the language: write implies(p, q)",
            15,
        ),
        ("d[c] in 1..4 for c in g.cells", f".. {NOT_PART}: {BETWEEN}", 14),
        ("d[c] in 1..n for c in g.cells", f".. {NOT_PART}: {BETWEEN}", 14),
        ("d[c] in n..4 for c in g.cells", f".. {NOT_PART}: {BETWEEN}", 14),
        ("d[g.cells[0]] and (1, 2)[7] == 1", "expected a condition, got d[r1c1]", 5),
        (
            "d[c] for c in g.cells if (1, 2, 3)[c.column * c.row] > 0",
            "expected a condition as the rule, got d[r1c1]",
            6,
        ),
        ("d[c] =! 1 for c in g.cells", f"=! {NOT_PART}: write !=", 10),
        (
            "if d[g.cells[0]] == 1: d[g.cells[1]] == 2",
            f"if d[g.cells[0]] == {NOT_PART}: write implies(p, q) for if p: q",
            5,
        ),
        ("d[c] = 1 for c in g.cells", f"= {NOT_PART}: write == to compare", 10),
        ("d = 1", f"= {NOT_PART}: write == to compare", 7),
        ("d[c] ** 2 == 4 for c in g.cells", f"** {NOT_PART}: write a * a", 5),
        ("d[c] === 1 for c in g.cells", "=== is not part of the language: write ==", 10),
        ("d[c] ≤ 1 for c in g.cells", "≤ is not part of the language: write <=", 10),
        ("d[c] ≥ 1 for c in g.cells", "≥ is not part of the language: write >=", 10),
        (
            "len(box) == 9 for box in g.boxes(3x3)",
            "3x3 is not part of the language: write (3, 3) for 3x3",
            38,
        ),
        (
            "0x10 == 3 3",
            "this is not an expression: invalid syntax. Perhaps you forgot a comma?",
            5,
        ),
        (
            "'=> && !' == 3 3",
            "this is not an expression: invalid syntax. Perhaps you forgot a comma?",
            5,
        ),
    ],
)
def test_signs_of_other_languages(rule: str, message: str, column: int) -> None:
    found = problem(rule)
    assert found.position is not None
    assert (found.message, found.position.column) == (message, column)


@pytest.mark.parametrize(
    ("rule", "help"),
    [
        ("line[e] == true for e in g.adjacent", "write True"),
        ("d[c] == null for c in g.cells", "write None"),
        (
            "int(3) == 3",
            (
                "between(1, 9) has the values 1 to 9; number('12') reads a text as a number; "
                "a condition counts as 0 or 1 in a sum"
            ),
        ),
        ("tuple(d) == 3", "write ( ), or row(xs)"),
        ("d(c) == 1 for c in g.cells", "write d[…]"),
        ("exists(d[c] == 1 for c in g.cells)", "write any(… for x in …)"),
        ("forall(c in g.cells)(d[c] == 1)", "a loop stands last: all(… for x in …)"),
        (
            "len(runs(d[c] == 1 for c in g.cells)) == 2",
            "compare runs(…) with known rows of lengths",
        ),
        (
            "len(until(g.cells, (d[c] == 1 for c in g.cells))) == 2",
            "leading(…) counts the unknown conditions that hold first",
        ),
        ("len(segments(g.cells, d[g.cells])) == 2", "runs(…) has the runs of unknowns"),
        ("prod(d) == 3", "did you mean product?"),
        ("alldifferent(d)", "did you mean all_different?"),
        ("neighbors(d) == 3", "known here: d"),
        ("(d[c] > 1 if d[c] > 2) for c in g.cells", "write implies(p, q) for if p, then q"),
        ("for c in g.cells: d[c] == 1", "a loop stands last: d[c] == 1 for c in g.cells"),
        (
            "sum(line[c, n] for n in g.neighbours(c)) == 2 for c in g.cells",
            "write line[edge(a, b)] for the pair of a and b",
        ),
        ("not line", "write line[c] for one of them, all(…) or any(…) for several"),
        ("d[c] == 1 or (1, 2) for c in g.cells", "write all(…) or any(…) for a row of conditions"),
        ("len(n) == 1 for n in g.neighbours", "write its arguments after it: neighbours(…)"),
        ("line[cell(1, 1)]", "its indexes are pairs, as in line[edge(a, b)]"),
        ("side[g.corners[1], g.corners[0]]", "write side[edge(a, b)] for the pair of a and b"),
        ("side[g.corners[0]]", "its indexes are pairs, as in side[edge(a, b)]"),
        ("d[cell(1, 1), cell(9, 9)] == 1", ""),
        ("line[cell(5, 5)]", ""),
        ("d[g.rows[c.row][1]] == 1 for c in g.cells", "positions count from 0"),
        ("d[r1c12] == 1", "write cell(1, 12)"),
        ("d[R2C1] == 1", "write cell(2, 1)"),
    ],
)
def test_names_and_indexes(rule: str, help: str) -> None:
    assert problem(rule).help.split(", ")[0] == help.split(", ")[0]


@pytest.mark.parametrize(
    ("kind", "help"),
    [
        ("str", "write text, or symbol for text without blanks"),
        ("number", "write int"),
        ("list[boolean]", "write bool"),
        ("int?", "write | None after the type of a value that may be missing"),
        ("list[int | none]", "write None"),
        ("int 2..", "2.. is a range: write a type and `in` before it, as in int in 2.."),
        ("grid[int | None] 0..n", "0..n is a range: write a type and `in` before it"),
        ("list[int -1..4]", "-1..4 is a range"),
        ("1..4", "as in int in 1..4"),
        ("between(1, 4)", "as in int in between(1, 4)"),
    ],
)
def test_types_of_other_languages(kind: str, help: str) -> None:
    assert help in problem(data=f"  r: {kind}\n", spec="r: 1\n").message


@pytest.mark.parametrize("item", ["~", "null", "None", "_"])
def test_a_value_that_is_missing(item: str) -> None:
    found = problem(data="  r: list[int | None]\n", rule="len(r) == 2", spec=f"r: [{item}, 3]\n")
    assert found.help == "a value that is missing is written ."


def test_a_list_of_mappings_for_the_signs() -> None:
    show = "show:\n  picture:\n    signs:\n    - star: x\n    - dot: x\n"
    found = problems_of(f"puzzle: t\nvariables:\n  x: bool\nrules: {{r: x}}\n{show}")
    assert (
        found[0].help
        == "a list holds expressions; names, such as those of signs, stand together in one mapping"
    )


def test_quotes_around_the_names_of_a_choice() -> None:
    kind = parse_field_type("""grid[int | choice('?', "x", b) | None]""").type
    assert str(kind) == "grid[int | choice(?, x, b) | None]"


@pytest.mark.parametrize(
    ("section", "line", "why"),
    [
        ("define:\n  a: b + 1\n  b: 2\n", 6, "under define: a definition uses those above it"),
        ("let:\n  a: b + 1\n  b: 2\n", 6, "under let: data cannot use it"),
        (
            "let:\n  a: x + 1\n",
            3,
            "under variables: data, let, require, info and the domains of unknowns cannot",
        ),
    ],
)
def test_names_that_are_declared_later(section: str, line: int, why: str) -> None:
    found = problems_of(
        f"puzzle: t\nvariables:\n  x: between(1, 9)\n{section}rules: {{r: x == 1}}\n"
    )
    assert found[0].help.startswith(f"it is declared in line {line}, {why}")


@pytest.mark.parametrize(
    ("grid", "value", "signs"), [("grid[letter]", "a", "#-*"), ("grid[int | None]", "1", "#*")]
)
def test_signs_of_holes(signs: str, grid: str, value: str) -> None:
    for sign in signs:
        assert (
            problem(grid=grid, spec=f"g: |\n  {value}{sign}\n").help
            == "write _ for a hole, which is no cell"
        )


@pytest.mark.parametrize(
    ("field", "spec", "value"),
    [
        ("list[int | None]", "? - 3", [None, None, 3]),
        ("list[int | choice(?) | None]", "[., '?', '-', 3]", [None, "?", None, 3]),
        ("list[list[int | choice(?)] | None]", "|\n  1 ?\n  .\n  []", [[1, "?"], None, []]),
        ("grid[int | None]", "|\n  - 3 -1", [[None, 3, -1]]),
        ("grid[choice(-) | None]", "|\n  -.", ["-."]),
        ("grid[int | None]", "\n- [1, .]\n- ['-', 12]", [[1, None], [None, 12]]),
        ("grid[digit | choice(e) | None]", "|\n  A e\n  . 9", [[10, "e"], [None, 9]]),
    ],
)
def test_other_signs_of_what_is_left_out(field: str, spec: str, value: object) -> None:
    data = bind(
        type_of_text("type.yaml", type_with(repr(field))), read_spec("spec.yaml", f"f: {spec}\n")
    ).data
    assert plain(data["f"]) == value


def test_every_value_that_must_be_quoted_is_told() -> None:
    text = (
        "puzzle: t\nvariables:\n  x: bool\nrules:\n  a: {x: 1} == x\n  b: @x\n  c: all({1: x})\n"
        "  d: x\n"
    )
    assert [problem.position.line for problem in problems_of(text) if problem.position] == [5, 6, 7]


def test_a_blank_line_is_no_unknown_list() -> None:
    found = problem(
        data="  r: list[list[int] | None]\n", rule="len(r) == 2", spec="r: |\n  1\n\n  2\n"
    )
    assert (found.message, found.help) == ("this line is blank", "write [] for an empty item")


def test_a_hint_has_similar_names_of_many_and_all_of_few() -> None:
    many = [f"name_{letter}" for letter in "abcdefghijklmnop"] + ["row", "rows_of"]
    assert nearest("rwo", many).startswith("did you mean row")
    assert nearest("rrrow_xyz", many).startswith("the nearest names: row")
    assert nearest("zzz", many).startswith("known here: name_a, name_b") and nearest(
        "zzz", many
    ).endswith(", …")
    assert nearest("zzz", ["a", "b"]) == "known here: a, b"
    assert nearest("q" * 9, [f"{n:x}" for n in range(1000)]).startswith("known here: 0, 1, 2")


@pytest.mark.parametrize(
    ("kind", "help"),
    [("choice(b, #) = b", "# begins a comment: quote the whole type"), ("chioce", "")],
)
def test_a_type_that_a_comment_cuts(kind: str, help: str) -> None:
    found = problem(data=f"  r: {kind}\n")
    assert found.help.startswith(help) and ("quote" in found.help) is bool(help)
