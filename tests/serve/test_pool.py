"""Many questions at once: each gets its own answer, hard ones end,
and nobody sees those of another.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from puzzlekit.processes.system import children, resident
from puzzlekit.serve import pool
from tests.serve.running import Person, running

People = Callable[[], Person]
KIND = (
    "puzzle: p\ndata: {k: int}\nvariables: {x: 'between(0, 100)', y: 'between(0, 100)'}\n"
    "rules: {sum: x + y == k}\n"
)
PIGEONS = (  # 13 pigeons in 12 holes: no solver of clauses sees that within the time
    "puzzle: q\ndata: {k: int}\nlet: {p: 'range(1, k + 2)', h: 'range(1, k + 1)'}\n"
    "variables: {'x[i, j]': 'bool for i in p for j in h'}\n"
    "rules:\n  one: at_least(1, [x[i, j] for j in h]) for i in p\n"
    "  few: not (x[i, j] and x[m, j]) for i in p for m in p if i < m for j in h\n"
)


def test_fifty_questions_of_five_people_none_lost_none_mixed_up(people: People) -> None:
    five = [people() for _ in range(5)]
    expected: dict[str, int | None] = {}
    for number in range(10):
        for who, person in enumerate(five):
            if number == 3:
                expected[person.ask("solve", type=PIGEONS, spec="k: 13\n", seconds=0.5)] = None
            else:
                low = 10 * who + number
                expected[person.ask("count", type=KIND, spec=f"k: {low}\n")] = low + 1
    found = {name: news for person in five for name, news in person.wait(120).items()}
    assert len(expected) == 50 and found.keys() == expected.keys()
    for name, count in expected.items():
        last = found[name][-1]
        if count is None:
            assert "time is up" in str(last), last
        else:
            assert last["answer"] == {"count": count}


def test_a_quick_question_does_not_wait_for_hard_ones(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "OF_ONE", 2)
    busy, other = people(), people()
    hard = [busy.ask("solve", type=PIGEONS, spec="k: 14\n", seconds=60) for _ in range(3)]
    for person in (busy, other):
        assert person.answer("count", type=KIND, spec="k: 3\n", seconds=10) == {"count": 4}
    began = time.monotonic()
    busy.post("stop", {"ids": hard})
    busy.wait(20)
    assert all(
        "stop" in str(busy.found[name][-1]) or "not needed" in str(busy.found[name][-1])
        for name in hard
    )
    assert time.monotonic() - began < 20


@pytest.mark.slow
def test_the_first_questions_are_answered_while_workers_start(tmp_path: Path) -> None:
    with running(tmp_path) as port, Person(port) as person:
        names = [person.ask("count", type=KIND, spec=f"k: {number}\n") for number in range(4)]
        found = person.wait()
    assert [found[name][-1] for name in names] == [
        {"answer": {"count": number + 1}} for number in range(4)
    ]


def test_nobody_is_told_or_stops_what_another_asks(people: People) -> None:
    one, other = people(), people()
    name = one.ask("solve", type=PIGEONS, spec="k: 14\n", seconds=60)
    assert other.post("news", {"ids": [name]}).json() == {"questions": []}
    other.post("stop", {"ids": [name]})
    assert not one.post("news", {"ids": [name]}).json()["questions"][0]["done"]
    one.post("stop", {"ids": [name]})
    one.wait(20)


def test_too_many_questions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WARM", 0)  # a question would wait for a worker that starts
    monkeypatch.setattr(pool, "WAITING", 2)
    monkeypatch.setattr(pool, "OF_ONE", 2)
    hard = {"question": "solve", "type": PIGEONS, "spec": "k: 14\n", "seconds": 60}
    with running(tmp_path) as port, Person(port) as person:
        codes = [person.post("ask", hard) for _ in range(pool.OF_ONE + 4)]
        names = [got.json()["id"] for got in codes if got.status_code == 200]
        person.post("stop", {"ids": names})
        assert [got.status_code for got in codes].count(429) == 2
        assert len(names) == pool.OF_ONE + 2
        person.open, person.found = set(names), {name: [] for name in names}
        person.wait(30)


def test_memory_is_bounded_and_a_worker_that_is_ended_is_replaced(person: Person) -> None:
    large = (
        "puzzle: r\nlet: {n: 'sum([1 for a in range(1, 100000) for b in range(1, 100000)])'}\n"
        "variables: {x: 'between(1, n)'}\n"
    )
    assert "error" in person.answer("board", type=large, spec="", seconds=3)
    assert person.answer("count", type=KIND, spec="k: 2\n") == {"count": 3}


def test_a_folder_that_is_gone_is_told_and_may_come_back(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    with running(folder) as port, Person(port) as person:
        assert person.answer("count", type=KIND, spec="k: 3\n") == {"count": 4}
        folder.rmdir()
        names = [
            person.ask("count", type=KIND, spec="k: 4\n") for _ in range(pool.WARM + 2)
        ]  # of old workers and new ones
        assert [person.wait()[name] for name in names] == [
            [{"error": "the folder that is served is gone"}]
        ] * len(names)
        folder.mkdir()
        assert person.answer("count", type=KIND, spec="k: 4\n") == {"count": 5}


@pytest.mark.slow
def test_memory_is_flat_after_a_thousand_questions(tmp_path: Path) -> None:
    with ExitStack() as own:
        port = own.enter_context(running(tmp_path))
        person = own.enter_context(Person(port))
        sizes = []
        for number in range(1_000):
            assert person.answer("count", type=KIND, spec=f"k: {number % 150}\n")["count"] >= 0
            person.answer("board", type=KIND, spec=f"k: {number}\n")
            if number in (300, 999):
                sizes.append(sum(map(resident, [os.getpid(), *children(os.getpid())])))
        assert sizes[1] < sizes[0] + 30_000_000, sizes
