"""The check of a question before it is answered: whoever asks gets the same refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from puzzlekit.errors import InputError
from puzzlekit.questions.answers import QUESTIONS
from puzzlekit.source import FILE_CHARACTERS

LONGEST = 600.0  # the most seconds of any question
SECONDS = 10.0  # of a question that states no limit
TEXTS = ("type", "spec", "text", "name")
SURROGATE = re.compile("[\ud800-\udfff]")


def checked_question(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question with its limit of time.

    Args:
        given: The name of the `question`, its limit in `seconds`, its texts and other data.

    Raises:
        InputError: There is no such question, the limit is not one, or a text is no text.
    """
    if text_of(given, "question") not in QUESTIONS:
        raise InputError("there is no such question")
    seconds = given.get("seconds", SECONDS)
    if not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST:
        raise InputError(f"a question has at most {LONGEST:g} seconds")
    for name in TEXTS:
        if name in given:
            text_of(given, name)
    return {**given, "seconds": seconds}


def text_of(given: Mapping[str, Any], name: str) -> str:
    """Return a text of a question. Raises InputError if it is none, or too long."""
    text = given.get(name)
    if not isinstance(text, str) or len(text) > FILE_CHARACTERS:
        raise InputError(f"{name}: expected a text of at most {FILE_CHARACTERS:,} characters")
    if SURROGATE.search(text):
        raise InputError(f"{name}: this is not text")
    return text
