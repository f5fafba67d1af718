"""The worker of the playground: questions and messages as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.playground.archives import offer
from puzzlekit.questions import answer, begin, checked_question

FOLDER = "/home/playground"  # in which a type finds no files


def prepare(
    archives: Mapping[str, str],
    fetch: Callable[[str], Any],
    packages: str,
    folder: str = FOLDER,
) -> None:
    """Prepare this process for questions.

    Args:
        archives: The name of the archive of each package that is loaded on demand.
        fetch: A function of the page that returns the content of an archive, as a buffer.
        packages: The folder of installed packages.
        folder: The folder whose files types may read.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    offer(archives, lambda name: bytes(fetch(name)), packages)
    for _ in begin(folder):
        pass


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
