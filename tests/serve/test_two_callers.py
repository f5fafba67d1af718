"""The server and the worker of the playground answer what their page asks, and alike."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.playground import ask
from puzzlekit.questions import QUESTIONS
from tests.serve.running import Person
from tests.shipped import ROOT, SPECS

SERVED = ROOT / "puzzlekit" / "serve" / "static"
PLAYGROUND = ROOT / "playground" / "page"
ASKED = re.compile(r"""\b(?:ask|bring)\("(\w+)"|\.card\((?:"[^"]*"|[\w.]+), "(\w+)\"""")
EXPORTED = re.compile(r"^export (?:async )?(?:const|function) (\w+)", re.MULTILINE)
RANDOM = {"generate"}  # questions whose answers are not the same twice
TEXTS = {
    "type": (ROOT / "puzzles" / "sudoku.yaml").read_text(encoding="utf-8"),
    "spec": SPECS["sudoku/six"].read_text(encoding="utf-8"),
}
GIVEN: dict[str, dict[str, Any]] = {
    "example": {"name": "sudoku", "example": "six"},
    "opened": {"text": TEXTS["spec"], "name": ""},
    "pictures": {"names": ["sudoku"]},
    "picture": {**TEXTS, "form": "svg"},
}


def exported(path: Path) -> set[str]:
    return set(EXPORTED.findall(path.read_text(encoding="utf-8")))


def by_worker(question: dict[str, Any]) -> list[Any]:
    messages: list[Any] = []
    ask(json.dumps(question), lambda text: messages.append(json.loads(text)))
    return messages


def test_the_page_asks_all_questions_and_no_others() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in SERVED.glob("*.js"))
    asked = {first or second for first, second in ASKED.findall(scripts)}
    assert asked == set(QUESTIONS)


@pytest.mark.parametrize("name", ["ask.js", "files.js"])
def test_scripts_of_one_name_offer_the_same(name: str) -> None:
    only_of_the_server = {"post"}  # by which its other script reaches the files
    assert exported(SERVED / name) - only_of_the_server == exported(PLAYGROUND / name)


def test_no_other_script_asks_the_server() -> None:
    for path in SERVED.glob("*.js"):
        if path.name not in ("ask.js", "files.js", "codemirror.js"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\b(fetch|post|XMLHttpRequest|sendBeacon)\(", text), path.name


def test_both_answer_each_question_alike(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a worker works in the folder that is served
    for name in QUESTIONS:
        question = {"question": name, "seconds": 20, **GIVEN.get(name, TEXTS)}
        there = person.wait(name=(asked := person.ask(**question)))[asked]
        here = by_worker(question)
        if name in RANDOM:
            assert here[-1].keys() == there[-1].keys() == {"answer"}
        else:
            assert here == there, name


@pytest.mark.parametrize(
    "question", [{"question": "nonsense"}, {"question": "new", "seconds": 0}, {"question": 3}]
)
def test_both_refuse_alike(person: Person, question: dict[str, Any]) -> None:
    refused = person.post("ask", question)
    assert refused.status_code == 400
    assert by_worker(question) == [refused.json()]
