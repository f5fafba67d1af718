"""Python in the playground answers as Python here, on examples of all types."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.catalogue import example_specs, types
from puzzlekit.questions import answer
from tests.playground.built import build_script, built
from tests.serve.test_pool import PIGEONS
from tests.shipped import ROOT

SECONDS = 20
LATE = 4  # of all examples, of which Python in a page may not find the solutions in time


def questions(name: str) -> list[dict[str, Any]]:
    """The questions for solutions of the smallest example of a type, and of the middle one."""
    type_text = types()[name].read_text(encoding="utf-8")
    paths = example_specs(name)
    chosen = dict.fromkeys([paths[0], paths[len(paths) // 2]]) if paths else {}
    return [
        {
            "question": "solve",
            "type": type_text,
            "spec": path.read_text(encoding="utf-8"),
            "seconds": SECONDS,
            "id": f"{name}/{path.stem}",
        }
        for path in chosen
    ]


def solutions(messages: list[dict[str, Any]]) -> Any:
    """What an answer says about solutions, whatever their order is."""
    last = messages[-1]
    if "answer" not in last:
        return last["error"]
    boards = sorted(map(json.dumps, last["answer"]["boards"]))
    pictures = last["answer"]["pictures"] if len(boards) == 1 else []
    return last["answer"]["text"], [] if len(boards) == 50 else boards, pictures


def is_late(messages: list[dict[str, Any]]) -> bool:
    return "the time is up" in json.dumps(messages[-1])


def asked_in_node(folder: Path, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ask Python of the playground, in node; return the messages and seconds of each answer."""
    script = ROOT / "tests" / "playground" / "sweep.js"
    command = ["node", str(script), str(folder), str(build_script().PYODIDE)]
    lines = "\n".join(map(json.dumps, asked))
    run = subprocess.run(command, input=lines, text=True, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.slow
def test_examples_of_all_types_have_the_solutions_that_they_have_here() -> None:
    asked = [question for name in sorted(types()) for question in questions(name)]
    there = asked_in_node(built(), asked)
    assert len(asked) == len(there) > 200
    late: list[str] = []
    different: list[str] = []
    for question, messages in zip(asked, (answered["messages"] for answered in there)):
        here = list(answer(question))
        if is_late(messages) or is_late(here):
            late.append(question["id"])
        elif solutions(messages) != solutions(here):
            different.append(f"{question['id']}: {solutions(messages)} {solutions(here)}"[:400])
    assert different == []
    assert len(late) <= LATE, late


@pytest.mark.slow
def test_a_search_ends_with_its_time() -> None:
    """The bounds of python-sat hold there, too, though a C long has 32 bits."""
    pigeons = {"question": "solutions", "type": PIGEONS, "spec": "k: 14\n"}
    limits = (2, 5)
    answers = asked_in_node(built(), [{**pigeons, "seconds": limit} for limit in limits])
    for limit, answered in zip(limits, answers):
        assert is_late(answered["messages"])
        assert answered["seconds"] < limit + 5
