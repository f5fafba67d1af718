"""How a command ends: every error is a message and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable

from puzzlekit.errors import BackendBug, InputError, PuzzlekitError, Unsupported, printable
from puzzlekit.processes.command import interrupts

Work = Callable[[], int | None]  # returns the exit code; None for 0


def finish(work: Work) -> int:
    """Run a command and write all that it printed; returns the exit code."""
    try:
        code = answer(work)
        sys.stdout.flush()
    except OSError as error:
        code = unwritten(error)
    return code


def answer(work: Work) -> int:
    """Run a command, and report its errors; returns the exit code. Raises OSError if it cannot print."""
    try:
        with interrupts.at_work():
            return work() or 0
    except InputError as error:
        report(str(error))
        return 2
    except Unsupported as error:
        if error.everywhere:
            report(f"no installed backend supports the puzzle: {error}")
        else:
            report(f"this backend does not support the puzzle: {error}\n     = use --backend auto to select one that does")
        return 2
    except BackendBug as error:
        report(f"this is a bug in puzzlekit, please report it: {error}")
        return 70
    except PuzzlekitError as error:
        report(str(error))
        return 3
    except KeyboardInterrupt:
        report("interrupted")
        return 130
    except MemoryError:
        report("not enough memory")
        return 3


def unwritten(error: OSError) -> int:
    """Report a failed write, discard the rest of the buffer, and return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader stopped reading
        return 141
    if error.filename is not None:
        report(f"{error.filename}: {error.strerror or error}")
    else:
        report(f"cannot write to standard output: {error.strerror or error}\n     = the rest of the output is lost")
    return 2


def report(message: str) -> None:
    """Print a message on standard error, if it can be written."""
    with contextlib.suppress(OSError):
        try:
            print(printable(message), file=sys.stderr, flush=True)
        except MemoryError:  # the bound of --memory is met, so that not even this can be printed
            os.write(2, b"not enough memory\n")
