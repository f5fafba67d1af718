"""Processes: workers, the command line and its supervisor, and the limits of the system."""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.processes.command import (
        REASON as REASON,
        TOTAL as TOTAL,
        command_start as command_start,
        end_command_after as end_command_after,
        interrupts as interrupts,
        limit_memory as limit_memory,
        report_if_ended as report_if_ended,
        uninterrupted as uninterrupted,
    )
    from puzzlekit.processes.supervisor import (
        can_supervise as can_supervise,
        run_supervised as run_supervised,
    )
    from puzzlekit.processes.system import (
        bytes_of as bytes_of,
        lock_file as lock_file,
        machine_memory as machine_memory,
        memory_is_bounded as memory_is_bounded,
        peak_memory as peak_memory,
        processors as processors,
    )
    from puzzlekit.processes.worker_process import (
        Message as Message,
        Worker as Worker,
        WorkerCrashed as WorkerCrashed,
        is_worker as is_worker,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "command": (
                "REASON",
                "TOTAL",
                "command_start",
                "end_command_after",
                "interrupts",
                "limit_memory",
                "report_if_ended",
                "uninterrupted",
            ),
            "supervisor": ("can_supervise", "run_supervised"),
            "system": (
                "bytes_of",
                "lock_file",
                "machine_memory",
                "memory_is_bounded",
                "peak_memory",
                "processors",
            ),
            "worker_process": ("Message", "Worker", "WorkerCrashed", "is_worker"),
        },
    )
