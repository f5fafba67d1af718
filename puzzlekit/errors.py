"""The errors that puzzlekit raises, and the position in a file that an error refers to.

The tree:

    PuzzlekitError
    ├── InputError           an error in a file or on the command line (exit code 2)
    │   ├── Problems         problems in a type or spec, each with its position
    │   ├── LexiconError     a lexicon that is missing, unreadable or has no words
    │   └── MissingExtra     a backend whose library is not installed
    ├── Unsupported          a backend does not support this model (exit code 2)
    ├── Unreachable          a web service cannot be reached or fails (exit code 3)
    ├── Stopped              the budget ran out before the search was complete (exit code 3)
    ├── Undecided            the backend gave up: there may be solutions or none (exit code 3)
    └── BackendBug           a backend returned a wrong solution, or failed (exit code 70)
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from math import inf
from typing import Any, TypeVar
from unicodedata import east_asian_width

from puzzlekit.dataclass import dataclass
from puzzlekit.sentences import shortened

MESSAGE_CHARACTERS = 600  # of a message on one line
WINDOW = 73  # characters of a line that are shown
UNPRINTABLE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class PuzzlekitError(Exception):
    """The base class of all errors that puzzlekit raises.

    Args:
        message: What is wrong.
        help: What to do about it.

    Attributes:
        help: What to do about it; empty if there is no help. A traceback shows it below the
            message.

    Examples:
        >>> error = InputError("there is no such file", help="did you mean first.yaml?")
        >>> str(error), error.help
        ('there is no such file', 'did you mean first.yaml?')
    """

    def __init__(self, message: str = "", *, help: str = "") -> None:
        super().__init__(printable(message))
        self.help = printable(help)
        if help:
            self.add_note(self.help)


# The options whose name in a shell is not that of their argument in Python
SHELL_NAMES = {"everything": "all", "counting": "count", "settings": "set"}
_options = {"in_shell": False}


@contextmanager
def options_of_shell() -> Iterator[None]:
    """During this block, messages name options as a shell has them."""
    before = _options["in_shell"]
    _options["in_shell"] = True
    try:
        yield
    finally:
        _options["in_shell"] = before


def option(name: str) -> str:
    """Return the name of an option as the user writes it.

    Examples:
        >>> option("per_page")
        'per_page'
        >>> with options_of_shell():
        ...     option("per_page")
        '--per-page'
    """
    if not _options["in_shell"]:
        return name
    return f"--{SHELL_NAMES.get(name, name).replace('_', '-')}"


def setting(field: str) -> str:
    """Return how the user names the value of a field that replaces that of the spec.

    Examples:
        >>> setting("size")
        "settings['size']"
        >>> with options_of_shell():
        ...     setting("size")
        '--set size'
    """
    return f"--set {field}" if _options["in_shell"] else f"settings[{field!r}]"


class InputError(PuzzlekitError):
    """Invalid input; the message says what was expected and what was found."""


class MissingExtra(InputError):
    """The library of a backend is not installed; the message names the extra to install."""


# On the public index, the name `puzzlekit` is another project
DISTRIBUTION = "puzzlekit-yaml"


def installing(*extras: str) -> str:
    """Return the command that installs extras of puzzlekit where it runs.

    In a clone, pip takes the folder. Elsewhere the package is that of a wheel, whose extras go by
    the name of the distribution.
    """
    from pathlib import Path  # here, as it takes time to load

    names = ",".join(extras)
    if (Path(__file__).resolve().parents[1] / "pyproject.toml").is_file():
        return f"pip install -e '.[{names}]' in the clone of puzzlekit"
    return f"pip install '{DISTRIBUTION}[{names}]'"


E = TypeVar("E", bound=Exception)


def with_help(message: str, help: str) -> str:
    r"""Return a message as the terminal shows it: its help stands on a line of its own.

    Examples:
        >>> with_help("there is no such file", "did you mean first.yaml?")
        'there is no such file\n     = did you mean first.yaml?'
        >>> with_help("there is no such file", "")
        'there is no such file'
    """
    if not help:
        return message
    return f"{message}\n     = {help}"


@dataclass(frozen=True, slots=True)
class SourcePos:
    """A position in a file, in YAML text, or in a mapping of Python values.

    Attributes:
        path: The path of the file; `<type>` or `<spec>` for YAML text; for a value in a mapping its
            expression, such as `spec['givens'][2]`.
        line: The line, from 1; in a mapping the line of the value, or 0 if it has only one line.
        column: The column, from 1.
        text: The line itself.

    Examples:
        >>> str(SourcePos("spec.yaml", 3, 5)), str(SourcePos("spec['box']", 0, 1))
        ('spec.yaml:3:5', "spec['box']")
    """

    path: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        if not self.line:
            return self.path
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem at one position, and how to fix it.

    Attributes:
        message: What is wrong.
        position: Where the problem is; None if it has no position.
        help: What to write instead; empty if there is no help.

    Examples:
        >>> position = SourcePos("spec.yaml", 1, 7, "size: x")
        >>> print(Problem("'x' is not a whole number", position, "write a number"))
        spec.yaml:1:7: 'x' is not a whole number
           1 | size: x
             |       ^
             = write a number
    """

    message: str
    position: SourcePos | None = None
    help: str = ""

    def __str__(self) -> str:
        if self.position is None:
            return printable(with_help(self.message, self.help))
        lines = [f"{self.position}: {self.message}"]
        if self.position.text:
            number = f"{self.position.line or '':>4}"
            text, caret = _window(self.position.text, self.position.column - 1)
            lines += [f"{number} | {text}", f"     | {' ' * caret}^"]
        return printable(with_help("\n".join(lines), self.help))


