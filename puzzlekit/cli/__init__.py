"""The command line: `puzzlekit solve TYPE SPEC`. Commands read their arguments, call the API, and print."""

import os
import sys


def main() -> None:
    """Run the command line, in a process that a supervisor watches where the platform has what that needs."""
    try:
        from puzzlekit.cli import supervisor

        if supervisor.possible():
            supervisor.run()
        from puzzlekit.cli import app
        from puzzlekit.cli.interrupts import interrupts

        interrupts.begin()
        app.main()
    except KeyboardInterrupt:  # while modules were read
        sys.stderr = None  # nothing more is said
        os._exit(130)


__all__ = ["main"]
