"""Worker processes that answer the questions of all pages, and the order of the questions.

All state belongs to the thread of the event loop; other threads only wait for workers. A question
runs in a process of its own, with limits of time and memory, and can be stopped at any moment.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import field
from functools import partial
from secrets import token_urlsafe
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.processes import Worker, WorkerCrashed
from puzzlekit.questions import answer, begin

Note = Callable[[dict[str, Any]], None]  # takes a message of a worker
MOST = 8  # workers
RESERVED = 2  # of them, which only quick questions get
QUICK = 15.0  # the most seconds of a quick question
WARM = 2  # workers that are ready before anybody asks
OF_ONE = 5  # questions of one person that run at a time
WAITING = 64  # questions of one person that may wait
ALL_WAITING = 512
# seconds after its limit, or after a request to stop, in which a worker may end a question
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
    """A question of a person, and its messages.

    Attributes:
        person: The person who asks.
        given: The data of the question, for `answer`.
        id: Its name, which cannot be guessed.
        news: The messages that the page has not fetched yet.
        done: Whether it is over.
        seen: When the page last asked about it.
        size: The characters of all messages.
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

    def add(self, message: dict[str, Any]) -> None:
        """Add a message; an answer or an error ends the question."""
        self.size += len(json.dumps(message))
        if self.size > ANSWER:
            message = {"error": "the answer is too long"}
        if self.done:
            return
        self.news.append(message)
        if "answer" in message or "error" in message:
            self.end()

    def end(self) -> None:
        """End the question: it gets no more messages."""
        self.done = True
        self.ended.set()

    def unread(self) -> dict[str, Any]:
        """Return the messages since the last call."""
        self.seen = time.monotonic()
        news = self.news
        self.news = []
        return {"id": self.id, "news": news, "done": self.done}


