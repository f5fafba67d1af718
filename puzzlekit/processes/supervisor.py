"""The supervisor: the process that the user starts. It forks the command's process and watches it.

Native code of a library ignores the clock and Ctrl-C, may exhaust the memory, and may crash. The
supervisor therefore enforces the limits from outside: the command ends soon after its time limit,
uses only a share of the machine's memory, ends quietly after Ctrl-C, and a native crash is reported
in one line.

The supervisor imports few modules and runs no other code. It blocks signals and takes them one by
one, so that none is lost. A terminal sends Ctrl-C to both processes, `kill` only to the supervisor.
The command obeys only the signals that the supervisor passes on and counts in the shared memory.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from puzzlekit.processes import system
from puzzlekit.processes.command import LATE, REASON, TOTAL, SharedMemory, begin, interrupts

TICK = 0.2  # seconds between two checks
AFTER_INTERRUPT = 3.0  # seconds the command may take to end after Ctrl-C
AFTER_SECOND = 0.5  # the same, after a second Ctrl-C
SHARE = 0.75  # of the machine's memory, without --memory
GIGABYTE = 2**30
SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD}
CRASHES = {
    signal.SIGSEGV,
    signal.SIGABRT,
    signal.SIGBUS,
    signal.SIGILL,
    signal.SIGFPE,
    signal.SIGTRAP,
    signal.SIGSYS,
}


def can_supervise() -> bool:
    """Return whether this process can fork and watch the command.

    The platform must support it, and no other thread may run.
    """
    if not hasattr(os, "fork") or not hasattr(signal, "sigwaitinfo"):
        return False
    threads = sys.modules.get("threading")
    if threads is None:
        return True
    is_main = threads.current_thread() is threads.main_thread()
    return bool(is_main and threads.active_count() == 1)


def run_supervised(main: Callable[[], object], mask: set[Any]) -> None:
    """Run `main` in a child process and exit with its code. Returns only if it cannot fork.

    `mask` is the signal mask of the command.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if ignored, the end of the child goes unnoticed
    if signal.SIGINT in signal.sigpending() and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        os._exit(130)  # a short command could end before it is passed on
    shared, parent = SharedMemory(), os.getpid()
    try:
        child = os.fork()
    except OSError:
        return
    if child == 0:
        _command(main, shared, parent, mask)
    _Supervisor(shared, child).run()


