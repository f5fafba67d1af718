"""The worker of the playground: questions and messages as JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from puzzlekit.catalogue import example_specs, types
from puzzlekit.errors import InputError
from puzzlekit.playground.archives import offer, rehearse
from puzzlekit.questions import answer, begin, checked_question

FOLDER = "/home/playground"  # in which a type finds no files
MODULES = "/lib/python3.13"  # the folder of all modules of Python in a page
FIRST = ("schema", "board", "solutions")  # what a page asks first
SOME = 40  # of so many types, one is loaded with an example


def load(folder: str = FOLDER) -> None:
    """Load what most questions need.

    The build of the playground calls this once, and takes a snapshot of the memory.

    Args:
        folder: The folder whose files types may read.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    rehearse()
    for _ in begin(folder):
        pass
    for name in sorted(types())[::SOME]:
        type_text = types()[name].read_text(encoding="utf-8")
        spec_text = example_specs(name)[0].read_text(encoding="utf-8")
        for question in FIRST:
            given = {"question": question, "type": type_text, "spec": spec_text, "seconds": 60}
            for _ in answer(given):
                pass


def prepare(
    archives: Mapping[str, str], fetch: Callable[[str], Any], folder: str = MODULES
) -> None:
    """Prepare this process for questions, after `load` or from a snapshot.

    Args:
        archives: For each module that is loaded on demand, the name of its archive.
        fetch: A function of the page that returns the content of an archive, as a buffer.
        folder: The folder to which archives are unpacked.
    """

    def content(archive: str) -> bytes:
        try:
            return bytes(fetch(archive))
        except Exception as error:  # of JavaScript
            message = f"{archive} cannot be loaded: {error}"
            raise InputError(message, help="ask again when there is a network") from None

    random.seed()  # a snapshot has the same state for everybody
    offer(archives, content, folder)


def ask(text: str, post: Callable[[str], object]) -> None:
    """Answer a question, and post each message.

    Args:
        text: The question, a JSON object.
        post: Takes the JSON text of each message. The last one has an `answer` or an `error`.
    """
    try:
        question = checked_question(json.loads(text))
    except InputError as error:
        post(json.dumps({"error": str(error), "help": error.help}))
        return
    for message in answer(question):
        post(json.dumps(message))