def _window(text: str, caret: int) -> tuple[str, int]:
    """Return the text around the caret of a source line, and the column of the caret.

    The text is printable and fits a narrow terminal.
    """
    text = "".join(char if char.isprintable() else " " for char in text)
    start = max(0, caret - WINDOW // 2) if len(text) > WINDOW else 0
    window = text[start : start + WINDOW]
    if start:
        window = "…" + window[1:]
    before = window[: caret - start]
    wide = sum(east_asian_width(char) in "WF" for char in before)
    return window, len(before) + wide


class Problems(InputError):
    """All problems of one type or spec.

    Attributes:
        problems: The problems, in the order of the file.

    Examples:
        >>> missing = [Problem("the field size is missing"), Problem("the field givens is missing")]
        >>> error = Problems(missing)
        >>> len(error.problems), isinstance(error, InputError)
        (2, True)
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: Sequence[Problem] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type, tuple[Sequence[Problem]]]:
        return type(self), (self.problems,)


FLOOD = 5  # problems with the same message; more of them are reported as one


def merge_repeated(problems: Sequence[Problem], omitted: Counter[str]) -> list[Problem]:
    """Return the problems, with one in place of many that have the same message and help.

    Args:
        problems: The problems, in order.
        omitted: How many more there are with each message. A last problem gives the number of those
            that are not counted with another one.
    """
    counts = Counter((problem.message, problem.help) for problem in problems)
    uncounted = omitted.copy()
    merged: dict[Any, Problem] = {}
    for problem in problems:
        key = problem.message, problem.help
        if counts[key] <= FLOOD:
            merged[problem] = problem
        elif key not in merged:
            times = counts[key] + uncounted.pop(problem.message, 0)
            message = f"{problem.message} ({times:,} times; this is the first)"
            merged[key] = replace(problem, message=message)
    reported = list(merged.values())
    if uncounted:
        reported.append(Problem(f"and {uncounted.total():,} more problems"))
    return reported


class FunctionError(InputError):
    """A function failed on values that unknowns may take.

    Attributes:
        function: The name of the function.
        arguments: The values that it failed on.
        reason: Why it failed.
    """

    def __init__(self, function: str, arguments: tuple[Any, ...], reason: str) -> None:
        self.function = function
        self.arguments = arguments
        self.reason = reason
        call = f"{function}{_written(arguments)}"
        super().__init__(f"{call}, for values that unknowns may take: {reason}")

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), (self.function, self.arguments, self.reason)


def _written(value: object) -> str:
    """Return a value as an expression would write it."""
    if type(value) is tuple:
        return f"({', '.join(map(_written, value))})"
    return repr(value) if isinstance(value, str) else str(value)


class LexiconError(InputError):
    """A lexicon is missing, unreadable or has no words."""


class Unreachable(PuzzlekitError):
    """A web service cannot be reached or fails; the message says how."""


class Unsupported(PuzzlekitError):
    """A backend does not support this model; the message names the rule.

    Attributes:
        everywhere: Whether no other backend supports it either.
    """

    everywhere = False


class Stopped(PuzzlekitError):
    """The time or step budget ran out before the search was complete."""


class Undecided(PuzzlekitError):
    """The backend gave up: no solution was found, and none was excluded."""


class BackendBug(PuzzlekitError):
    """A backend returned a solution that violates the rules, or failed: a bug in puzzlekit."""


def status_of(reason: Exception) -> str:
    """Return the status of work that ended early for this reason."""
    match reason:
        case InputError():
            return "invalid"
        case Unsupported():
            return "unsupported"
        case Undecided():
            return "undecided"
        case BackendBug():
            return "bug"
        case _:
            return "stopped"


def printable(text: str) -> str:
    r"""Replace characters that move the cursor of a terminal or hide text.

    Examples:
        >>> printable("a\x1b[31m\nb")
        'a·[31m\nb'
    """
    return UNPRINTABLE.sub("·", text)


def one_line(text: str) -> str:
    """Return the text as a printable message of limited length on one line."""
    text = printable(text).replace("\n", "·")
    if len(text) > MESSAGE_CHARACTERS:
        return text[: MESSAGE_CHARACTERS - 1] + "…"
    return text


NAMED = 12  # names in help
SIMILAR = 0.5  # the least likeness of nearest names, by their common letters
COMPARED = 400  # names among which similar ones are searched for
PREFIX = 3  # letters with which a name begins, from which it is meant
MISSING_END = 1.5  # the most edits that the missing end of a name counts
LONG = 6  # letters of a word in which half may be wrong, but for the first one


def edits(word: str, name: str) -> int:
    """Return how many letters must be changed, added, removed or swapped with the next one to get
    one word from another (the optimal string alignment distance).

    Examples:
        >>> edits("cilamn", "column"), edits("frist", "first"), edits("row", "rows")
        (2, 1, 1)
    """
    before: list[int] = []
    above = list(range(len(name) + 1))
    for row, first in enumerate(word, 1):
        line = [row]
        for column, second in enumerate(name, 1):
            counts = [above[column - 1] + int(first != second), above[column] + 1, line[-1] + 1]
            if row > 1 < column and (first, second) == (name[column - 2], word[row - 2]):
                counts.append(before[column - 2] + 1)
            line.append(min(counts))
        before, above = above, line
    return above[-1]


def closest(word: str, candidates: Iterable[str]) -> str:
    """Return the candidate closest to a word, as help; empty if none is close.

    Examples:
        >>> closest("frist.yaml", ["first.yaml", "large.yaml"]), closest("a", ["b"])
        ('did you mean first.yaml?', '')
        >>> closest("letrets", ["leisure", "letters"]), closest("lex", ["lexicon"])
        ('did you mean letters?', 'did you mean lexicon?')
    """
    name = closest_name(word, candidates)
    return f"did you mean {name}?" if name else ""


def closest_name(word: str, candidates: Iterable[str]) -> str:
    """Return the candidate closest to a word; empty if none is close."""
    best, least = "", inf
    for name in candidates:
        distance = _distance(word.casefold(), name.casefold())
        if distance < least:
            best, least = name, distance
    return best


def _distance(word: str, name: str) -> float:
    """Return how far a word is from a name; infinity if it is too far to be meant."""
    if len(word) >= PREFIX and name.startswith(word):
        return min(len(name) - len(word), MISSING_END)
    most = max(1, len(word) // 3)
    if word[:PREFIX] == name[:PREFIX]:
        most = max(most, PREFIX - 1)
    if len(word) >= LONG and word[:1] == name[:1]:
        most = max(most, LONG // 2)
    most = min(most, max(0, len(word) - 2))
    if abs(len(word) - len(name)) > most:
        return inf
    distance = edits(word, name)
    return distance if distance <= most else inf


def nearest(
    word: str, candidates: Iterable[str], fallback: Sequence[str] | None = None, more: str = ""
) -> str:
    """Return the candidate closest to a word, as help, else a few candidates; may be empty.

    Args:
        word: The word.
        candidates: The words that are valid there.
        fallback: The candidates to list if none is close; by default all.
        more: What the others are called in that list.

    Examples:
        >>> nearest("colurs", ["letters", "colours"])
        'did you mean colours?'
        >>> nearest("zzz", ["letters", "sum"], ["letters"], "the functions")
        'known here: letters and the functions'
    """
    names = [name for name in candidates if name]
    close = closest(word, names)
    if close:
        return close
    if NAMED < len(names) <= COMPARED:
        similar = get_close_matches(word, names, n=5, cutoff=SIMILAR)
        if similar:
            return f"the nearest names: {', '.join(similar)}"
    listing = shortened(names if fallback is None else fallback, NAMED)
    if listing and more:
        listing += f" and {more}"
    listing = listing or more
    return f"known here: {listing}" if listing else ""


def bare(error: E) -> E:
    """Return the error without its traceback and the errors before it.

    Their frames would retain everything that a search has computed.
    """
    error.__context__ = None
    error.__cause__ = None
    return error.with_traceback(None)
