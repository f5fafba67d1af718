"""The command line: `puzzlekit solve TYPE SPEC`. Commands read their arguments, call the API, and print."""

import os


def main() -> None:
    """Run the command line, in a process that a supervisor watches where the platform has what that needs."""
    try:
        import signal

        before = None
        if hasattr(signal, "pthread_sigmask"):  # a Ctrl-C waits until there is something that hears it
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        from puzzlekit.cli.process import supervisor

        if before is not None and supervisor.possible():
            supervisor.run(before)
        from puzzlekit.cli.process.interrupts import interrupts

        interrupts.begin()
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        from puzzlekit.cli import app

        app.main()
    except KeyboardInterrupt:  # while modules were read
        os._exit(130)


__all__ = ["main"]
