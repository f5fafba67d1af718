"""Messages beside the output of a command, such as errors and notices."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import textwrap
from threading import Event
from typing import TextIO

from puzzlekit.cli.wrapping import terminal_width
from puzzlekit.errors import printable, with_help

POSITION = re.compile(r"^\S.*?:\d+(:\d+)?: ")  # `spec.yaml:7:5: `, perhaps with blanks in the path
EXCERPT = re.compile(r"^ *\d* \| ")  # a line of a file, or the caret below it
HELP = re.compile(r"^ *= ")
CLEAR_LINE = "\r\033[K"
BLANK = "\0"  # a blank at which no line is broken


progress_line = Event()  # set while a line on the terminal says how long a command has run


def report(message: str, help: str = "") -> None:
    """Print a message and its help on standard error, if it can be written."""
    with contextlib.suppress(OSError):
        try:
            print_message(with_help(message, help), sys.stderr)
        except MemoryError:  # the bound of --memory is met, so that not even this can be printed
            os.write(2, b"not enough memory\n")


def print_message(message: str, file: TextIO) -> None:
    """Print a message, wrapped on a terminal only: a program that reads it gets whole lines."""
    text = printable(message)
    if file.isatty():
        text = "\n".join(map(_wrapped, text.split("\n")))
        if progress_line.is_set():
            text = CLEAR_LINE + text
    print(text, file=file, flush=True)


def _wrapped(line: str) -> str:
    """Return a line of a message on lines that fit the terminal.

    A position in a file stays whole, and so does an excerpt of the file.
    """
    if EXCERPT.match(line):
        return line
    help_mark = HELP.match(line)
    indent = " " * len(help_mark[0]) if help_mark else "  "
    position = POSITION.match(line)
    if position:
        start = position[0].rstrip().replace(" ", BLANK)
        line = f"{start} {line[position.end() :]}"
    text = textwrap.fill(
        line,
        terminal_width(),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return text.replace(BLANK, " ")
