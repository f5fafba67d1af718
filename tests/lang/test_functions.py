"""Every function of the language, on plain values and on unknowns;
and that the document tells of each.
"""

import re
from math import prod
from pathlib import Path

import pytest

from puzzlekit.boards import Grid
from puzzlekit.lang import language
from puzzlekit.lang.expressions.values import value_types
from puzzlekit.lang.type_reader import SECTIONS
from puzzlekit.libraries.words import Lexicon
from puzzlekit.model import Automaton
from tests.lang.languages import build, only, problems_of, refusal, type_text, values
from tests.limits import replaced

DOCUMENT = Path(__file__).parents[2] / "docs" / "language.md"

PLAIN = [
    (
        "(7, 8).at(1, 0) == 8 and (7, 8).at(2, 0) == 0 and (7, 8).at(-1, 0) == 0 "
        "and 'ab'.at(1, '') == 'b'"
    ),
    (
        "{1: 2}.at(1, 0) == 2 and {1: 2}.at(3, 0) == 0 and {1: 2}.at(None, 0) == 0 "
        "and {'ab': 1}.at('ab', 0) == 1"
    ),
    (
        "letters.at(cell(1, 1), 'z') == 'a' and letters.at(cell(0, 1), 'z') == 'z' "
        "and letters.at(None, 'z') == 'z'"
    ),
    (
        "b.at(cell(1, 1), 0) == None and edge(None, cell(1, 1)) == None "
        "and range(4).at(key=3, default=9) == 3"
    ),
    (
        "ways == ('up', 'right', 'down', 'left') and turned('^', 1) == 'right' "
        "and turned(n=-1, way='n') == 'left'"
    ),
    (
        "cell(2, 2).step('up') == (1, 2) and cell(2, 2).step(way=3, n=4) == (2, -2) "
        "and b.next(cell(1, 1), 'U') == None"
    ),
    (
        "b.next(cell(1, 1), 'down_right') == (2, 2) "
        "and b.ray(cell(3, 1), 'u') == b.columns[0][:2][::-1]"
    ),
    (
        "through(['ab', 'bc'])['b'] == ('ab', 'bc') and through(['ab', 'bc'])['z'] == () "
        "and len(through(())) == 0"
    ),
    "through([(1, 2, 1), {2}])[1] == ((1, 2, 1),) and len(through([(1, 2, 1), {2}])[2]) == 2",
    (
        "['ab', 'bc'].through('a') == ('ab',) and b.rows.through(cell(2, 1)) == (b.rows[1],) "
        "and [].through(1) == ()"
    ),
    "grouped((i % 2, i) for i in range(5)) == {0: (0, 2, 4), 1: (1, 3)} and grouped(())[7] == ()",
    (
        "grouped([(1, 2)]).at(1, 0) == (2,) and grouped([(1, 2)]).at(2, 0) == 0 "
        "and 2 not in grouped([(1, 2)])"
    ),
    "len(grouped((c.row, edge(c, d)) for c, d in b.adjacent)[3]) == 2",
    "through(b.adjacent)[cell(1, 1)] == b.links(cell(1, 1))",
    "sum([1, 2, True]) == 4 and sum(()) == 0",
    "count([1, 2, 1], 1) == 2 and count(letters, 'a') == 1",
    "len('abc') == 3 and len({1, 1}) == 1 and len(x) == 3 and len(i for i in range(4)) == 4",
    "min(3, 1, 2) == 1 and max([1, 2]) == 2 and max('abc') == 'c'",
    "abs(-2) == 2",
    "any(i == 1 for i in range(3)) and not any(()) and all(()) and not all([True, False])",
    (
        "exactly_one([True, False]) and at_most_one(()) and at_least(1, [True]) "
        "and at_most(0, [False])"
    ),
    "between(1, 3) == range(1, 4) and [i for i in range(5, 0, -2)] == [5, 3, 1]",
    "distinct([2, 1, 2, None]) == (2, 1)",
    "pairs('abc') == (('a', 'b'), ('a', 'c'), ('b', 'c'))",
    "zip('ab', (1, 2)) == (('a', 1), ('b', 2)) and enumerate('ab', 1) == ((1, 'a'), (2, 'b'))",
    "sorted([2, 1]) == (1, 2) and reversed('ab') == ('b', 'a') and first([7, 8]) == 7",
    "number([1, 2, 3]) == 123 and number((1, 0), 2) == 2 and number(()) == 0",
    "number('12') == 12 and number('-3') == -3 and number('+04') == 4 and number('101', 2) == 5",
    "row('abc') == ('a', 'b', 'c') and len(row('ab') + row((1, 2))) == 4 and row({2, 1})[0] == 1",
    (
        "product([2, 3, 4]) == 24 and product(()) == 1 and product([2, True, -3]) == -6 "
        "and product((5, 0)) == 0"
    ),
    "({1: 2} + {3: 4})[3] == 4 and len({1: 2} + {}) == 1",
    "word(['a', 'b']) == 'ab' and word((1, 2)) == '12'",
    (
        "all_different([1, 2]) and not all_different('aa') and all_equal([1, 1]) "
        "and increasing([1, 2, 5])"
    ),
    "implies(n == 4, n == 5) and iff(n == 3, True)",
    (
        "marks('geese', 'eerie') == (grey, green, yellow, grey, green) and yellow < green "
        "and len(mark) == 3"
    ),
    "marks('sassy', 'glass', 'set')[2] == yellow and marks('sassy', 'glass')[2] == grey",
    "len(simple_cycles([(1, 2), (2, 1), (2, 2)])) == 2",
    "len(simple_cycles([(1, 2), (2, 1), (2, 2)]).through((2, 1))) == 1",
    "len(exchanges(letters, letters, ())) == 0",
    "len(board(2, 3).cells) == 6 and king == 'king' and bool == (False, True)",
    (
        "len(b.rows) == 3 and len(b.columns) == 3 and len(b.all_diagonals) == 10 "
        "and len(b.boxes((2, 2))) == 4"
    ),
    (
        "len(b.windows(2, 2)) == 4 and len(b.slots(3)) == 6 and len(b.adjacent) == 12 "
        "and len(b.touching) == 20"
    ),
    (
        "[len(b.neighbours(c)) for c in b.rows[0]] == [2, 3, 2] and [len(b.around(c)) "
        "for c in b.rows[1]] == [5, 8, 5]"
    ),
    (
        "[len(b.knight(c)) for c in b.rows[1]] == [2, 0, 2] and len(b.given) == 0 "
        "and len(letters.given) == 3"
    ),
    (
        "[len(b.links(c)) for c in b.rows[0]] == [2, 3, 2] "
        "and b.links(cell(1, 1)) == (b.adjacent[0], b.adjacent[1])"
    ),
    "(('a', 'b'), 1) == ('ab', 1) and ('ab', 1) in [(('a', 'b'), 1)]",
    "(('a', 'b'), 1) != ('ac', 1) and 'ab' + ('a',) == 'aba'",
    (
        "(0, 1, 2) == range(3) and (0, 1) in [range(2)] and range(2) + (2,) == (0, 1, 2) "
        "and (1, 2)[True] == 2"
    ),
    "cell(1, 1) != b.corners[0] and cell(1, 1) not in b.corners",
    "cell(1, 1) == (1, 1) and letters == letters and letters != None",
    (
        "len(hexagons(g=b)) == 9 and count(v=1, xs=(1, 2)) == 1 "
        "and len(rectangles(g=b, largest=1)) == 9"
    ),
    (
        "split((1, 0, 2, 3, 0), 0) == ((1,), (2, 3)) "
        "and split('as/it/is', '/') == ('as', 'it', 'is') and split('', 'a') == ()"
    ),
    "split('don\\'t', '\\'') == ('don', 't') and split('//', '/') == ()",
    "words_in('The End, \"again\"!') == ('the', 'end', 'again') and words_in('12 - ') == ()",
    (
        "words_in('Don’t go: it\\'s the boys\\' ʼtwas') == ('don\\'t', 'go', 'it\\'s', 'the', "
        "'boys', 'twas')"
    ),
    "words_in('Ääni ja ÖLJY') == ('ääni', 'ja', 'öljy')",
    "replaced('Xy, X-ä!', {'x': 'a', 'y': 'b'}) == 'Ab, A-ä!'",
    "[s for s in stacked('ab', (1, 2))] == [('a', 'b'), ('1', '2')]",
    (
        "len(letters.regions) == 3 and first(letters.cells).row == 1 "
        "and first(letters.cells).column == 1"
    ),
]


