"""Each example of docs/how-do-i.md stands in the type that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "how-do-i.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"From\s`(\w+)`:\n\n```yaml\n(.*?)```", PAGE, re.DOTALL)


def lines(text: str) -> list[str]:
    """The lines without comments, indentation and empty lines."""
    return [line for line in (re.sub(r"\s{2,}#.*", "", line).strip() for line in text.splitlines()) if line]


def test_it_has_twenty_questions_with_an_example_each() -> None:
    assert PAGE.count("\n### …") == len(EXAMPLES) == PAGE.count("```yaml") == 20


@pytest.mark.parametrize("type_name, example", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_stands_in_its_type(type_name: str, example: str) -> None:
    shipped = lines((ROOT / "puzzles" / f"{type_name}.yaml").read_text(encoding="utf-8"))
    assert [line for line in lines(example) if line not in shipped] == []
