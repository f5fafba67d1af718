"""What a program calls is documented: each argument, what comes back, and an example,
which docs/test_examples.py runs.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Puzzle

CALLED = [
    puzzlekit.load,
    Puzzle.goal,
    Puzzle.run,
    Puzzle.solve,
    Puzzle.count,
    Puzzle.sample,
    Puzzle.best,
]
CALLED += [Puzzle.check, Puzzle.hint, Puzzle.explain, Puzzle.conflict, Puzzle.rate]


@pytest.mark.parametrize("called", CALLED, ids=lambda called: called.__qualname__)
def test_arguments_are_documented_in_their_order(called: Callable[..., Any]) -> None:
    sections = re.split(r"^(\w+):$", inspect.getdoc(called) or "", flags=re.MULTILINE)
    texts = dict(zip(sections[1::2], sections[2::2], strict=True))
    named = re.findall(r"^    (\w+): ", texts["Args"], re.MULTILINE)
    assert named == [name for name in inspect.signature(called).parameters if name != "self"]
    assert list(texts) == ["Args", "Returns", "Raises", "Examples"]
    assert ">>> " in texts["Examples"]


@pytest.mark.parametrize("name", puzzlekit.__all__)
def test_everything_that_is_exported_says_what_it_is(name: str) -> None:
    text = inspect.getdoc(getattr(puzzlekit, name)) or ""
    first = text.split("\n\n")[0].replace("\n", " ")
    assert first.endswith((".", ":")) and first[0].isupper()
