"""Files from strangers: each is refused clearly, quickly, and in bounded memory."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from puzzlekit.errors import InputError, Problems, PuzzlekitError, Stopped
from puzzlekit.lang import bind, read_spec, read_text, type_of_text
from puzzlekit.lang.expressions import budget
from tests.lang.languages import VARIABLES, build, refusal, type_text
from tests.limits import replaced

BASE = "puzzle: t\nvariables:\n  x: between(1, 2)\nrules:\n  r: "
MANY = 3_000_000  # steps, as a server may allow
STEPS = f"this takes more than {MANY:,} evaluations"
FEW = 100_000  # steps, instead of the real bound

EXPRESSIONS = [  # calls in loops read the loop variable, or they would be made once
    ("10**10**10", "** is not part"),
    ("sum(1 for a in range(1000000) for b in range(1000000)) == 1", STEPS),
    ("'a' * 1000000000 == 'a'", STEPS),
    ("'a' * 10 * 100000 * 100000 == 'a'", STEPS),
    ("[[0] * 1000000 for i in range(1000)] == 1", STEPS),
    ("[[[0] * 1000] * 1000] * 1000 == 1", STEPS),
    ("len(pairs(range(1000000))) == 1", STEPS),
    ("range(1000000000000000000) == 1", "a range has at most 1,000,000 numbers"),
    ("range(10000000000000000000000000000000) == 1", "the end of a range has at most 18 digits"),
    ("between(1, 1000000000000000000) == 1", "a range has at most 1,000,000 numbers"),
    ("all(len(board(200, 199 + i % 2).touching) > i for i in range(1000))", STEPS),
    (
        "all(len(board(200, 200).windows(20, 20)) > -1 for i in between(1, 200))",
        "too many windows of 20 x 20",
    ),
    ("all(len(board(200, 199 + i % 2).boxes((1, 1))) > -1 for i in between(1, 200))", STEPS),
    ("all(len(board(200, 199 + i % 2).slots(1)) > -1 for i in between(1, 200))", STEPS),
    ("board(100000, 100000) == b", "a board has from 1 to 200 rows and columns"),
    ("product([9] * 1000000) == 1", "this number has more than 512 bits"),
    ("number('9' * 1000) == 1", "this number has more than 512 bits"),
    ("number([1] * 1000000, 99999999999999999999) == 1", "this number has more than 512 bits"),
    ("number([x[0]] * 1000, 99999999999999999999) == 1", "this number has more than 512 bits"),
    ("len([word(['a'] * (100000 + i)) for i in range(100000)]) == 1", STEPS),
    ("len([{(i, j) for j in range(1000)} for i in range(1000000)]) == 1", STEPS),
    ("len([{j: i for j in range(1000)} for i in range(1000000)]) == 1", STEPS),
    ("len([sorted(range(1000000)) for i in range(100)]) == 1", STEPS),
    ("len([reversed('a' * (1000000 + i)) for i in range(100)]) == 1", STEPS),
    ("len([enumerate(range(1000 + i % 2)) for i in range(100000)]) == 1", STEPS),
    (
        (
            "len([zip(range(1000 + i % 2), range(i % 2, 1000 + 2 * (i % 2))) "
            "for i in range(100000)]) == 1"
        ),
        STEPS,
    ),
    ("len([distinct(range(1000 + i % 2)) for i in range(100000)]) == 1", STEPS),
    ("len([(1, 2, 3)[i - i:] + (0,) * 1000 for i in range(1000000)]) == 1", STEPS),
    ("len([t[1:] for i in range(1000000) for t in [[0] * 1000]]) == 1", STEPS),
    ("len([{1, 2, 3} - {i} for i in range(1000000)]) == 1", STEPS),
    ("sum(1 for i in range(1000000) for t in ['a' * 1000000] if t == t) == 1", STEPS),
    ("sum(1 for i in range(1000000) if 'x' in range(1000000)) == 1", STEPS),
    ("all('b' not in 'a' * 100000 for i in range(1000000))", STEPS),
    ("len([[" + "1, " * 200 + "x[0]] for i in range(1000000)]) == 1", STEPS),
    ("len([x[range(3)] for i in range(1000000)]) == 1", STEPS),
    ("all_different([(x[0], i) for i in range(100000)])", STEPS),
    ("marks('a' * 1000000, 'b' * 1000000) == 1", "a word to mark has at most 200 letters"),
    ("first(1 for i in range(1000000) for j in range(1000000) if j < 0) == 1", STEPS),
    ("simple_cycles((i, j) for i in range(60) for j in range(60)) == 1", STEPS),
    ("len(simple_cycles((i, j) for i in range(1000) for j in range(1000))) == 1", STEPS),
    ("word_paths(board(200, 200), names) == 1", "expected a lexicon to take the words from"),
    ("all(len(board(200, 199 + i % 2).edges) > i for i in range(1000))", STEPS),
    ("all(len(board(200, 199 + i % 2).all_diagonals) > i - 1000 for i in range(1000))", STEPS),
    (
        (
            "sum(len(r) for b in [board(200, 200)] for i in range(100) for c in b.cells "
            "for r in b.rays(c)) == 1"
        ),
        STEPS,
    ),
    (
        (
            "sum(len(b.line(c, d)) for b in [board(200, 200)] for c in b.cells for d in b.cells "
            "if c.row == d.row) == 1"
        ),
        STEPS,
    ),
    (
        (
            "all(connected({c: True for c in b.cells}) for b in [board(200, 200)] "
            "for i in range(1000))"
        ),
        STEPS,
    ),
    (
        (
            "all(connected({i: flag[0] for i in range(100)}, links=pairs(range(100))) "
            "for i in range(100000))"
        ),
        STEPS,
    ),
    (
        (
            "all(not single_loop({e: flag[0] for e in b.edges}) for b in [board(200, 200)] "
            "for i in range(1000))"
        ),
        STEPS,
    ),
    (
        (
            "regions({i: x[0] if i < 0 else i for i in range(100000)}, links=[(i, i + 1) "
            "for i in range(100000)])"
        ),
        STEPS,
    ),
    (
        "all(regions({c: c for c in b.cells}) for b in [board(200, 200)] for i in range(100000))",
        STEPS,
    ),
    ("all(runs([flag[0]] * 1000) == [1000] for i in range(100000))", STEPS),
    ("visible(range(100000)) == 1", STEPS),
    ("visible([x[0]] * 100000) == 1", STEPS),
    ("lex_less([x[0]] * 100000, [x[1]] * 100000)", STEPS),
    ("all(matches('a' * (1000 + i % 2), 'a{400}a*') for i in range(100000))", STEPS),
    ("matches(w, '((((((((((){500}){500}){500}){500}){500}){500}){500}){500}){500}){500}')", STEPS),
    ("matches(w, '(a|b|c)*a(a|b|c){20}')", "this pattern has more than 1,000 states"),
    ("matches(w, '(a|b)*(a?){200}(b?a?){140}')", None),
    (
        "len(rectangles(board(200, 200))) == 1",
        "too many rectangles on this board: more than 200,000",
    ),
    ("all(len(rectangles(board(8, 7 + i % 2), 1)) > 50 for i in range(1000000))", STEPS),
    ("len([cell(i, 1) for i in range(1000000) for j in range(1000000)]) == 1", STEPS),
    (
        "len([i * " + "9" * 90 + " * " + "9" * 90 + " for i in range(1000000)]) == 1",
        "this number has more than 512 bits",
    ),
]


@pytest.mark.parametrize(
    "rule", [rule for rule, message in EXPRESSIONS if message == STEPS], ids=lambda rule: rule[:50]
)
def test_expressions_that_run_away_are_stopped_within_few_steps(rule: str) -> None:
    with (
        replaced(max_evaluations=FEW),
        pytest.raises(InputError, match=f"this takes more than {FEW:,} evaluations"),
    ):
        build(rule)


SEARCHES = [
    "len(polyominoes(board(20, 20), 6)) == 1",
    "len(rectangles(board(40, 40), 60)) == 1",
    "len(board(100, 100).edges) == 1",
    "matches(w, '(a|b)*(a?){200}(b?a?){140}')",
]


@pytest.mark.parametrize(
    "rule",
    [*(rule for rule, message in EXPRESSIONS if message == STEPS), *SEARCHES],
    ids=lambda rule: rule[:50],
)
def test_expressions_that_run_away_look_at_the_clock(
    rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check() -> NoReturn:
        raise Stopped("the time is up")

    monkeypatch.setattr(budget, "check", check)
    with pytest.raises(Stopped):
        build(rule)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        pytest.param(*case, marks=[pytest.mark.slow] if case[1] == STEPS else [], id=case[0][:50])
        for case in EXPRESSIONS
    ],
)
def test_expressions_that_run_away_are_stopped(rule: str, message: str | None) -> None:
    if message is None:  # a lot, and within bounds
        build(rule)
        return
    with replaced(max_evaluations=MANY), pytest.raises(InputError) as raised:
        build(rule)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ({"RULE_SECONDS": 0.1}, "this takes more than 0.1 seconds"),
        ({"RULE_BYTES": 30 * 2**20}, "this takes more than 30 MB of memory"),
        ({"PARTS": 500}, "this takes more than 500 evaluations at once"),
    ],
)
def test_without_a_bound_on_steps_time_and_memory_are_bounded(
    bound: dict[str, float], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in {"STEPS_BETWEEN_LOOKS": 500, **bound}.items():
        monkeypatch.setattr(budget, name, number)
    rule = "[(i, j) for i in range(1000) for j in range(1000)] == 1"
    with pytest.raises(Problems) as raised:
        bind(
            type_of_text("t", type_text(rule) + "  s: x[0] == 1\n  t: sum(x) == sum(x)\n"),
            read_spec("s", "title: a"),
        )
    assert [problem.message for problem in raised.value.problems] == [message]


def test_the_bound_on_steps_is_reported_once() -> None:
    rules = "".join(
        f"  r{i}: x[i] + j < 9 for i in range(3) for j in range(100)\n" for i in range(20)
    )
    with pytest.raises(Problems) as raised:
        bind(
            type_of_text("t", f"{type_text('n == 3')}{rules}"),
            read_spec("s", "title: a"),
            max_evaluations=1_000,
        )
    assert [problem.message for problem in raised.value.problems] == [
        "this takes more than 1,000 evaluations"
    ]


@pytest.mark.parametrize("side", [5, 60])
def test_the_first_cells_of_a_ray_cost_the_same_on_a_large_board(side: int) -> None:
    rule = (
        f"sum(len(b.rays(c)[0][:1]) for b in [board({side}, {side})] "
        f"for c in b.cells) == {side * side - side}"
    )
    bind(
        type_of_text("t", type_text(rule)),
        read_spec("s", "title: a"),
        max_evaluations=120 * side * side + 500,
    )


def test_one_operation_makes_no_huge_value() -> None:
    for rule in ("[0] * 1000000000 == 1", "'a' * 1000000000 == 'a'", "len([1, 2] * 9000000) == 1"):
        assert "this takes more than 10,000,000 evaluations at once" in refusal(rule).message


LAUGHS = "let:\n  a0: (1, 1)\n" + "".join(
    f"  a{i + 1}: (a{i}, a{i}, a{i}, a{i})\n" for i in range(40)
)
FILES = {
    "deep parentheses": (BASE + "(" * 9000 + "1" + ")" * 9000, "too many nested parentheses"),
    "deep not": (BASE + "not " * 4900 + "x", "nested"),
    "deep minus": (BASE + "-" * 19000 + "x", "nested"),
    "deep attributes": (BASE + "x" + ".a" * 9000, "nested"),
    "deep indexes": (BASE + "x" + "[0]" * 6000, "nested"),
    "a long sum": (BASE + "x" + "+x" * 9000, "nested"),
    "deep choices": (BASE + "1 if x == 1 else " * 1000 + "1", "nested at most 100 levels deep"),
    "deep YAML lists": (BASE + "[" * 10000, "nested more than 40 levels deep"),
    "deep YAML mappings": ("{" * 10000, "nested more than 40 levels deep"),
    "deep YAML dashes": ("- " * 10000, "nested more than 40 levels deep"),
    "deep YAML keys": ("? " * 10000, "nested more than 40 levels deep"),
    "deep type": ("puzzle: t\ndata:\n  a: " + "list[" * 5000, "is not a type"),
    "a long number": (BASE + "9" * 19000, "too many digits"),
    "a longer number": (BASE + "9" * 100000, "at most 20,000 characters"),
    "a long expression": (BASE + "x == 1 and " * 10000 + "x == 1", "at most 20,000 characters"),
    "a long file": (BASE + "x\n#" + "a" * 300_000, "a type or spec has at most"),
    "many keys": ("\n".join(f"k{i}: 1" for i in range(30000)), "more than 20,000 keys and values"),
    "many unknown keys": ("\n".join(f"k{i}: 1" for i in range(9000)), "more problems"),
    "a long list": ("a: [" + "a," * 100000 + "]", "more than 20,000 keys and values"),
    "an alias bomb": (
        "a: &a [1, 1]\nb: &b [*a, *a]\n",
        "an anchor (&name) is not part of the language",
    ),
    "an alias": ("a: *a\n", "an alias (*name) is not part of the language"),
    "a Python tag": (
        "a: !!python/object/apply:os.system ['true']\n",
        "a tag (!name) is not part of the language",
    ),
    "a merge key": ("puzzle: t\n<<: {a: b}\n", "there is no section <<"),
    "a NUL byte": (BASE + "x\0", "special characters are not allowed"),
    "an escaped NUL": (BASE + '"x\\0"', "a control character (U+0000)"),
    "a lone surrogate": (BASE + '"\\ud800"', "a control character (U+D800)"),
    "an escape sequence": ('puzzle: "\\e[31m"\n', "a control character (U+001B)"),
    "tabs": (BASE.replace("  r", "\tr") + "x", "found character '\\t'"),
    "nothing": ("", "got an empty file"),
    "only a comment": ("# a\n", "got an empty file"),
    "a list": ("- a\n", "expected a mapping of keys to values, got a list"),
    "text": ("abc", "expected a mapping of keys to values, got text"),
    "two documents": (BASE + "x == 1\n---\na: b", "a second document begins here"),
    "billion laughs in tuples": (
        "puzzle: t\n" + LAUGHS + "variables:\n  x: bool\nrules:\n  r: a40 == a39\n",
        STEPS,
    ),
    "an index that laughs": (
        "puzzle: t\n" + LAUGHS + "variables:\n  x[i]: bool for i in (a40, a39)\n",
        STEPS,
    ),
    "the same unknown": (
        "puzzle: t\nvariables:\n  x[i]: bool for i in range(200000) for j in range(2)\n",
        "declared twice",
    ),
    "empty domains": (
        "puzzle: t\nvariables:\n  x[i]: () for i in range(200000)\n",
        "the domain of x[0] is empty",
    ),
    "too many unknowns": (
        "puzzle: t\nvariables:\n  x[i]: bool for i in range(400000)\n",
        "more than 300,000 unknowns",
    ),
    "a huge domain": (
        "puzzle: t\nvariables:\n  x[i]: range(i, 900000) for i in range(400000)\n",
        STEPS,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_hostile_or_broken_are_refused(name: str) -> None:
    text, message = FILES[name]
    with replaced(max_evaluations=MANY), pytest.raises(PuzzlekitError) as raised:
        bind(type_of_text("t.yaml", text), read_spec("s.yaml", "title: a"))
    told = str(raised.value)
    assert message in told
    assert len(told) < 40_000
    assert all(char.isprintable() or char == "\n" for char in told)


@pytest.mark.parametrize(
    "text", [BASE + "x == 1", "\ufeff" + BASE + "x == 1", (BASE + "x == 1\n").replace("\n", "\r\n")]
)
def test_harmless_bytes_are_taken(text: str) -> None:
    assert len(bind(type_of_text("t", text), read_spec("s", "title: a")).model.constraints) == 1


def test_chained_comparisons_that_nest_are_worked_out_once_each() -> None:
    assert build("(0 <= " * 40 + "x[0]" + " <= 2)" * 40).model.constraints


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path, "expected a file, got a folder"),
        (tmp_path / "none", "there is no such file"),
    ):
        with pytest.raises(InputError, match=message):
            read_text(path)
    if Path("/dev/zero").exists():
        with pytest.raises(InputError, match="expected a"):
            read_text(Path("/dev/zero"))
    bad = tmp_path / "bad.yaml"
    sixteen = "a: b".encode("utf-16")
    texts = (
        (b"a: \xff", "1:4"),
        (b"a: b\nc: \xc3\xa4\xe4", "2:5"),
        (b"\xef\xbb\xbf\xff", "1:1"),
        (sixteen, "1:1"),
    )
    for data, place in texts:
        bad.write_bytes(data)
        with pytest.raises(Problems, match=rf"bad\.yaml:{place}: this is not UTF-8 text \(byte 0x"):
            read_text(bad)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"got a pipe or a device\nwrite - .* standard input"):
        read_text(tmp_path / "pipe")
    bad.write_bytes(b"a" * 2_000_000)
    with pytest.raises(InputError, match="has at most"):
        read_text(bad)
    bad.write_bytes(b"\xef\xbb\xbfa: b\r\n")
    assert read_text(bad) == "a: b\n"


MEMORY = [
    "len([(i, i, i, x) for i in range(1000000)]) == 1",
    "[[0] * 1000 for i in range(100000)] == 1",
    "len([{(i, j) for j in range(1000)} for i in range(1000000)]) == 1",
    "len([x[0] + i for i in range(1000000)]) == 1",
    "len([{i: x[0] == i} for i in range(1000000)]) == 1",
    "len(['a' * 100 for i in range(1000000)]) == 1",
]
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))
from puzzlekit.errors import PuzzlekitError
from puzzlekit.lang import bind, read_spec, type_of_text
for text in sys.stdin.read().split("\\0"):
    try:
        bind(type_of_text("t", text), read_spec("s", "title: a"))
        print("made")
    except PuzzlekitError as error:
        print("refused" if "nested" not in str(error) else error)
"""


@pytest.mark.parametrize(
    "rules", [MEMORY[:1], pytest.param(MEMORY[1:], marks=pytest.mark.slow)], ids=len
)
def test_memory_stays_in_bounds(rules: list[str]) -> None:
    pytest.importorskip("resource")
    texts = "\0".join(type_text(rule, variables=VARIABLES) for rule in rules)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED],
        input=texts,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stderr == ""
    assert len(done.stdout.split()) == len(rules)
    assert set(done.stdout.split()) <= {"made", "refused"}
