"""The cases of tests/cases: a declaration of data, a spec or a rule, and what comes of it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from puzzlekit.lang import bind, read_spec, type_of_text
from tests.lang.languages import places_of, problems_of, type_with

CASES = [
    pytest.param(case, id=f"{path.stem}: {group}: {number}")
    for path in sorted((Path(__file__).parent / "cases").glob("*.yaml"))
    for group, cases in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    for number, case in enumerate(cases, 1)
]


@pytest.mark.parametrize("case", CASES)
def test_a_case(case: dict[str, Any]) -> None:
    field = case["data"]
    quoted = '"' + field + '"'
    if "rule" in case:
        text = (
            f"puzzle: t\ndata:\n  f: {quoted}\nvariables:\n  x: bool\nrules:\n  r: |\n"
            f"    {case['rule']}\n"
        )
        found = problems_of(text, "f: 1") if "problem" in case else []
        if not found:
            type_of_text("t.yaml", text)
        assert [(one.message, one.help) for one in found] == (
            [(case["problem"], case["help"])] if "problem" in case else []
        )
    elif "problems" in case:
        assert places_of(type_with(quoted), case["spec"]) == [
            tuple(one) for one in case["problems"]
        ]
    elif "problem" in case:
        assert [one.message for one in problems_of(type_with(quoted), "f: 1")] == [case["problem"]]
    else:
        value = bind(
            type_of_text("t.yaml", type_with(quoted)), read_spec("s.yaml", case["spec"])
        ).data["f"]
        assert repr(list(value) if hasattr(value, "cells") else value) == case["value"]