@pytest.mark.parametrize("rule", PLAIN)
def test_functions_of_plain_values(rule: str) -> None:
    assert build(rule).model.constraints == ()


X3 = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
SYMBOLIC = [
    ("sum(x) == 4", lambda t: sum(t) == 4),
    ("sum(x.at(i, 1) for i in range(5)) == 4", lambda t: sum(t) == 2),
    ("x.at(3, x[0]) == x.at(key=None, default=x[1])", lambda t: t[0] == t[1]),
    (
        "{0: x[0], 1: x[1]}.at(1, 0) + x.at(-1, 0) + p.at((0, 2), x[2]) == 3",
        lambda t: t[1] + t[2] == 3,
    ),
    ("sum(grouped(zip((1, 2, 1), x))[1]) == 3", lambda t: t[0] + t[2] == 3),
    ("count(x, 1) == 2", lambda t: t.count(1) == 2),
    ("count(x, x[0]) == 2", lambda t: t.count(t[0]) == 2),
    ("x in {(0, 1, 2), (1, 1, 1)} and x in [range(3)]", lambda t: t == (0, 1, 2)),
    (
        "not all_different([x, x[range(3)]]) and all_different([x, range(3)])",
        lambda t: t != (0, 1, 2),
    ),
    ("x == range(3) and (x if flag[0] else (i for i in range(3))) == x", lambda t: t == (0, 1, 2)),
    ("min(x) == 1 and max(x[0], x[1]) == 2", lambda t: min(t) == 1 and max(t[:2]) == 2),
    ("abs(x[0] - x[1]) == 2", lambda t: abs(t[0] - t[1]) == 2),
    ("any(x[i] == 2 for i in range(3))", lambda t: 2 in t),
    ("all(x[i] > 0 for i in range(3))", lambda t: 0 not in t),
    ("exactly_one(x[i] == 2 for i in range(3))", lambda t: t.count(2) == 1),
    ("at_most_one(x[i] == 2 for i in range(3))", lambda t: t.count(2) <= 1),
    ("at_least(2, [x[i] == 2 for i in range(3)])", lambda t: t.count(2) >= 2),
    ("at_most(x[0], [x[i] == 2 for i in range(3)])", lambda t: t.count(2) <= t[0]),
    ("all_different(x)", lambda t: len(set(t)) == 3),
    ("all_different([(x[0], x[1]), (x[1], x[2])])", lambda t: t[:2] != t[1:]),
    ("all_equal(x)", lambda t: len(set(t)) == 1),
    ("increasing(x)", lambda t: t == (0, 1, 2)),
    ("implies(x[0] == 1, x[1] == 2)", lambda t: t[0] != 1 or t[1] == 2),
    ("x[0] == 2 or (1, 2)[x[0]] == x[1]", lambda t: t[0] == 2 or t[0] + 1 == t[1]),
    ("not (x[0] < 2 and (1, 2)[x[0]] == x[1])", lambda t: t[0] == 2 or t[0] + 1 != t[1]),
    ("x[0] < 2 and (1, 2)[x[0]] == x[1]", lambda t: t[0] != 2 and t[0] + 1 == t[1]),
    ("implies(x[0] < 2, (1, 2)[x[0]] == x[1])", lambda t: t[0] == 2 or t[0] + 1 == t[1]),
    ("((1, 2)[x[0]] if x[0] < 2 else x[2]) == 2", lambda t: (t[0] + 1 if t[0] < 2 else t[2]) == 2),
    (
        "x[0] == 2 or x[1] == 2 or (1, 2)[(1, 0)[x[x[0]]]] == x[2]",
        lambda t: 2 in t[:2] or 2 - t[t[0]] == t[2],
    ),
    ("any(x[i] == 2 or (1, 2)[x[i]] == 1 for i in range(3))", lambda t: 2 in t or 0 in t),
    ("iff(x[0] == 1, x[1] == 2)", lambda t: (t[0] == 1) == (t[1] == 2)),
    ("product(x) == 4", lambda t: prod(t) == 4),
    ("product(x + (2,)) == 8", lambda t: prod(t) == 4),
    ("product((2, x[0], 3)) < product(x)", lambda t: 6 * t[0] < prod(t)),
    ("product([x[2]]) == 2 and product((x[0], x[0])) == 1", lambda t: t[2] == 2 and t[0] == 1),
    ("sum(({9: 2} + x)[i] for i in (9, 0, 1)) == 4", lambda t: t[0] + t[1] == 2),
    (
        "number(x) == 102 or number([x[0], 2, x[1]], 3) == 14",
        lambda t: t == (1, 0, 2) or 9 * t[0] + 6 + t[1] == 14,
    ),
]


