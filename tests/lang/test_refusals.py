"""Every refusal of an expression: its message,
and the place and caret of the part that it is about.
"""

import pytest

from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from tests.lang.languages import build, problems_of, refusal, type_text, under_caret

SYNTAX = [
    ("lambda: 1", "lambda is not part of the language", "lambda"),
    ("(y := 1) == 1", "assignment is not part of the language", "y :="),
    ('f"{n}" == n', "f-strings are not part of the language", 'f"'),
    ("1 == n ** 2", "** is not part of the language: write a * a", "n **"),
    ("n / 2 == 1", "/ is not part of the language: write //, which divides whole numbers", "n /"),
    ("n == 1 << 2", "<< is not part of the language", "1 <<"),
    ("flag[0] & flag[1]", "& is not part of the language: write and", "flag[0] &"),
    ("flag[0] | flag[1]", "| is not part of the language: write or", "flag[0] |"),
    ("n == ~n", "~ is not part of the language: write not", "~n"),
    ("n is 3", "`is` is not part of the language: write ==", "n is"),
    ("sum(*x) == 1", "* before a value is not part of the language", "*x"),
    ("sum(**x) == 1", "** is not part of the language", "x)"),
    ("{**n} == 1", "** is not part of the language", "n}"),
    ("1.5 == n", "a float is not part of the language", "1.5"),
    ("b'a' == n", "a bytes is not part of the language", "b'a'"),
    ("n == 2j", "a complex is not part of the language", "2j"),
    ("n == ...", "... is only allowed as a part of an index", "..."),
    ("n == _n", "a name that starts with _ is not part of the language", "_n"),
    (
        "n == __import__('os')",
        "a name that starts with _ is not part of the language",
        "__import__",
    ),
    (
        "n.__class__ == 1",
        ".__class__ is not part of the language: names do not start with _",
        "n.__class__",
    ),
    ("sum(x)(1) == 1", "only a named function can be called", "sum(x)(1)"),
    ("sum(xs=x, _y=1) == 1", "a name that starts with _ is not part of the language", "1)"),
    ("n == 1 for x[0] in x", "expected a name or a tuple of names as the loop variable", "x[0]"),
    ("n == 1 for _i in x", "a name that starts with _ is not part of the language", "_i"),
    (
        "n == sum(1 async for i in x)",
        "this is not an expression: invalid syntax. Perhaps you forgot a comma?",
        "1 async",
    ),
    ("1) + (2", "this is not an expression: this ) has no matching (", ") +"),
    (
        "n == 'a",
        "this is not an expression: unterminated string literal (detected at line 1)",
        "'a",
    ),
    ("n = 1", "= is not part of the language: write == to compare", "= 1"),
    ("n == nn", "nn is not known here", "nn"),
    ("x[i] == j for i in range(3)", "j is not known here", "j for"),
    ("sum(i for i in range(3)) == i", "i is not known here", "i"),
    ("n == 1" + "0" * 101, "this number has more than 100 digits", "1000"),
    ("n == 1" + "0" * 5000, "this number has too many digits", "n =="),
    ("n == " + "(" * 150 + "1" + ")" * 150, None, ""),
    (
        "n == " + "sum(" * 150 + "1" + ")" * 150,
        "an expression can be nested at most 100 levels deep",
        "sum(",
    ),
    ("n == 1 and " * 2000 + "n == 1", "an expression has at most 20,000 characters", "|"),
]


@pytest.mark.parametrize(
    ("rule", "message", "at"), SYNTAX, ids=[rule[:40] for rule, _, _ in SYNTAX]
)
def test_what_is_not_part_of_the_language_is_refused_at_its_place(
    rule: str, message: str | None, at: str
) -> None:
    if message is None:
        build(rule)
        return
    problem = refusal(rule)
    assert problem.message == message
    assert under_caret(problem, len(at)) == at