def _command(
    main: Callable[[], object], shared: SharedMemory, parent: int, mask: set[Any]
) -> NoReturn:
    """Run the command in its process; skip Python's shutdown, as library threads may still run."""
    code: Any = 1
    try:
        interrupts.begin(shared, parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        begin(shared)
        main()
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        if interrupts.interrupted:
            code = 130
        else:
            sys.excepthook(*sys.exc_info())
    if code is not None and not isinstance(code, int):
        with suppress(OSError):
            print(code, file=sys.stderr)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            code = 141
        except (AttributeError, OSError, ValueError):  # no such stream
            pass
    os._exit(code or 0)


class _Supervisor:
    """Watches the command's process until it ends."""

    def __init__(self, shared: SharedMemory, child: int) -> None:
        self.shared = shared
        self.child = child
        self.began = time.monotonic()
        self.status: int | None = None  # of the child, from waitpid
        self.interrupted = False
        self.stop_at: float | None = None  # when to end the child after Ctrl-C
        self.second = False
        self.patient_until = 0.0
        memory = system.machine_memory()
        self.bound = None if memory is None else int(memory * SHARE)
        self.over_bound = 0  # the process ended for its memory
        self.signals = {number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN}

    def run(self) -> NoReturn:
        """Wait for the child to end, and end the same way."""
        last_look = self.began
        adopts = False
        self._tick()
        while self.status is None:
            now = time.monotonic()
            signalled = signal.sigwaitinfo(self.signals)
            if signalled.si_signo == signal.SIGINT:
                self._interrupt(signalled.si_pid)
            elif signalled.si_signo not in (signal.SIGCHLD, signal.SIGALRM):
                self._kill()
                _die(signalled.si_signo)
            self._reap()
            if time.monotonic() - now > 2 * TICK + 0.5:  # suspended, as by Ctrl-Z
                self.patient_until = time.monotonic() + LATE
            if self.status is None and time.monotonic() - last_look >= TICK:
                if not adopts:  # adopt orphaned descendants, to end them with the rest
                    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
                    adopts = True
                last_look = time.monotonic()
                self._look(last_look)
        self._kill()
        self._end(self.status)

    def _tick(self) -> None:
        """Add a repeating alarm: after Ctrl-Z, `sigtimedwait` may return signals not sent."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        self.signals.add(signal.SIGALRM)

    def _reap(self) -> bool:
        """Collect ended processes; return whether others remain."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return True
                if pid == self.child:
                    self.status = status
        except ChildProcessError:
            return False

    def _interrupt(self, sender: int) -> None:
        """Pass on Ctrl-C once. The child forwards one that only it received."""
        now = time.monotonic()
        if self.interrupted:
            if sender != self.child:
                self.stop_at = min(self.stop_at or now, now + AFTER_SECOND)
                self.second = True
            return
        self.interrupted = True
        self.stop_at = now + AFTER_INTERRUPT
        self.shared.interrupts += 1
        with suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGINT)

    def _look(self, now: float) -> None:
        """End the child if it is late or uses too much memory."""
        waits = self.shared.writing and not self.second  # the time a reader takes does not count
        if now < self.patient_until or waits:
            pass
        elif self.stop_at is not None:
            if now > self.stop_at:
                self._give_up("interrupted", 130)
        elif self.shared.deadline and now > self.shared.deadline:
            self._give_up("stopped: the time is up; the command did not stop and was ended", 3)
        if self.bound is not None and not self.shared.own_bound:
            self._look_at_memory(self.bound)

    def _look_at_memory(self, bound: int) -> None:
        largest = system.largest_beyond(self.child, bound)
        if largest is None:
            return
        limit = (
            f"three quarters of the machine's memory ({bound / GIGABYTE:.1f} GB); "
            "set another limit with --memory SIZE"
        )
        if largest == self.child:
            self._give_up(f"stopped: the command uses more than {limit}", 3)
        if largest != self.over_bound:  # it may take a moment to end
            self.over_bound = largest
            _print_error(
                f"the process of a backend was ended: with the command it uses more than {limit}"
            )
            with suppress(ProcessLookupError):
                os.kill(largest, signal.SIGKILL)

    def _give_up(self, message: str, code: int) -> NoReturn:
        """End all processes, report the reason, and exit."""
        self._kill()
        self._report(message, code)

    def _report(self, message: str, code: int) -> NoReturn:
        shared = self.shared
        self._complete_output(message.removeprefix("stopped: "))
        if code == 130:  # the command may have reported it already
            message = ""
        elif shared.report and shared.written:
            message += "; standard output is incomplete"
        elif shared.written and code == 3:
            message += "; what was printed so far is valid"
        _print_error(message)
        os._exit(code)

    def _complete_output(self, reason: str) -> None:
        """End an open line on standard output, or print the report of a command without output."""
        text = ""
        if self.shared.open_line:
            text = "\n"
        elif not self.shared.written and self.shared.report:
            import json

            seconds = f"{time.monotonic() - self.began:.4f}"
            report = self.shared.report.replace(REASON, json.dumps(reason, ensure_ascii=False))
            text = report.replace(TOTAL, seconds) + "\n"
        with suppress(OSError):
            remaining = text.encode()
            while remaining:
                written = os.write(1, remaining)
                remaining = remaining[written:]

    def _kill(self) -> None:
        """End the child and all its descendants."""
        until = time.monotonic() + 1.0
        while self._reap() and time.monotonic() < until:
            processes = system.tree(self.child) if self.status is None else []
            for process in processes + system.children(os.getpid()):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.005)

    def _end(self, status: int) -> NoReturn:
        """End the way the child ended."""
        if os.WIFEXITED(status):
            os._exit(os.WEXITSTATUS(status))
        number = os.WTERMSIG(status)
        if self.interrupted:
            self._report("interrupted", 130)
        if number in CRASHES:
            name = system.signal_name(number)
            self._report(
                f"stopped: native code of a library crashed ({name}); try another --backend", 3
            )
        if number == signal.SIGKILL:
            self._report("stopped: the command was killed, probably for lack of memory", 3)
        _die(number)


def _die(number: int) -> NoReturn:
    """End by this signal, so that the parent sees it."""
    signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def _print_error(message: str) -> None:
    """Write a line to standard error, replacing the progress line on a terminal."""
    with suppress(OSError):
        erase_line = "\r\033[K" if os.isatty(2) else ""
        line = f"{message}\n" if message else ""
        os.write(2, (erase_line + line).encode())
