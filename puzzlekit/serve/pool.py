"""Worker processes that answer the questions of all pages, and who is served next.

All state belongs to the thread of the event loop; other threads only wait for workers. A question
runs in a process of its own, with limits of time and memory, and can be stopped at any moment.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from secrets import token_urlsafe
from typing import Any

from puzzlekit.processes.worker_process import Worker, WorkerCrashed
from puzzlekit.serve.questions import answer, begin

MOST = 8  # workers
RESERVED = 2  # of them, which only quick questions get
QUICK = 15.0  # seconds of a quick question, at most
LONGEST = 600.0  # seconds of any
WARM = 2  # workers that are ready before anybody asks
OF_ONE = 5  # questions of one person that run at a time
WAITING = 64  # questions of one person that may wait
ALL_WAITING = 512
# seconds after its limit, or after it is told to stop, in which a worker may end a question by
# itself
LATE = 2.0
STOPPING = 0.7
ABANDONED = 90.0  # seconds after which a question ends about which nobody asks any more
MEMORY = 1_500_000_000  # bytes of a worker
DAYS = 1e6  # seconds without a question after which a worker ends by itself
IDLE = 60.0  # seconds after which the pool ends one, but for the first
LARGE = 400_000_000  # bytes with which a worker gets no further question
USED = 200  # questions of a worker
ANSWER = 8_000_000  # characters of an answer


class Refused(Exception):
    """There are too many questions."""


@dataclass(eq=False)
class Question:
    """A question, and what was found so far.

    Attributes:
        person: Who asks.
        given: What is asked, for `questions.answer`.
        id: Its name, which cannot be guessed.
        news: What was found and not told yet.
        done: Whether it is over.
    """

    person: str
    given: Mapping[str, Any]
    id: str = field(default_factory=lambda: token_urlsafe(12))
    news: list[dict[str, Any]] = field(default_factory=list)
    done: bool = False
    seen: float = field(default_factory=time.monotonic)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    size: int = 0

    @property
    def quick(self) -> bool:
        """Whether it cannot take long."""
        return bool(self.given["seconds"] <= QUICK)

    @property
    def key(self) -> tuple[Any, Any]:
        """The texts that it is about: a worker that has them loaded answers sooner."""
        return self.given.get("type"), self.given.get("spec")

    def add(self, item: dict[str, Any]) -> None:
        """Note what was found."""
        self.size += len(json.dumps(item))
        if self.size > ANSWER:
            item = {"error": "the answer is too long"}
        if not self.done:
            self.news.append(item)
            if self.size > ANSWER or "answer" in item or "error" in item:
                self.end()

    def end(self) -> None:
        """Note that nothing more is found."""
        self.done = True
        self.ended.set()

    def told(self) -> dict[str, Any]:
        """Return what is new."""
        self.seen, news, self.news = time.monotonic(), self.news, []
        return {"id": self.id, "news": news, "done": self.done}


@dataclass(eq=False)
class Slot:
    """A place for a worker.

    Attributes:
        busy: Whether a thread works with it.
        question: What it is asked; None if it is free, or only made ready.
        key: The texts that it has loaded last.
    """

    worker: Worker | None = None
    busy: bool = False
    question: Question | None = None
    key: tuple[Any, Any] | None = None
    used: int = 0

    def work(self, question: Question, folder: str, note: Any) -> None:
        """Ask the worker, and note what it finds; in a thread."""
        until = time.monotonic() + question.given["seconds"] + LATE
        try:
            worker = self._ready(folder)
            worker.ask(answer, (question.given,))
            ended = False
            while not ended:
                message = worker.receive(max(0.0, until - time.monotonic()))
                if message is None:
                    worker.kill()
                    note({"error": "stopped: the time is up"})
                    break
                items, ended, error = message
                for item in items:
                    note(item)
                if error is not None:
                    note({"error": str(error)})
                if question.size > ANSWER:
                    worker.kill()
        except (WorkerCrashed, OSError) as reason:
            note({"error": f"stopped: the worker {reason}"})
        self.used += 1
        if self.used >= USED or not self._small():
            self.end()

    def warm(self, folder: str) -> None:
        """Start the worker before anybody asks; in a thread."""
        with suppress(WorkerCrashed, OSError):
            self._ready(folder)

    def _ready(self, folder: str) -> Worker:
        if self.worker is None or not self.worker.ready:
            self.end()
            self.worker = Worker(fresh=True, memory=MEMORY, idle_seconds=DAYS)
            self.worker.idle_since = time.monotonic()
            self.worker.ask(begin, (folder,))
            self.worker.only_item()
        self.worker.idle_since = time.monotonic()
        return self.worker

    def _small(self) -> bool:
        return self.worker is not None and self.worker.ready and self.worker.resident() < LARGE

    def end(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self.worker.end()
        self.worker, self.key, self.used = None, None, 0


def _note(loop: asyncio.AbstractEventLoop, question: Question, item: dict[str, Any]) -> None:
    loop.call_soon_threadsafe(question.add, item)


class Pool:
    """Who asks what, and which worker answers.

    Args:
        folder: The folder whose files workers may read.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.slots = [Slot() for _ in range(MOST)]
        self.waiting: list[Question] = []
        self.questions: dict[str, Question] = {}
        self._threads = ThreadPoolExecutor(MOST, "worker")
        self._jobs = set[Future[Any]]()  # that threads do now
        self._looking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the first workers, and look after questions that nobody asks about."""
        for slot in self.slots[:WARM]:
            self._in_thread(slot, slot.warm, self.folder).add_done_callback(
                partial(self._freed, slot, None)
            )
        self._looking = asyncio.create_task(self._look())

    def ask(self, person: str, given: Mapping[str, Any]) -> Question:
        """Ask a question. Raises Refused if there are too many."""
        if (
            len(self.waiting) >= ALL_WAITING
            or sum(one.person == person for one in self.waiting) >= WAITING
        ):
            raise Refused("too many questions are waiting: stop some, or wait")
        question = Question(person, given)
        self.questions[question.id] = question
        self.waiting.append(question)
        self._give()
        return question

    def find(self, person: str, name: str) -> Question | None:
        """Return a question of a person; None if there is none of this name, or it is another's."""
        question = self.questions.get(name)
        return question if question is not None and question.person == person else None

    def forget(self, question: Question) -> None:
        """Forget a question that is over and told."""
        self.questions.pop(question.id, None)

    def stop(self, question: Question) -> None:
        """End a question: by a word to its worker, and by force if that does not help."""
        if question.done:
            return
        question.add({"error": "stopped"})
        if question in self.waiting:
            self.waiting.remove(question)
        slot = next((slot for slot in self.slots if slot.question is question), None)
        if slot is None or slot.worker is None:
            return
        if hasattr(signal, "SIGUSR1"):
            slot.worker.signal(signal.SIGUSR1)
        asyncio.get_running_loop().call_later(STOPPING, self._kill, slot, question)

    def _kill(self, slot: Slot, question: Question) -> None:
        if slot.question is question and slot.worker is not None:
            slot.worker.kill()

    def _give(self) -> None:
        """Give waiting questions to free workers: first to those who have the fewest, quick
        questions first.
        """
        while True:
            free = [slot for slot in self.slots if not slot.busy]
            running = Counter(
                slot.question.person for slot in self.slots if slot.question is not None
            )
            able = [
                one
                for one in self.waiting
                if len(free) > (0 if one.quick else RESERVED)
                and running[one.person] < OF_ONE + one.quick * RESERVED
            ]
            if not able:
                return
            question = min(able, key=lambda one: (not one.quick, running[one.person]))
            slot = min(
                free, key=lambda slot: (slot.key != question.key, slot.worker is None, -slot.used)
            )
            if slot.worker is None and any(
                slot.busy and (not slot.question or slot.question.done) for slot in self.slots
            ):
                return  # one is about to be free, which is sooner than a new worker
            self.waiting.remove(question)
            slot.question, slot.key = question, question.key
            note = partial(_note, asyncio.get_running_loop(), question)
            self._in_thread(slot, slot.work, question, self.folder, note).add_done_callback(
                partial(self._freed, slot, question)
            )

    def _freed(self, slot: Slot, question: Question | None, task: asyncio.Future[Any]) -> None:
        error = None if task.cancelled() else task.exception()
        if question is not None:
            question.add(
                {
                    "error": f"this is a bug in puzzlekit, please report it: {error!r}"
                    if error
                    else "stopped"
                }
            )
        slot.busy, slot.question = False, None
        self._give()

    def _in_thread(self, slot: Slot, *call: Any) -> asyncio.Future[Any]:
        slot.busy = True
        job = self._threads.submit(*call)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return asyncio.wrap_future(job)

    async def _look(self) -> None:
        """Stop and forget what nobody asks about any more."""
        while True:
            await asyncio.sleep(5)
            for slot in self.slots[WARM:]:
                if (
                    not slot.busy
                    and slot.worker is not None
                    and time.monotonic() - slot.worker.idle_since > IDLE
                ):
                    slot.end()
            for question in list(self.questions.values()):
                if time.monotonic() - question.seen > ABANDONED:
                    self.stop(question)
                    if question.done:
                        self.forget(question)

    def close(self) -> None:
        """End all workers."""
        self.waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        while True:  # a worker that a thread is about to start cannot be killed yet
            for slot in self.slots:
                if slot.worker is not None:
                    slot.worker.kill()
            if not wait(self._jobs, 0.05).not_done:
                break
        for slot in self.slots:
            slot.end()