RUN = [
    ("x[0]", "expected a condition as the rule, got x[0]"),
    ("sum(x)", "expected a condition as the rule, got an expression with unknowns"),
    ("n", "expected a condition as the rule, got 3"),
    (
        "[x[i] == 1 for i in range(3)]",
        (
            "expected a condition as the rule, got (an expression with unknowns, "
            "an expression with unknowns, …"
        ),
    ),
    ("not x[0]", "expected a condition, got x[0]"),
    ("n == 3 and x[0]", "expected a condition, got x[0]"),
    ("implies(sum(x), flag[0])", "expected a condition, got an expression with unknowns"),
    (
        "n == 3 for i in range(3) if x[i] == 1",
        "an if inside a comprehension cannot depend on an unknown",
    ),
    ("n in range(x[0])", "the end of a range cannot depend on an unknown"),
    ("'abc'[x[0]:] == 'a'", "the end of a slice cannot depend on an unknown"),
    ("'abc'[::0] == 'a'", "the step of a slice cannot be 0"),
    ("'abc'[5] == 'a'", "there is no position 5: positions run from 0 to 2"),
    ("'abc'['a'] == 'a'", "expected a number as the position, got 'a'"),
    ("x[3] == 1", "x has no member at 3"),
    ("p[{1: 2}, 0] == 1", "p has no member at (a mapping of 1 key, 0)"),
    ("x[0, 1] == 1", "(x[0], x[1]) and 1 cannot be compared: one is a row, the other is not"),
    ("p[0] == 1", "p has 2 indexes, not 1"),
    ("p[k, k] == 1", "only one part of an index may depend on an unknown"),
    ("x[0:2] == (1, 2)", "x has indexes, so it cannot be sliced"),
    ("letters[0] == 'a'", "expected a cell as the index of a board, got 0"),
    ("letters[b.cells] == 'a'", "this board has no cell r2c1"),
    ("letters[x[0]] == 'a'", "no value that x[0] may take is an index of a board of 1 x 3"),
    ("{1: 2}[3] == 1", "this mapping has no key 3"),
    ("x.at(x[0], 0) == 1", "the key of .at(…) cannot depend on an unknown"),
    ("x.at(x, 0) == 1", "the key of .at(…) cannot depend on an unknown"),
    ("x.at((0, 1), 0) == 1", "expected a single key, got (0, 1)"),
    ("x.at({1: 2}, 0) == 1", "expected a single key, got a mapping of 1 key"),
    ("p.at(0, 0) == 1", "p has 2 indexes, which .at(…) takes as one row: .at((i, j), …)"),
    ("x.at(0) == 1", "at: missing a required argument: 'default'"),
    ("{b.adjacent[0]: 1}.at(b.adjacent[:1], 0) == 1", "expected a single key, got (r1c1–r1c2)"),
    ("'abc'.at('a', 0) == 1", "expected a number as the position, got 'a'"),
    ("letters.at(0, 'a') == 'a'", "expected a cell as the index of a board, got 0"),
    ("x[0].at(0, 0) == 1", "x[0] has no .at"),
    ("b.cells[0].at(0, 0) == 1", "a cell has no .at"),
    ("through(x) == 1", "expected a collection to loop over, got an unknown"),
    ("through([x]) == 1", "a thing in a group cannot depend on an unknown"),
    ("through([1]) == 1", "expected a collection to loop over, got 1"),
    (
        "through([[{1: 2}]]) == 1",
        "(a mapping of 1 key) is not a group of things: a thing in it cannot be a key",
    ),
    ("through('ab')[x[0]] == 1", "the key of a mapping to groups cannot depend on an unknown"),
    ("through('ab')[{1: 2}] == 1", "a mapping of 1 key cannot be a key"),
    ("'ab'.through('a') == 1", "'ab' has no .through"),
    ("b.rows.through(x[0]) == 1", "the key of a mapping to groups cannot depend on an unknown"),
    ("b.rows.of(1) == 1", "only placements of shapes have .of(…), got row 1"),
    ("grouped([1]) == 1", "expected a pair (key, item), got 1"),
    ("grouped([(x[0], 1)]) == 1", "a key cannot depend on an unknown"),
    ("grouped([({1: 2}, 1)]) == 1", "a mapping of 1 key cannot be a key"),
    ("x[0][0] == 1", "an unknown cannot be indexed"),
    ("n[0] == 1", "3 cannot be indexed"),
    (
        "x[0] == 'a'",
        "these are never equal and cannot be ordered: x[0] takes numbers and this is 'a'",
    ),
    ("w[0] < 1", "these are never equal and cannot be ordered: w[0] takes text and this is 1"),
    (
        "w[0] == x[0]",
        "these are never equal and cannot be ordered: w[0] takes text and x[0] takes numbers",
    ),
    ("w[0] + 1 == 2", "expected a number, got w[0], which is not a number"),
    (
        "(w[0] if flag[0] else w[1]) + 1 == 2",
        "expected a number, got an expression that is not a number",
    ),
    ("x + 1 == 2", "+ is not defined for x (all of the unknowns of that name) and 1"),
    ("x == 3", "(x[0], x[1], x[2]) and 3 cannot be compared: one is a row, the other is not"),
    ("x < (1, 2, 3)", "rows of unknowns can be compared with == and !=, not with <"),
    ("n < (1, 2)", "3 and (1, 2) cannot be compared with <"),
    ("sum == n", "expected a value, got the function sum"),
    ("n // 0 == 1", "division by zero"),
    ("x[0] % 0 == 1", "division by zero"),
    (
        "n // x[0] == 1",
        "the right side of // cannot depend on an unknown; for a // b == c, write"
        " any(b == k and a // k == c for k in range(1, n + 1))",
    ),
    ("n in x[0]", "an unknown is not a collection: in requires a collection on its right"),
    ("n in 3", "expected a collection to loop over, got 3"),
    ("n == 1 for i in x[0]", "expected a collection to loop over, got an unknown"),
    ("n == 1 for i, j in range(3)", "cannot unpack non-iterable int object"),
    ("x[0] in {x[1], 2}", "a member of a set cannot depend on an unknown"),
    ("{x[0]: 1} == n", "a key cannot depend on an unknown"),
    ("b.neighbours(x[0]) == n", "the arguments of neighbours cannot depend on an unknown"),
    ("b.neighbours(5) == n", "expected a cell, got 5"),
    ("b.boxes(0, 1) == n", "boxes: too many positional arguments"),
    (
        "b.boxes((0, 1)) == n",
        "expected rows and columns as the size, each a number from 1, such as (3, 3)",
    ),
    ("b.neighbor(n) == n", "a grid has no .neighbor"),
    ("'a'.upper() == 'A'", "'a' has no .upper"),
    ("().mro == 1", "() has no .mro"),
    ("(1).real == 1", "1 has no .real"),
    ("''.format(n) == 1", "'' has no .format"),
    ("sum.im_func == 1", "the function sum has no .im_func"),
    ("x.members == 1", "x (all of the unknowns of that name) has no .members"),
    ("n(1) == 1", "3 is not a function"),
    ("sum(x, 3) == 1", "sum: too many positional arguments"),
    ("sum(ys=x) == 1", "sum: missing a required argument: 'xs'"),
    ("(1 if flag[0] else (1, 2)) == 1", "one side of this choice is a row and the other is not"),
    (
        "((1, 2) if flag[0] else (1, 2, 3)) == (1, 2)",
        "both sides of a choice must have the same length, got 2 and 3",
    ),
    ("(b if flag[0] else b) == b", "expected a value, got a board of 3 x 3"),
]


