"""puzzlekit where there are no threads, no processes and few backends, as in a web page."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any
from unittest.mock import Mock, call

import pytest

from puzzlekit import processes
from puzzlekit.backends import load_backend, sat, solver_bounds, watching
from puzzlekit.backends.base import Budget
from puzzlekit.clock import Clock
from puzzlekit.errors import BackendBug, InputError, MissingExtra, Stopped
from puzzlekit.processes import system
from tests.serve.test_pool import PIGEONS
from tests.shipped import ROOT, SPECS


def texts(type_name: str, example: str) -> dict[str, str]:
    type_text = (ROOT / "puzzles" / f"{type_name}.yaml").read_text(encoding="utf-8")
    return {"type": type_text, "spec": SPECS[f"{type_name}/{example}"].read_text(encoding="utf-8")}


def asked(questions: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Ask questions in a process that lacks what a web page lacks; return the messages of each."""
    lines = "\n".join(map(json.dumps, questions))
    command = [sys.executable, "-m", "tests.playground.without_processes"]
    run = subprocess.run(
        command, input=lines, text=True, capture_output=True, cwd=ROOT, check=False
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_questions_are_answered_without_threads_processes_and_clocks() -> None:
    sudoku, galaxies = texts("sudoku", "six"), texts("nurikabe", "tiny")
    questions = [
        {"question": name, "seconds": 20, **given}
        for given in (sudoku, galaxies)
        for name in ("board", "solutions", "count", "check", "hint", "explain", "rate", "generate")
    ]
    answers = asked(
        [*questions, {"question": "solve", "type": PIGEONS, "spec": "k: 11\n", "seconds": 0.4}]
    )
    *_, pigeons = answers
    for question, messages in zip(questions, answers):
        assert "answer" in messages[-1], (question["question"], messages[-1])
    assert answers[1][-1]["answer"]["verdict"] == "one"
    assert "the time is up" in pigeons[-1]["error"]


def test_a_question_that_is_none_is_refused_as_by_the_server() -> None:
    unknown, endless = asked([{"question": "nonsense"}, {"question": "new", "seconds": 1e9}])
    assert unknown == [{"error": "there is no such question", "help": ""}]
    assert "at most 600 seconds" in endless[0]["error"]


def test_a_library_that_is_missing_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "clingo", None)
    monkeypatch.delitem(sys.modules, "puzzlekit.backends.asp", raising=False)
    with pytest.raises(MissingExtra, match="the backend asp is not installed"):
        load_backend("asp")
    with pytest.raises(BackendBug, match="nowhere"):
        monkeypatch.setitem(load_backend.__globals__["BACKENDS"], "asp", ("nowhere", "Asp", None))
        load_backend("asp")


def test_without_threads_the_clock_is_looked_at_between_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sat, "HAS_THREADS", False)
    holes = range(1, 12)
    clauses = sat.Clauses.__new__(sat.Clauses)
    clauses.cnf = [[12 * pigeon + hole for hole in holes] for pigeon in range(1, 13)]
    for hole in holes:
        numbers = [12 * pigeon + hole for pigeon in range(1, 13)]
        clauses.cnf += [[-a, -b] for n, a in enumerate(numbers) for b in numbers[:n]]
    clauses.bounds, clauses.top = [], 12 * 14
    began = time.monotonic()
    with sat.SatSolver(clauses, Budget.on(Clock(0.3))) as solver, pytest.raises(Stopped):
        solver._long_call()
    assert time.monotonic() - began < 5


def test_where_a_long_has_32_bits_a_bound_is_lifted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_narrow in (False, True):
        monkeypatch.setattr(solver_bounds, "_IS_NARROW", is_narrow)
        solver = Mock()
        solver_bounds.bound_conflicts(solver, 5)
        solver_bounds.bound_conflicts(solver, solver_bounds.NONE)
        lifted = [call.conf_budget(5), call.conf_budget(-1)]
        assert solver.mock_calls == lifted + [call.prop_budget(-1)] * is_narrow


def test_without_threads_a_call_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import get_ident

    monkeypatch.setattr(watching, "HAS_THREADS", False)
    assert watching.watched(get_ident, lambda: None, Budget()) == get_ident()


def test_a_platform_without_limits_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "resource", None)
    assert not processes.memory_is_bounded()
    assert processes.peak_memory() == 0
    system.bound_memory(1)
    with pytest.raises(InputError, match="this platform cannot limit the memory"):
        processes.bytes_of("500M")
