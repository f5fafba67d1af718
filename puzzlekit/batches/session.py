"""Run a batch: many puzzles, each with one result in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from puzzlekit.batches.jobs import Inputs, Request
from puzzlekit.batches.results import Results
from puzzlekit.batches.runs import Batch, Progress
from puzzlekit.batches.workers import Cluster, Executor, Local
from puzzlekit.errors import InputError, option
from puzzlekit.options import LoadOptions, RunOptions
from puzzlekit.processes import processors
from puzzlekit.query import Query

PUZZLE_SECONDS = 60.0  # for each puzzle, if no timeout is given
FIRST_SOLUTION = Query(limit=1)
WITHOUT_OPTIONS = LoadOptions()


def _nothing_around(progress: Progress) -> AbstractContextManager[None]:
    return nullcontext()


def batch(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    query: Query | None = FIRST_SOLUTION,
    backend: str = "auto",
    timeout: float | None = PUZZLE_SECONDS,
    memory: str | None = None,
    loading: LoadOptions = WITHOUT_OPTIONS,
    workers: int | None = None,
    cluster: str | None = None,
    around: Callable[[Progress], AbstractContextManager[None]] = _nothing_around,
) -> Batch:
    """Answer a query about many puzzles, each with a line of JSON in a file.

    Puzzles that have a result in the file are not answered again.

    Args:
        inputs: Specs, folders, globs, or files of JSON lines (.jsonl, .jsonl.gz); "-" reads JSON
            lines from standard input.
        out: The file, to which a line is appended for each puzzle.
        query: The query; by default, whether there is one solution, or the best one. None checks
            the solutions against `expect`.
        backend: The name of a backend, or "auto".
        timeout: Seconds for each puzzle.
        memory: The memory of each worker, as in "500M"; None for a share of that of the machine.
        loading: How each puzzle is loaded.
        workers: How many puzzles are answered at the same time; None for one a processor.
        cluster: The address of the scheduler of a Dask cluster, or "local".
        around: Returns a context in which the batch runs, of its progress.

    Returns:
        The batch: `records()` yields the results, `summaries()` has those of each type.

    Raises:
        InputError: An input is missing, or the file cannot be written or holds something else.
        Unreachable: The cluster is gone.

    Examples:
        >>> import puzzlekit, tempfile
        >>> specs = puzzlekit.examples(next(iter(puzzlekit.types())))[:1]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     done = puzzlekit.batch(specs, f"{folder}/results.jsonl", workers=1)
        ...     [record["status"] for record in done.records()]
        ['unique']
    """
    if cluster not in (None, "local") and workers is not None:
        raise InputError(
            f"{option('workers')} cannot be combined with the address of a cluster,"
            " which has its own workers"
        )
    given = [inputs] if isinstance(inputs, (str, Path)) else inputs
    request = Request(query, loading, RunOptions(backend, timeout, memory))
    puzzles = Inputs(list(map(str, given)), request)
    results = Results(Path(out))
    number = workers or processors()
    try:
        run = Batch(puzzles, results)
        executor: Executor
        if cluster is None:
            executor = Local(request, number)
        else:
            executor = Cluster(request, cluster, number)
        try:
            with around(run.progress):
                run.run(executor)
        finally:
            executor.end()
    finally:
        results.close()
    return run