@pytest.mark.parametrize(("rule", "message"), RUN, ids=[rule for rule, _ in RUN])
def test_what_cannot_be_worked_out_says_so(rule: str, message: str | None) -> None:
    problem = refusal(rule)
    if message is not None:
        assert problem.message == message
    assert problem.position is not None
    assert problem.position.text.strip() == rule or under_caret(problem) == "|"


HINTS = [
    ("b.neighbor(n) == n", "did you mean neighbours?"),
    (
        "zzzz == 1",
        "known here: b, flag, k, letters, n, names, p, w, x and the functions of the language",
    ),
    ("all_diferent(x)", "did you mean all_different?"),
    ("flga[0] == 1", "did you mean flag?"),
    ("x[i + 1] == x[i] for i in range(n)", "here n is 3, i is 2"),
    ("sum(1 // (i - 1) for i in range(n)) == 1", "here n is 3, i is 1"),
    ("x[0] == None", "use .given for the cells of a board that have a value"),
    ("n == 3 # really", "# begins a comment, also in an expression"),
    ("sum(x, 3) == 1", "write sum(xs)"),
    ("n == 1.5", "use whole numbers"),
]


@pytest.mark.parametrize(("rule", "help"), HINTS)
def test_hints(rule: str, help: str) -> None:
    assert refusal(rule).help == help


