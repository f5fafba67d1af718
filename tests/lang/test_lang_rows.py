"""Rows that are read in order: runs, patterns, what is seen, which comes first."""

import re
from itertools import groupby, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit.lang.expressions.automata import compiled, of_run_rows, of_runs, opposite
from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.model import Automaton
from tests.lang.languages import build, only, refusal, values

QUICK = settings(derandomize=True, deadline=None, max_examples=150)
X3 = list(product(range(3), repeat=3))
B5 = list(product((False, True), repeat=5))
FIVE = "flag[i]: bool for i in range(5)"
LETTERS = "w[i]: distinct('abc') for i in range(3)"


def runs(row) -> list[int]:
    return [len(list(run)) for holds, run in groupby(row) if holds]


@given(st.lists(st.booleans(), max_size=9), st.lists(st.integers(1, 4), max_size=4))
def test_the_automaton_of_runs(row: list[bool], lengths: list[int]) -> None:
    for wanted in (lengths, runs(row)):
        steps, accepting = of_runs(wanted)
        assert Automaton((), steps, accepting).met(row) == (runs(row) == wanted)
        assert Automaton((), *opposite(steps, accepting, (False, True))).met(row) == (runs(row) != wanted)


@pytest.mark.parametrize("lengths", [(), (0,), (5,), (1, 1), (2, 1), (1, 1, 1), (3, 2), (7,)])
def test_runs_of_unknowns(lengths: tuple[int, ...]) -> None:
    names = [f"flag[{i}]" for i in range(5)]
    wanted = [length for length in lengths if length]
    same = only(build(f"runs(flag) == {lengths}", variables=FIVE), "flag")
    other = only(build(f"{list(lengths)} != runs(flag)", variables=FIVE), "flag")
    assert values(same, *names) == [row for row in B5 if runs(row) == wanted]
    assert values(other, *names) == [row for row in B5 if runs(row) != wanted]


def ring(row) -> list[int]:
    found = runs(row)
    if len(found) > 1 and row[0] and row[-1]:
        found[0] += found.pop()
    return found


@pytest.mark.parametrize("ascending", [False, True])
@pytest.mark.parametrize("cyclic", [False, True])
def test_the_automaton_of_rows_of_lengths(cyclic: bool, ascending: bool) -> None:
    def read(row) -> tuple[int, ...]:
        found = ring(row) if cyclic else runs(row)
        return tuple(sorted(found) if ascending else found)

    every = [row for length in range(1, 8) for row in product((False, True), repeat=length)]
    for rows in ([(1, 2)], [()], [(2, 1), (1,)], [(1, 1, 2), (7,), (1, 3)], [(2, 2), (2, 1, 1)], [(1, 2, 1)]):
        automaton = Automaton((), *of_run_rows(rows, cyclic, ascending, lambda steps: None))
        for row in every:
            assert automaton.met(row) == (read(row) in rows), (rows, row)


RUNS_OF = [
    ("runs(flag, cyclic=True) == [2, 1]", lambda row: ring(row) == [2, 1]),
    ("runs(flag, True) != [3]", lambda row: ring(row) != [3]),
    ("runs(flag, cyclic=True) == [5]", all),
    ("sorted(runs(flag)) == [1, 2]", lambda row: sorted(runs(row)) == [1, 2]),
    ("sorted(runs(flag)) == [2, 1]", lambda row: False),
    ("sorted(runs(flag, cyclic=True)) in [[0], [1, 1], [4, 4]]", lambda row: sorted(ring(row)) in [[], [1, 1]]),
    ("runs(flag) in [[2, 1], (1, 2)]", lambda row: runs(row) in [[2, 1], [1, 2]]),
    ("runs(flag) not in [[2, 1], [7]]", lambda row: runs(row) != [2, 1]),
    ("runs(flag) in [[7]] or runs(flag) in ()", lambda row: False),
]


@pytest.mark.parametrize(("rule", "holds"), RUNS_OF, ids=[rule for rule, _ in RUNS_OF])
def test_runs_that_are_cyclic_sorted_or_among_rows(rule: str, holds) -> None:
    names = [f"flag[{i}]" for i in range(5)]
    assert values(only(build(rule, variables=FIVE), "flag"), *names) == [row for row in B5 if holds(row)]


def test_runs_of_conditions_of_which_some_are_known() -> None:
    made = only(build("runs([x[0] > 0, True, x[1] == 2, n == 4, x[2] == 0]) == [2, 1]"), "x")
    assert values(made, "x[0]", "x[1]", "x[2]") == [
        t for t in X3 if runs([t[0] > 0, True, t[1] == 2, False, t[2] == 0]) == [2, 1]
    ]


