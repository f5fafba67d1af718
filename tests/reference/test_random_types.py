"""Random types, as text, held to plain Python;
and that they meet every name of the language in every form of its arguments.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from puzzlekit.errors import InputError
from puzzlekit.lang import language
from tests.reference.compare import ENGINES, Case, differences
from tests.reference.grammar.types import DECK
from tests.reference.plain.evaluate import LANGUAGE
from tests.reference.random_cases import random_case

DOCUMENT = Path(__file__).parents[2] / "docs" / "language.md"
QUICK = range(240)  # fewer would not meet every name and argument of the language
LONG = range(1_000, 3_800)  # every function of rows meets each of the 14 forms of a row
ALL_ENGINES = range(0, 240, 40)  # these are asked of every backend
BATCH = 20
AGAIN = 4  # types with the same forms, of which one at least is not refused
LONG_COVERS = (
    176,
)  # sizes of regions: a cover excludes one wrong solution at a time, which takes half a minute
MOST_REFUSED = 0.1  # of the types that are written

# What docs/language.md says is refused, as it is told: all else that is refused is a failure.
REFUSED = [
    r"no value that .* may take is an index of .*",
    r"there is no position -?\d+: positions run from 0 to \d+",
    r"(this mapping has|there is) no key .*",
    r"a pattern matches single characters and digits, got -?\d+",
    "expected an unknown, got a value computed from unknowns",
    r"\w+ has no member at .*",
    r"a path has two ends, and both are .*",
]


def backends(seed: int) -> tuple[str, ...]:
    """`auto` and one backend by turns; for a few types all of them."""
    if seed in LONG_COVERS:
        return ("auto", "sat")
    return ("auto", *ENGINES) if seed in ALL_ENGINES else ("auto", ENGINES[seed % len(ENGINES)])


def read(seed: int) -> tuple[Case, str]:
    """A case, and why it is refused, where it is."""
    case = random_case(seed)
    try:
        case.puzzle()
    except InputError as refused:
        return case, str(refused).split("\n")[0]
    return case, ""


def outcome(seed: int) -> tuple[Case, str, tuple[str, ...]]:
    """A case; why it is refused, where it is; and where the package and the reference interpreter
    differ.
    """
    case, refused = read(seed)
    return case, refused, () if refused else tuple(differences(case, backends(seed), seed))


def told(case: Case, lines: Iterable[str]) -> str:
    return "\n".join([str(case), *lines])


def held(seeds: Iterable[int]) -> list[str]:
    """What is wrong with these seeds' types, each with its text."""
    found = []
    for seed in seeds:
        case, refused, lines = outcome(seed)
        if lines or (refused and not any(re.search(f": {known}$", refused) for known in REFUSED)):
            found.append(told(case, lines or [refused]))
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("first", QUICK[::BATCH])
def test_random_types_mean_what_the_document_says(first: int) -> None:
    assert not held(range(first, first + BATCH))


@pytest.mark.slow
@pytest.mark.parametrize("first", LONG[::BATCH])
def test_many_random_types_mean_what_the_document_says(first: int) -> None:
    assert not held(range(first, first + BATCH))


@pytest.mark.slow
def test_few_types_are_refused_and_most_have_solutions() -> None:
    cases = [outcome(seed) for seed in QUICK]
    assert sum(bool(refused) for _, refused, _ in cases) <= MOST_REFUSED * len(cases)
    several = [
        case for case, refused, _ in cases if not refused and len(case.reference.solutions) > 0
    ]
    assert len(several) >= 2 / 3 * len(cases)
    assert (
        sum(case.reference.missed for case in several) >= 10
    )  # rules come to indexes at which nothing stands


def test_the_same_seed_writes_the_same_type() -> None:
    assert [str(random_case(seed)) for seed in range(5)] == [
        str(random_case(seed)) for seed in range(5)
    ]


# What is met


def documented() -> dict[str, list[tuple[str, ...]]]:
    """The functions of the document's tables with the names of their arguments;
    attributes with a dot before them.
    """
    found: dict[str, list[tuple[str, ...]]] = {}
    section = (
        DOCUMENT.read_text(encoding="utf-8")
        .split("### Counting")[1]
        .split("## How puzzles are drawn")[0]
    )
    section = re.sub(r"(?s)\*\*Patterns\*\*.*?(?=### Graphs)", "", section)
    for line in section.splitlines():
        first = line.split(" | ")[0] if line.startswith("| `") else ""
        for text in re.findall(r"`([^`]+)`", first):
            call = re.fullmatch(r"(?:(\w+)(\.))?(\w+)(?:\((.*)\))?", text)
            if call:
                name = (call[2] or "") + call[3]
                args = (
                    tuple(part.split("=")[0].strip() for part in call[4].split(","))
                    if call[4]
                    else ()
                )
                found.setdefault(name, []).append(args)
    return found