def test_the_caret_points_at_the_part_that_failed() -> None:
    assert (
        under_caret(refusal("n == 3 and sum(1 // (i - 1) for i in range(3)) == 3"), 6) == "1 // ("
    )
    assert under_caret(refusal("all(x[i] == 1 for i in range(3) if x[i] > 1)"), 4) == "x[i]"
    assert under_caret(refusal("n == 3 and (n == 1 or x[7] == 2)"), 4) == "x[7]"
    assert under_caret(refusal("1 < 2 < x['q']"), 4) == "x['q"


SCALARS = [
    "  r: n == 1 and nope == 2",
    "  r: 'n == 1 and ''a'' == ''b'' and nope == 2'",
    '  r: "n == 1 and \\"ä\\" == \\x41 and \\\n      nope == 2"',
    "  r: >\n    n == 1\n    and\n\n    nope == 2",
    "  r: >-\n    n == 1 and 'wide 日本 🟩'\n      == nope",
    "  r: |\n    n == 1 and\n      (2 == 1 or\n       nope == 2)",
    "  r: n == 1 and\n      2 == 3 and\n      nope == 2",
    "  r: 'n == 1 and\n\n      nope == 2'",
    '  r: "日本" "n == 1"',
    "  r:\n    - n == 1\n    - n == 1 and nope",
    "  r: from == 1 and class == 2 and '日本🟩' == nope",
]


@pytest.mark.parametrize("rule", SCALARS)
def test_places_in_every_style_of_scalar(rule: str) -> None:
    text = (
        f"puzzle: t\ndata:\n  n: int = 1\n  from: int = 1\n  class: int = 1\nvariables:\n"
        f"  x: bool\nrules:\n{rule}\n"
    )
    for ends in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        found = problems_of(ends)
        if "nope" in rule:
            nope = next(problem for problem in found if problem.message == "nope is not known here")
            assert under_caret(nope, 4) == "nope"
            assert nope.position is not None
            lines = text.splitlines()
            assert "nope" in lines[nope.position.line - 1]
        else:
            assert found[0].message == "the value ended before this"


def test_the_message_shows_path_line_column_line_and_caret() -> None:
    assert str(refusal("n == nn")) == (
        "type.yaml:15:10: nn is not known here\n  15 |     n == nn\n     |          ^\n"
        "     = did you mean n?"
    ) or str(refusal("n == nn")).startswith("type.yaml:")


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    text = (
        "puzzle: t\nabuot: x\ndata:\n  a: itn\n  a: int\nlet:\n  l: nope\nvariables:\n"
        "  x[i]: bool\n  2y: bool\n"
        "rules:\n  r: lambda\n  s: q == 1\n  s: 1\ngoals: 1\nshow: xx\n"
    )
    found = problems_of(text)
    lines = [problem.position.line for problem in found if problem.position]
    assert lines == sorted(lines)
    assert set(lines) == {2, 4, 5, 7, 9, 10, 12, 13, 14, 15, 16}
    assert "the key `a` is given twice; the first is in line 4" in [
        problem.message for problem in found
    ]


def test_problems_of_one_spec_do_not_stay_for_the_next() -> None:
    puzzle = type_of_text("t", type_text("1 // (n - 3) == 1 or n == 4"))
    for _ in range(2):
        with pytest.raises(Problems) as raised:
            bind(puzzle, read_spec("s", "n: 3"))
        assert len(raised.value.problems) == 1
    bind(puzzle, read_spec("s", "n: 4"))


def test_rules_that_depend_on_what_failed_are_not_told_too() -> None:
    assert [
        p.message for p in problems_of(type_text("y + x[0] == 1", let="y: 1 // 0\nz: y + 1"))
    ] == ["division by zero"]
    assert [
        p.message
        for p in problems_of(type_text("u[0] == 1", variables="u[i]: 5 for i in range(3)"))
    ] == ["expected a collection of values as the domain of u[0], got 5"]