PATTERNS = ["a*b", "(a|b)+", ".b.", "[^a].*", "a?b?c?", "(ab|c){1,2}.?", "[a-b]{2}c|b{3}", "", "c{2,}"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_of_unknowns(pattern: str) -> None:
    made = only(build(f"matches(w, '{pattern}')", variables=LETTERS), "w")
    rows = [t for t in product("abc", repeat=3) if re.fullmatch(pattern, "".join(t))]
    assert values(made, "w[0]", "w[1]", "w[2]") == rows


def test_patterns_read_numbers_and_conditions() -> None:
    assert values(only(build("matches(x, '0[12]*')"), "x"), "x[0]", "x[1]", "x[2]") == [
        t for t in X3 if t[0] == 0 and 0 not in t[1:]
    ]
    rule = "matches([x[0] == 0, flag[0], True], '(01)?1+')"
    assert values(only(build(rule), "x", "flag"), "x[0]", "flag[0]") == [(0, True), (1, True), (2, True)]


@st.composite
def patterns(draw: st.DrawFn) -> str:
    atoms = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "[b-c]", "\\.", "()"])
    ends = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{0}"])
    inner = st.recursive(
        atoms,
        lambda part: st.one_of(
            st.builds("{}{}".format, part, part),
            st.builds("({}|{})".format, part, part),
            st.builds("({}){}".format, part, ends),
        ),
        max_leaves=6,
    )
    return draw(inner)


@QUICK
@given(patterns())
def test_patterns_mean_what_regular_expressions_mean(pattern: str) -> None:
    automaton = Automaton((), *compiled(pattern, "abc.", lambda steps: None))
    for row in (row for length in range(4) for row in product("abc.", repeat=length)):
        assert automaton.met(row) == bool(re.fullmatch(pattern, "".join(row))), row


PLACES = [
    ("(a", 1, "this parenthesis is not closed"),
    ("ba)", 3, "this ) has no matching ("),
    ("*a", 1, "there is nothing before * to repeat"),
    ("b[a", 2, "this [ is not closed"),
    ("[]", 1, "there is nothing between [ and ]"),
    ("]", 1, "to match ], write \\]"),
    ("a{2", 2, "expected a number of repetitions: {2}, {2,} or {2,4}"),
    ("a{3,1}", 2, "the first number is greater than the second"),
    ("a{501}", 2, "a part can be repeated at most 500 times"),
    ("\\d", 1, "\\ must be followed by a special character"),
    ("[c-a]", 2, "a range must run from a character to a later one, not too far away"),
    ("(" * 31 + "a" + ")" * 31, 32, "parentheses can be nested at most 30 levels deep"),
    ("(a{400}){2}", 3, "it matches more than 500 characters, with repetitions expanded"),
]


@pytest.mark.parametrize(("pattern", "place", "message"), PLACES, ids=[pattern[:20] for pattern, _, _ in PLACES])
def test_wrong_patterns_say_where(pattern: str, place: int, message: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(f"is wrong at character {place}: {message}")):
        compiled(pattern, "ab", lambda steps: None)


def test_patterns_are_bounded() -> None:
    with pytest.raises(ExpressionError, match="more than 1,000 states"):
        compiled("(a|b)*a(a|b){12}", "ab", lambda steps: None)


def test_visible_and_lex_less() -> None:
    def seen(row) -> int:
        return sum(all(other < item for other in row[:at]) for at, item in enumerate(row))

    assert values(only(build("visible(x) == 2"), "x"), "x[0]", "x[1]", "x[2]") == [t for t in X3 if seen(t) == 2]
    assert values(only(build("lex_less(x, (1, 0, 2))"), "x"), "x[0]", "x[1]", "x[2]") == [t for t in X3 if t < (1, 0, 2)]
    made = only(build("lex_less([x[0], x[1]], [x[1], x[0], x[2]])"), "x")
    assert values(made, "x[0]", "x[1]", "x[2]") == [t for t in X3 if t[:2] < (t[1], t[0], t[2])]


def test_leading_counts_up_to_the_first_that_does_not_hold() -> None:
    def held(row) -> int:
        return [*row, False].index(False)

    names = [f"flag[{i}]" for i in range(5)]
    for number in range(6):
        made = build(f"leading(flag) == {number}", variables=FIVE)
        assert values(only(made, "flag"), *names) == [row for row in B5 if held(row) == number]
    rule = "leading([True, x[0] > 0, n == 3, x[1] > x[0], False, x[2] > 0]) == 2 + x[2]"
    wanted = [t for t in X3 if held([True, t[0] > 0, True, t[1] > t[0]]) == 2 + t[2]]
    assert values(only(build(rule), "x"), "x[0]", "x[1]", "x[2]") == wanted


def test_parts_of_rows_of_unknowns() -> None:
    rule = "sum(until(x, [False, True, False])) == 1 and [len(part) for part in segments(x, 'aab')] == [2, 1]"
    assert values(only(build(rule), "x"), "x[0]") == [(1,)]
    found = only(build("all(all_equal(part) for part in segments(x, (1, 1, None)))"), "x")
    assert values(found, "x[0]", "x[1]", "x[2]") == [t for t in X3 if t[0] == t[1]]


