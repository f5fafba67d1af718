"""Whatever the text, only the errors that are meant come out of the language."""

import contextlib
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from puzzlekit.errors import PuzzlekitError
from puzzlekit.lang import bind, language, read_spec, type_of_text
from puzzlekit.lang.expressions.values import value_types
from tests.lang.languages import type_text

SHORT = settings(
    derandomize=True, deadline=None, max_examples=80, suppress_health_check=list(HealthCheck)
)
NAMES = st.sampled_from(
    ["x", "flag", "w", "p", "k", "n", "letters", "names", "b", "i", "c", *language().constants]
)
ATOMS = st.one_of(
    NAMES,
    NAMES,
    st.sampled_from(
        [
            "0",
            "1",
            "-1",
            "2",
            "'a'",
            "'ab'",
            "''",
            "()",
            "None",
            "True",
            "...",
            "{1}",
            "{}",
            "9" * 30,
            "[1, 2]",
        ]
    ),
)
METHODS = st.sampled_from([name for known in value_types() for name in known.attributes])
SIGNS = st.sampled_from(
    ["+", "-", "*", "//", "%", "==", "!=", "<", ">=", "in", "not in", "and", "or"]
)


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    return st.one_of(
        st.builds("({} {} {})".format, inner, SIGNS, inner),
        st.builds("{}[{}]".format, inner, inner),
        two.map("{0[0]}[{0[1]}:]".format),
        two.map("{0[0]}[{0[1]}, ...]".format),
        st.builds(
            "{}({})".format,
            st.sampled_from(language().functions),
            st.lists(inner, max_size=3).map(", ".join),
        ),
        st.builds("{}({} for i in {})".format, st.sampled_from(language().functions), inner, inner),
        st.builds("{}.{}".format, inner, METHODS),
        st.builds("{}.{}({})".format, inner, METHODS, inner),
        st.builds("[{} for i, c in {} if {}]".format, inner, inner, inner),
        st.builds("{{{}: {} for i in {}}}".format, inner, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("(not {}, -{})".format, inner, inner),
        st.lists(inner, max_size=4).map(lambda parts: "[" + ", ".join(parts) + "]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: "{" + ", ".join(parts) + "}"),
    )


EXPRESSIONS = st.recursive(ATOMS, _grow, max_leaves=8)
GARBAGE = st.text(
    st.sampled_from(list("xnik01 ()[]{},.:=<>+-*/%'\"#|&!@\\\n\t_é日🟩\u0301")), max_size=40
)


def attempt(text: str, spec: str = "title: a") -> None:
    """Go all the way: read, bind, check a solution, evaluate what is shown."""
    with contextlib.suppress(PuzzlekitError):
        made = bind(type_of_text("t.yaml", text), read_spec("s.yaml", spec))
        for last in (0, -1):
            solution: dict[Any, Any] = {
                variable: domain[last] for variable, domain in made.model.domains.items()
            }
            with contextlib.suppress(PuzzlekitError):
                made.check(solution)
            for shown in made.type.show:
                if shown.expression:
                    with contextlib.suppress(PuzzlekitError):
                        made.evaluate(shown.expression, solution)


@SHORT
@given(
    EXPRESSIONS,
    EXPRESSIONS,
    st.sampled_from(["", " == 1", " for i in range(2)", " for i, c in pairs(b.cells)"]),
)
def test_rules(rule: str, shown: str, loop: str) -> None:
    attempt(type_text(rule + loop) + f"show:\n  s: |\n    {shown}\n")


@SHORT
@given(EXPRESSIONS)
def test_lets_domains_and_goals(text: str) -> None:
    attempt(type_text("n == 3", let=f"b: board(2, 2)\ni: 1\nc: (1, 2)\ny: |\n  {text}"))
    attempt(
        type_text(
            "n == 3", variables=f"y[i]: |\n  {text} for i in (1, 2)", let="b: board(2, 2)\nc: 1"
        )
    )
    attempt(type_text("n == 3") + f"goals:\n  g: |\n    minimise({text})\n")


@SHORT
@given(GARBAGE)
def test_garbage_for_an_expression(text: str) -> None:
    attempt(type_text("n == 3").replace("n == 3", text.replace("\n", "\n    ")))


@SHORT
@given(st.text(max_size=60), GARBAGE)
def test_garbage_for_a_file(one: str, other: str) -> None:
    for text in (one, other):
        attempt(text)
        attempt(f"puzzle: t\nvariables:\n  x: bool\n{text}")
        attempt(f"puzzle: t\ndata:\n  a: {text}\nvariables:\n  x: bool", f"a: {text}")


FIELDS = st.sampled_from(
    [
        *(
            "int",
            "bool",
            "text",
            "letter",
            "word",
            "symbol",
            "size",
            "mark",
            "marks",
            "choice(a, b)",
            "lexicon",
            "list[int]",
        ),
        *(
            "list[list[symbol]]",
            "map[word, int]",
            "grid[letter]",
            "grid[int | None]",
            "grid[mark] ragged",
            "grid[symbol]",
        ),
    ]
)
VALUES = st.recursive(
    st.text(st.sampled_from(list("ab1._ \n\tgy🟩⬛\ufe0f\u0301日|>'\"-:,#")), max_size=20),
    lambda inner: st.lists(inner, max_size=3).map(lambda parts: "[" + ", ".join(parts) + "]"),
    max_leaves=4,
)


@SHORT
@given(FIELDS, VALUES)
def test_garbage_for_data(field: str, value: str) -> None:
    text = f"puzzle: t\ndata:\n  a: {field}\nvariables:\n  x: bool"
    attempt(text, f"a: {value}")
    attempt(text, "a: |\n" + "\n".join(f"  {line}" for line in value.split("\n")))
    with contextlib.suppress(PuzzlekitError):
        bind(type_of_text("t", text), read_spec("s", "title: a"), {"a": value})
