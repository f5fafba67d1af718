"""The command line. Commands read their arguments, call the API, and print."""

import os


def main() -> None:
    """Run the command line, under a supervisor process where the platform supports one."""
    try:
        # Python loads `_signal` when it starts; a Ctrl-C while `signal` is imported could be lost.
        import _signal as signal  # type: ignore[import-not-found]

        before = None
        if hasattr(signal, "pthread_sigmask"):  # hold Ctrl-C until a handler is set
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        from puzzlekit.processes import can_supervise, run_supervised

        if before is not None and can_supervise():
            run_supervised(_main, before)
        from puzzlekit.processes import interrupts

        interrupts.begin()
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _main()
    except KeyboardInterrupt:  # while modules were imported
        os._exit(130)


def _main() -> None:
    import gc

    # Imports make many objects that stay: looking for garbage among them takes 13 ms. The command
    # turns the collector on.
    gc.disable()
    # Otherwise numpy starts a thread per processor, which gains nothing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from puzzlekit.cli import program

    program.main()


__all__ = ["main"]
