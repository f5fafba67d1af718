"""Rows that are read in order: runs, patterns, what is seen, which comes first."""

import re
from itertools import groupby, product

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit.lang.expressions.automata import compiled, of_run_rows, of_runs, opposite
from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.model import Automaton
from tests.lang.languages import build, refusal

QUICK = settings(derandomize=True, deadline=None, max_examples=150)


def runs(row) -> list[int]:
    return [len(list(run)) for holds, run in groupby(row) if holds]


@given(st.lists(st.booleans(), max_size=9), st.lists(st.integers(1, 4), max_size=4))
def test_the_automaton_of_runs(row: list[bool], lengths: list[int]) -> None:
    for wanted in (lengths, runs(row)):
        steps, accepting = of_runs(wanted)
        assert Automaton((), steps, accepting).met(row) == (runs(row) == wanted)
        assert Automaton((), *opposite(steps, accepting, (False, True))).met(row) == (
            runs(row) != wanted
        )


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
    for rows in (
        [(1, 2)],
        [()],
        [(2, 1), (1,)],
        [(1, 1, 2), (7,), (1, 3)],
        [(2, 2), (2, 1, 1)],
        [(1, 2, 1)],
    ):
        automaton = Automaton((), *of_run_rows(rows, cyclic, ascending, lambda steps: None))
        for row in every:
            assert automaton.met(row) == (read(row) in rows), (rows, row)


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


@pytest.mark.parametrize(
    ("pattern", "place", "message"), PLACES, ids=[pattern[:20] for pattern, _, _ in PLACES]
)
def test_wrong_patterns_say_where(pattern: str, place: int, message: str) -> None:
    with pytest.raises(
        ExpressionError, match=re.escape(f"is wrong at character {place}: {message}")
    ):
        compiled(pattern, "ab", lambda steps: None)


def test_patterns_are_bounded() -> None:
    with pytest.raises(ExpressionError, match="more than 1,000 states"):
        compiled("(a|b)*a(a|b){12}", "ab", lambda steps: None)


PLAIN = [
    (
        "leading([True, True, False, True]) == 2 and leading(()) == 0 and leading([False]) == 0 "
        "and leading([True]) == 1"
    ),
    "until([1, 2, 3], [False, True, True]) == [1]",
    (
        "until('abc', [c == 'c' for c in 'abc']) == 'ab' and until((), ()) == () "
        "and until('ab', [False, False]) == 'ab'"
    ),
    (
        "segments('aabba') == ('aa', 'bb', 'a') and segments(()) == () "
        "and segments(range(3), [0, 0, None]) == ((0, 1), (2,))"
    ),
    (
        "segments(b.rows[0], [1, 1, 2]) == [b.rows[0][:2], b.rows[0][2:]] "
        "and segments([1, True, 'b', ('b',)]) == ((1, 1), 'bb')"
    ),
    (
        "runs([True, True, False, True]) == [2, 1] and runs(()) == [] and runs([False]) == [0] "
        "and runs([True]) != [0]"
    ),
    (
        "len(runs([True, False, True])) == 2 and sum(runs([True, False, True])) == 2 "
        "and runs([True]) in [[2], [1]]"
    ),
    (
        "runs([True, False, True], cyclic=True) == [2] and runs([True, True], cyclic=True) == [2] "
        "and runs((), True) == [0]"
    ),
    (
        "runs([True, False, True, False, True, True], True) == [3, 1] "
        "and runs([False, True], True) == [1]"
    ),
    (
        "sorted(runs([True, True, False, True])) == [1, 2] and sorted(runs([False])) == [0] "
        "and runs([False]) in [[0]]"
    ),
    (
        "matches('aab', 'a*b') and not matches('aab', 'a*') and matches((1, 2), '1.') "
        "and matches((), '')"
    ),
    (
        "len(distinct(['b', ('b',), ('a', 'b'), 'ab', 'a', range(2), (0, 1)])) == 4 "
        "and not all_different([('a', 'b'), 'ab'])"
    ),
    "visible([1, 3, 2, 4]) == 3 and visible(()) == 0",
    (
        "lex_less('ab', 'b') and lex_less('a', 'ab') and not lex_less('ab', 'ab') "
        "and not lex_less('ab', 'a')"
    ),
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
    (
        "matches(w, 'a{')",
        (
            "the pattern 'a{' is wrong at character 2: expected a number of repetitions: {2}, "
            "{2,} or {2,4}"
        ),
    ),
    ("leading(x) == 1", "expected a condition, got x[0]"),
    ("until(x, flag) == x", "a condition of until(…) cannot depend on an unknown"),
    ("until(x, [1, 2, 3]) == x", "expected a condition, got 1"),
    ("until(x, [True]) == x", "until(…) requires a condition for each item, got 1 for 3 items"),
    ("len(segments(x)) == 1", "a label of segments(…) cannot depend on an unknown"),
    (
        "len(segments(x, 'ab')) == 1",
        "segments(…) requires a label for each item, got 2 for 3 items",
    ),
    (
        "visible(w) == 1 and visible((1, None)) == 1",
        "1 and nothing (None) cannot be compared with <",
    ),
]


@pytest.mark.parametrize(("rule", "message"), WRONG, ids=[rule for rule, _ in WRONG])
def test_wrong_arguments_say_so(rule: str, message: str) -> None:
    assert refusal(rule).message == message