@pytest.mark.parametrize(("rule", "holds"), SYMBOLIC, ids=[rule for rule, _ in SYMBOLIC])
def test_functions_of_unknowns(rule, holds) -> None:
    assert values(only(build(rule), "x"), "x[0]", "x[1]", "x[2]") == [t for t in X3 if holds(t)]


def test_marks_of_unknowns() -> None:
    assert values(
        only(build("marks(w, 'abc') == (green, yellow, yellow)"), "w"), "w[0]", "w[1]", "w[2]"
    ) == [("a", "c", "b")]
    own = build(
        "own[...] == marks('aab', w)",
        variables="w[i]: distinct('ab') for i in range(3)\nown[i]: mark for i in range(3)",
    )
    assert len(only(own, "w", "own")) == 8
    best = build(
        "max(own) == green and marks((l for l in 'ab'), 'ba')[0] == own[0]",
        variables="own[i]: mark for i in range(2)",
    )
    assert values(only(best, "own"), "own[0]", "own[1]") == [(1, 2)]
    words = build("marks(g, 'up') == (grey, green)", variables="g: ('up', 'at', 'op')")
    assert values(only(words, "g"), "g") == [("op",)]


def test_word_paths() -> None:
    rule = (
        "[len(word_paths(g, ws, m, 2).through(c)) for m in (king, rook) "
        "for c in g.cells] == [2, 2, 2, 2, 1, 1]"
    )
    data = "g: grid[letter]\nws: lexicon"
    assert (
        build(
            rule, "g: [ab, c_]\nws: [ab, ac, bc]", data=data, variables="x: bool"
        ).model.constraints
        == ()
    )
    made = build(
        "word_paths(g, ws, shortest=2)[0].words == ('ab', 'ba')",
        "g: [ab]\nws: [ab, ba]",
        data=data,
        variables="x: bool",
    )
    assert made.model.constraints == ()


