"""What the page of types and specs asks, and the answers.

`answers` has a function for each question, which yields messages. `validation` checks a question
before it is answered. `requests` loads the puzzles that questions are about, and `played` turns
what is entered on a board into marks. The server of `puzzlekit serve` and the worker of the
playground ask here.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.questions.answers import (
        QUESTIONS as QUESTIONS,
        answer as answer,
        begin as begin,
    )
    from puzzlekit.questions.validation import (
        LONGEST as LONGEST,
        checked_question as checked_question,
        text_of as text_of,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "answers": ("QUESTIONS", "answer", "begin"),
            "validation": ("LONGEST", "checked_question", "text_of"),
        },
    )