@dataclass(eq=False)
class WorkerSlot:
    """One of the workers that the pool may have.

    Attributes:
        worker: The worker; None if it is not started.
        busy: Whether a thread works with it.
        question: The question that it answers; None if it is free, or only starts.
        key: The texts that it has loaded last.
        used: The number of the questions that it has answered.
    """

    worker: Worker | None = None
    busy: bool = False
    question: Question | None = None
    key: tuple[Any, Any] | None = None
    used: int = 0

    def work(self, question: Question, folder: str, note: Note) -> None:
        """Ask the worker, and note its messages; in a thread."""
        until = time.monotonic() + question.given["seconds"] + LATE
        try:
            worker = self._ready(folder)
            worker.ask(answer, (question.given,))
            while self._receive(worker, question, until, note):
                pass
        except (WorkerCrashed, OSError) as reason:
            note({"error": f"stopped: the worker {reason}"})
        self.used += 1
        if self.used >= USED or not self._small():
            self.end()

    def _receive(self, worker: Worker, question: Question, until: float, note: Note) -> bool:
        """Note messages of the worker; return whether more may come."""
        batch = worker.receive(max(0.0, until - time.monotonic()))
        if batch is None:
            worker.kill()
            note({"error": "stopped: the time is up"})
            return False
        messages, ended, error = batch
        for message in messages:
            note(message)
        if error is not None:
            note({"error": str(error)})
        if question.size > ANSWER:
            worker.kill()
        return not ended

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
        if self.worker is None or not self.worker.ready:
            return False
        return self.worker.resident() < LARGE

    @property
    def about_to_be_free(self) -> bool:
        """Whether a thread works with it, but for no question that is still open."""
        return self.busy and (self.question is None or self.question.done)

    def idle_seconds(self) -> float:
        """Return the seconds since the worker was used; 0 if it is busy or not started."""
        if self.busy or self.worker is None:
            return 0.0
        return time.monotonic() - self.worker.idle_since

    def end(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self.worker.end()
        self.worker = None
        self.key = None
        self.used = 0


def _note(loop: asyncio.AbstractEventLoop, question: Question, message: dict[str, Any]) -> None:
    loop.call_soon_threadsafe(question.add, message)


def _unsuitability(key: tuple[Any, Any], slot: WorkerSlot) -> tuple[bool, bool, int]:
    """Return the sort key of a worker for a question about these texts: the best is least."""
    return slot.key != key, slot.worker is None, -slot.used


class Pool:
    """The questions of all pages, and the workers that answer them.

    Args:
        folder: The folder whose files workers may read.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.slots = [WorkerSlot() for _ in range(MOST)]
        self.waiting: list[Question] = []
        self.questions: dict[str, Question] = {}
        self._threads = ThreadPoolExecutor(MOST, "worker")
        self._jobs = set[Future[Any]]()  # that threads do now
        self._looking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the first workers, and end questions that nobody asks about."""
        for slot in self.slots[:WARM]:
            start = self._in_thread(slot, slot.warm, self.folder)
            start.add_done_callback(partial(self._freed, slot, None))
        self._looking = asyncio.create_task(self._look())

    def ask(self, person: str, given: Mapping[str, Any]) -> Question:
        """Ask a question. Raises Refused if there are too many."""
        waiting = sum(question.person == person for question in self.waiting)
        if len(self.waiting) >= ALL_WAITING or waiting >= WAITING:
            raise Refused("too many questions are waiting: stop some, or wait")
        question = Question(person, given)
        self.questions[question.id] = question
        self.waiting.append(question)
        self._give()
        return question

    def find(self, person: str, name: str) -> Question | None:
        """Return a question of a person; None if this person has none of this name."""
        question = self.questions.get(name)
        if question is None or question.person != person:
            return None
        return question

    def forget(self, question: Question) -> None:
        """Forget a question that is over and whose messages were fetched."""
        self.questions.pop(question.id, None)

    def stop(self, question: Question) -> None:
        """End a question: by a signal to its worker, and by force if that does not help."""
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

    def _kill(self, slot: WorkerSlot, question: Question) -> None:
        if slot.question is question and slot.worker is not None:
            slot.worker.kill()

    def _give(self) -> None:
        """Give waiting questions to free workers.

        First come the people who have the fewest running questions, and quick questions.
        """
        while True:
            free = [slot for slot in self.slots if not slot.busy]
            question = self._next_question(len(free))
            if question is None:
                return
            slot = min(free, key=partial(_unsuitability, question.key))
            if slot.worker is None and any(busy.about_to_be_free for busy in self.slots):
                return  # which is sooner than a new worker
            self.waiting.remove(question)
            slot.question = question
            slot.key = question.key
            note = partial(_note, asyncio.get_running_loop(), question)
            work = self._in_thread(slot, slot.work, question, self.folder, note)
            work.add_done_callback(partial(self._freed, slot, question))

    def _next_question(self, free: int) -> Question | None:
        """Return the question that a worker gets next; None if so many free workers are too few."""
        questions = [slot.question for slot in self.slots if slot.question is not None]
        running = Counter(question.person for question in questions)

        def may_run(question: Question) -> bool:
            reserved = 0 if question.quick else RESERVED
            most = OF_ONE + RESERVED if question.quick else OF_ONE
            return free > reserved and running[question.person] < most

        def order(question: Question) -> tuple[bool, int]:
            return not question.quick, running[question.person]

        return min(filter(may_run, self.waiting), key=order, default=None)

    def _freed(
        self, slot: WorkerSlot, question: Question | None, task: asyncio.Future[Any]
    ) -> None:
        error = None if task.cancelled() else task.exception()
        if question is not None:
            message = "stopped"
            if error:
                message = f"this is a bug in puzzlekit, please report it: {error!r}"
            question.add({"error": message})
        slot.busy = False
        slot.question = None
        self._give()

    def _in_thread(self, slot: WorkerSlot, *call: Any) -> asyncio.Future[Any]:
        slot.busy = True
        job = self._threads.submit(*call)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        return asyncio.wrap_future(job)

    async def _look(self) -> None:
        """Stop and forget questions that nobody asks about any more, and end idle workers."""
        while True:
            await asyncio.sleep(5)
            for slot in self.slots[WARM:]:
                if slot.idle_seconds() > IDLE:
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