def expressions(case: Case) -> Iterator[ast.AST]:
    reference = case.read
    for section in ("let", "rules", "goals", "show", "variables", "auxiliary", "define"):
        content = reference.type.get(section) or {}
        for text in content.values() if isinstance(content, dict) else ():
            for one in [text] if isinstance(text, str) else text:
                yield from ast.walk(ast.parse(f"({one})"))


def shape(node: ast.expr, families: Iterable[str]) -> str:
    """The form of an argument, roughly: which kind of expression it is."""
    if isinstance(node, ast.Name):
        return "family" if node.id in families else "name"
    if isinstance(node, ast.Subscript):
        return "slice" if isinstance(node.slice, ast.Slice) else "part"
    return type(node).__name__


@cache
def met() -> Counter[str]:
    """What the accepted types of `QUICK` have in them: names,
    and names with the forms of their arguments.
    """
    found: Counter[str] = Counter()
    for first in QUICK:  # where a type is refused, another one with the same forms takes its place
        again = range(first, first + AGAIN * len(DECK), len(DECK))
        case = next((case for case, refused in map(read, again) if not refused), None)
        for node in expressions(case) if case is not None else ():
            if isinstance(node, ast.Name):
                found[node.id] += 1
            if isinstance(node, ast.Attribute):
                found["." + node.attr] += 1
            if isinstance(node, ast.Call):
                name = (
                    node.func.id
                    if isinstance(node.func, ast.Name)
                    else "." + getattr(node.func, "attr", "")
                )
                found[f"{name}/{len(node.args)}"] += 1
                found.update(f"{name}({keyword.arg}=)" for keyword in node.keywords)
                found.update(f"{name} of {shape(arg, case.read.families)}" for arg in node.args)
            found[type(node).__name__] += 1
    return found


def test_every_function_has_a_form_and_a_meaning() -> None:
    """A new function is to be given both: the slow tests say whether the form is met with each of
    its arguments.
    """
    forms = "\n".join(
        path.read_text("utf-8") for path in Path(__file__).with_name("grammar").glob("*.py")
    )
    functions = language().functions
    assert [name for name in functions if not re.search(rf"\b{name}\b", forms)] == [], (
        "write a form in grammar/forms.py"
    )
    assert [name for name in functions if name not in {*LANGUAGE, "implies"}] == [], (
        "write a meaning in plain/functions.py"
    )


@pytest.mark.slow  # this and the next say what the random types hold, not what they find
def test_every_name_of_the_document_is_met() -> None:
    assert {*documented(), *language().functions, "board", "king", "rook"} - set(met()) == set()


OPTIONAL = {  # what may be left out; each is given by its name, and left out
    "connected": ("links", "moves"),
    "regions": ("links",),
    "region_sizes": ("links",),
    "enumerate": ("start",),
    "number": ("base",),
    "runs": ("cyclic",),
    "segments": ("labels",),
    "marks": ("marking",),
    "fitting": ("marking",),
    "next_guesses": ("marking",),
    "boards_of": ("marking", "differ"),
    "word_paths": ("moves", "shortest", "longest"),
    ".slots": ("shortest",),
    ".across": ("shortest",),
    ".down": ("shortest",),
    ".rays": ("through_holes",),
    ".step": ("n",),
    "placements": ("rotate", "reflect"),
    "rectangles": ("largest", "around"),
    "known_best": ("start",),
}


@pytest.mark.slow
def test_every_argument_is_met() -> None:
    lacking = []
    for name, forms in documented().items():
        for args in forms:
            optional = OPTIONAL.get(name, ())
            least = len([arg for arg in args if arg not in optional])
            lacking += [f"{name}({arg}=)" for arg in optional if f"{name}({arg}=)" not in met()]
            if args and f"{name}/{least}" not in met():
                lacking.append(f"{name} with {least}")
            if optional and not any(
                f"{name}/{n}" in met() for n in range(least + 1, least + len(optional) + 1)
            ):
                lacking.append(f"{name} with more than {least}")
    assert lacking == []


ROWS = (
    "Tuple",
    "List",
    "GeneratorExp",
    "ListComp",
    "family",
    "part",
    "slice",
    "IfExp",
    "BinOp",
    "Call",
)
OF_ROWS = (
    "sum",
    "count",
    "len",
    "min",
    "max",
    "any",
    "all",
    "exactly_one",
    "at_most_one",
    "at_least",
    "at_most",
)
OF_ROWS += (
    "all_different",
    "all_equal",
    "increasing",
    "runs",
    "leading",
    "matches",
    "visible",
    "lex_less",
)


@pytest.mark.slow
def test_every_function_of_rows_meets_every_form_of_a_row() -> None:
    assert len(DECK) < len(QUICK)
    found = Counter(met())
    for seed in LONG:
        case, refused = read(seed)
        if not refused:
            for node in expressions(case):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    found.update(
                        f"{node.func.id} of {shape(arg, case.read.families)}" for arg in node.args
                    )
    assert [
        f"{name} of {form}" for name in OF_ROWS for form in ROWS if f"{name} of {form}" not in found
    ] == []