PLAIN = [
    "leading([True, True, False, True]) == 2 and leading(()) == 0 and leading([False]) == 0 and leading([True]) == 1",
    "until([1, 2, 3], [False, True, True]) == [1]",
    "until('abc', [c == 'c' for c in 'abc']) == 'ab' and until((), ()) == () and until('ab', [False, False]) == 'ab'",
    "segments('aabba') == ('aa', 'bb', 'a') and segments(()) == () and segments(range(3), [0, 0, None]) == ((0, 1), (2,))",
    "segments(b.rows[0], [1, 1, 2]) == [b.rows[0][:2], b.rows[0][2:]] and segments([1, True, 'b', ('b',)]) == ((1, 1), 'bb')",
    "runs([True, True, False, True]) == [2, 1] and runs(()) == [] and runs([False]) == [0] and runs([True]) != [0]",
    "len(runs([True, False, True])) == 2 and sum(runs([True, False, True])) == 2 and runs([True]) in [[2], [1]]",
    "runs([True, False, True], cyclic=True) == [2] and runs([True, True], cyclic=True) == [2] and runs((), True) == [0]",
    "runs([True, False, True, False, True, True], True) == [3, 1] and runs([False, True], True) == [1]",
    "sorted(runs([True, True, False, True])) == [1, 2] and sorted(runs([False])) == [0] and runs([False]) in [[0]]",
    "matches('aab', 'a*b') and not matches('aab', 'a*') and matches((1, 2), '1.') and matches((), '')",
    "visible([1, 3, 2, 4]) == 3 and visible(()) == 0",
    "lex_less('ab', 'b') and lex_less('a', 'ab') and not lex_less('ab', 'ab') and not lex_less('ab', 'a')",
]


@pytest.mark.parametrize("rule", PLAIN)
def test_on_plain_values(rule: str) -> None:
    assert build(rule).model.constraints == ()


RUNS = "runs can only be compared with a row of known lengths, by == or !="
WRONG = [
    ("runs(x) == [1]", "expected a condition, got x[0]"),
    ("runs(flag) == 1", RUNS),
    ("runs(flag) < [1]", RUNS),
    ("runs(flag) == runs(flag)", RUNS),
    ("runs(flag) == [x[0]]", RUNS),
    ("runs(flag) == ['a']", "expected a whole number as the length of a run, got 'a'"),
    ("runs(flag) == [1, 0]", "expected a run of length 1 or more, got 0"),
    ("len(runs(flag)) == 1", "expected a collection to loop over, got the runs of unknowns"),
    ("runs(flag) in [1, 2]", "expected rows of lengths that runs are in, got 1"),
    ("runs(flag) in [[x[0]]]", "a row of lengths cannot depend on an unknown"),
    ("runs(flag) in [[1], [0, 1]]", "expected a run of length 1 or more, got 0"),
    ("runs(flag, cyclic=1) == [1]", "expected true or false as cyclic, got 1"),
    ("sorted(runs(flag)) == [x[0]]", RUNS),
    ("runs(flag)[0] == 1", "the runs of unknowns cannot be indexed"),
    ("runs(flag)", "expected a condition as the rule, got the runs of unknowns"),
    ("runs(flag) + [1] == [1]", "+ is not defined for the runs of unknowns and (1)"),
    ("matches(w, x[0])", "expected known text as the pattern, got x[0]"),
    ("matches([x[0] + 1], '1')", "expected an unknown, got a value computed from unknowns"),
    ("matches((12, 1), '1')", "a pattern matches single characters and digits, got 12"),
    ("matches(w, 'a{')", "the pattern 'a{' is wrong at character 2: expected a number of repetitions: {2}, {2,} or {2,4}"),
    ("leading(x) == 1", "expected a condition, got x[0]"),
    ("until(x, flag) == x", "a condition of until(…) cannot depend on an unknown"),
    ("until(x, [1, 2, 3]) == x", "expected a condition, got 1"),
    ("until(x, [True]) == x", "until(…) requires a condition for each item, got 1 for 3 items"),
    ("len(segments(x)) == 1", "a label of segments(…) cannot depend on an unknown"),
    ("len(segments(x, 'ab')) == 1", "segments(…) requires a label for each item, got 2 for 3 items"),
    ("visible(w) == 1 and visible((1, None)) == 1", "1 and nothing (None) cannot be compared with <"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG, ids=[rule for rule, _ in WRONG])
def test_wrong_arguments_say_so(rule: str, message: str) -> None:
    assert refusal(rule).message == message


def test_texts_that_meet_rows_of_their_letters_are_equal_to_them() -> None:
    known = "['b', ('b',), ('a', 'b'), 'ab', 'a', range(2), (0, 1)]"
    assert only(build(f"len(distinct({known})) == 4 and x[0] == 0"), "x")
    assert only(build(f"not all_different({known}[2:4]) and x[0] == 0"), "x")
    found = only(build("all_different(['b', (w[0],), w[range(1, 2)]])"), "w")
    assert values(found, "w[0]", "w[1]") == [("a", "c"), ("c", "a")]