def test_words_in_a_lexicon() -> None:
    data = "ws: lexicon\nn: int = 3"
    made = build(
        "w[range(2)] in ws",
        "ws: [ab, ca, abc]",
        data=data,
        variables="w[i]: ws.alphabet for i in range(2)",
    )
    assert values(only(made, "w"), "w[0]", "w[1]") == [("a", "b"), ("c", "a")]
    made = build("g in [('a', 'b'), 'xx'] and g == ('a', 'b')", variables="g: ('ab', 'cc')")
    assert values(only(made, "g"), "g") == [("ab",)]
    made = build("('ab' if k == 1 else [w[0], w[1]]) == 'ca'")
    assert values(only(made, "w", "k"), "w[0]", "w[1]", "k") == [("c", "a", 0)]
    made = build("g in ws", "ws: [ab, ca]", data=data, variables="g: ('ab', 'cc')")
    assert values(only(made, "g"), "g") == [("ab",)]
    made = build(
        "'ab' in ws and ('c', 'a') in ws and len(ws.of_length(2)) == 2",
        "ws: [ab, ca]",
        data=data,
        variables="g: bool",
    )
    assert made.model.constraints == ()


WRONG = [
    ("len(x[0]) == 1", "an unknown has no length"),
    ("len(n) == 1", "expected a collection to loop over, got 3"),
    ("green == 2", "green and 2 are never equal and cannot be ordered"),
    ("sum([green, x[0]]) == 4", "expected a number, got green"),
    ("letters == 'abc'", "a board of 1 x 3 and 'abc' are never equal and cannot be ordered"),
    ("max(()) == 1", "max(…) requires at least one item"),
    ("max([1, 'a']) == 1", "(1, 'a') cannot be ordered: the values are of different kinds"),
    ("sum(w) == 1", "expected a number, got w[0], which is not a number"),
    ("sum('ab') == 1", "expected a number, got 'a'"),
    ("abs('a') == 1", "expected a number, got 'a'"),
    ("between('a', 2) == 1", "expected a whole number as the end of a range, got 'a'"),
    ("range() == 1", "a range has one, two or three numbers, not 0"),
    ("range(1, 2, 0) == 1", "the step of a range cannot be 0"),
    (
        "distinct(x) == 1",
        "distinct(…) cannot depend on an unknown: all_different(…) requires that values differ",
    ),
    ("zip('ab', 'abc') == 1", "rows to zip must have the same length, got 2, 3"),
    ("sorted(x) == (0, 1, 2)", "the order of items cannot depend on an unknown"),
    ("first(()) == 1", "first(…) requires at least one item"),
    ("number('1a') == 1", "expected a text of digits as the number, got '1a'"),
    ("number('') == 1", "expected a text of digits as the number, got ''"),
    ("number('-') == 1", "expected a text of digits as the number, got '-'"),
    ("number('12', 2) == 1", "expected a text of digits below 2 as the number, got '12'"),
    ("number('¹') == 1", "expected a text of digits as the number, got '¹'"),
    ("product(w) == 1", "expected a number, got w[0], which is not a number"),
    ("product([1, 'a']) == 1", "expected a number, got 'a'"),
    ("len({1: 2} + {1: 2}) == 1", "both mappings have the key 1"),
    ("len({0: 2} + x) == 1", "both mappings have the key 0"),
    ("len({1: 2} + (1, 2)) == 1", "+ is not defined for a mapping of 1 key and (1, 2)"),
    ("number(x, k) == 1", "the base of a number cannot depend on an unknown"),
    ("word(w) == 'abc'", "expected known letters to spell a word with, got unknowns"),
    ("word([(1, 2)]) == 'a'", "expected letters to spell a word with, got (1, 2)"),
    ("marks('ab', 'abc') == 1", "the guess has 2 letters, the answer 3"),
    ("marks('ab', 'ab', 'odd') == 1", "expected one of wordle, set as the marking, got 'odd'"),
    ("marks(x, 'abc') == 1", "expected a word to mark, got (x[0], x[1], x[2])"),
    ("x in names and w[0] in names", None),
    ("exactly_one(x)", "expected a condition, got x[0]"),
    ("word_paths(n, names) == 1", "expected a board of letters to trace words on, got 3"),
    ("board(0, 1) == b", "a board has from 1 to 200 rows and columns"),
    ("board(k, 1) == b", "the size of a board cannot depend on an unknown"),
    ("simple_cycles([1]) == 1", "expected a pair (from, to) as an arc"),
    (
        "simple_cycles([(1, 'a'), ('a', 1)]) == 1",
        "the nodes of arcs must have one type, such as letters, numbers or cells",
    ),
    ("split(x, 0) == ()", "the row to split cannot depend on an unknown"),
    ("words_in(3) == ()", "expected a text, got 3"),
    (
        "replaced('ab', 'cd') == ''",
        "expected a mapping from letters to what they stand for, got 'cd'",
    ),
    ("replaced('ab', {'a': x[0]}) == ''", "what a letter stands for cannot depend on an unknown"),
    ("replaced('ab', x) == ''", "what a letter stands for cannot depend on an unknown"),
    ("len(stacked('ab', 'c')) == 2", "rows shown in columns must have the same length, got 2, 1"),
    ("len(stacked(x)) == 1", "a stacked row cannot depend on an unknown"),
    ("exchanges(letters, b, ()) == 1", "exchanges require two boards with the same cells"),
    ("exchanges(letters, letters, [1]) == 1", "the cycles must come from simple_cycles"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG, ids=[rule for rule, _ in WRONG])
def test_wrong_arguments_say_so(rule: str, message: str | None) -> None:
    if message is not None:
        assert refusal(rule).message == message


def test_goals() -> None:
    text = type_text("sum(x) > 2") + "goals:\n  few: minimise(sum(x))\n  many: maximise(x[0] + 1)\n"
    from puzzlekit.lang import bind, read_spec, type_of_text

    made = bind(type_of_text("t", text), read_spec("s", "title: a"))
    assert list(made.goals) == ["few", "many"]
    assert made.model.goal is made.goals["few"]
    assert [goal.maximise for goal in made.goals.values()] == [False, True]
    (no_goal,) = problems_of(type_text("n == 3") + "goals:\n  g: sum(x)\n")
    assert no_goal.message == "expected minimise(…) or maximise(…) as the goal"
    assert (
        problems_of(type_text("n == 3") + "goals:\n  g: minimise(w[0])\n")[0].message
        == "expected a number, got w[0], which is not a number"
    )


def test_evaluating_what_is_shown() -> None:
    from puzzlekit.lang import bind, read_spec, type_of_text

    text = (
        type_text("n == 3")
        + "show:\n  total: sum(x)\n  rows: ((x[i], n) for i in range(2))\n  bad: n // x[0]\n"
    )
    made = bind(type_of_text("t", text), read_spec("s", "title: a"))
    solution = {variable: domain[0] for variable, domain in made.model.domains.items()}
    total, shown_rows, bad = (shown.expression for shown in made.type.show)
    assert total and shown_rows and bad
    assert made.evaluate(total, solution) == 0
    assert made.evaluate(shown_rows, solution) == ((0, 3), (0, 3))
    with pytest.raises(Exception, match="division by zero"):
        made.evaluate(bad, solution)
    assert made.evaluate(total, solution) == 0
    assert made.check(solution) is None


def entries_of_tables(text: str) -> list[str]:
    """The code in the first column of each table: what its row is about."""
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    cells = [re.split(r"(?<!\\)\|", row)[1] for row in rows]
    return [code for cell in cells for code in re.findall("`([^`]*)`", cell)]


def names_in(pattern: str, entries: list[str]) -> set[str]:
    return {name for entry in entries for name in re.findall(pattern, entry)}


def test_a_word_in_a_text_is_no_entry() -> None:
    text = "`sum(xs)` adds\n\n| | |\n|---|---|\n| `count(xs, v)`, `len(xs)` | as `sum(xs)` |\n"
    assert entries_of_tables(text) == ["count(xs, v)", "len(xs)"]


def test_the_document_has_an_entry_for_everything() -> None:
    attributes = {name for known in value_types() for name in known.attributes}
    functions, constants = {*language().functions}, {*language().constants}
    entries = entries_of_tables(DOCUMENT.read_text(encoding="utf-8"))
    assert functions - names_in(r"(?<![\w.])(\w+)\(", entries) == set()
    assert attributes - names_in(r"\.(\w+)", entries) == set()
    assert {*constants, *language().data_types, *SECTIONS} - names_in(r"\w+", entries) == set()
    assert language().names - functions - constants == set()
    assert all(
        hasattr(known.type, name)
        for known in value_types()
        if known.type in (Grid, Lexicon)
        for name in known.attributes
        if name != "cells"
    )


@pytest.mark.parametrize("sign", ["==", "!="])
@pytest.mark.parametrize(
    ("factors", "number"),
    [
        ("x", 0),
        ("x", 24),
        ("x", -6),
        ("x", 7),
        ("(2,) + x", 48),
        ("(2,) + x", 3),
        ("x + (y, y)", 36),
        ("[x[0] * x[1], x[2]]", 12),
    ],
)
def test_a_product_of_many_unknowns_is_read_factor_by_factor(
    factors: str, number: int, sign: str
) -> None:
    variables = "x[i]: (1, -2, 0, 3, 4, 2) for i in range(3)\ny: between(-3, 3)"
    rule = f"product({factors}) {sign} {number}"
    with replaced(table_combinations=5):
        instance = build(rule, variables=variables)
    automata = sum(isinstance(c.condition, Automaton) for c in instance.model.constraints)
    assert automata == (number not in (0, 3))
    assert only(instance, "x", "y") == only(build(rule, variables=variables), "x", "y")


def test_a_product_with_too_many_divisors_stays_a_product() -> None:
    number = prod((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43))
    (constraint,) = build(
        f"product(x) == {number}", variables="x[i]: between(1, 50) for i in range(30)"
    ).model.constraints
    assert not isinstance(constraint.condition, Automaton)
