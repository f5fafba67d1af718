"""Batches: many puzzles, each with one result, on the processors of this machine or of a cluster.

- `jobs`: specs, folders, globs and JSON lines become jobs.
- `keys`: digests of what a job and its result depend on.
- `workers`: processes that make each job a result, here or on a Dask cluster.
- `results`: a JSON line for each result, in a file that is appended to, mended, locked, read again
  and written as Parquet.
- `runs`: the loop that joins them, and summaries; `session` starts it.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.batches.jobs import Inputs as Inputs, Request as Request
    from puzzlekit.batches.keys import (
        Files as Files,
        are_unchanged as are_unchanged,
        files_of as files_of,
    )
    from puzzlekit.batches.results import (
        AGAIN as AGAIN,
        CODES as CODES,
        UNFINISHED as UNFINISHED,
        Results as Results,
        parquet as parquet,
        require_parquet as require_parquet,
    )
    from puzzlekit.batches.runs import (
        FAILED as FAILED,
        Batch as Batch,
        Progress as Progress,
        Summary as Summary,
        summaries as summaries,
    )
    from puzzlekit.batches.session import PUZZLE_SECONDS as PUZZLE_SECONDS, batch as batch
    from puzzlekit.batches.workers import Cluster as Cluster, Executor as Executor, Local as Local
else:
    __getattr__ = door(
        __name__,
        {
            "session": ("PUZZLE_SECONDS", "batch"),
            "jobs": ("Inputs", "Request"),
            "keys": ("Files", "are_unchanged", "files_of"),
            "results": ("AGAIN", "CODES", "Results", "UNFINISHED", "parquet", "require_parquet"),
            "runs": ("Batch", "FAILED", "Progress", "Summary", "summaries"),
            "workers": ("Cluster", "Executor", "Local"),
        },
    )
