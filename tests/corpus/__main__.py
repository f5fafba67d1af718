"""python -m tests.corpus FOLDER [KIND...] [--limit N] [--seconds S] [--workers N] [--specs FILE]"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers are forked: no thread may run before that

from tests.corpus.runner import STATUSES, Entry, Result, Results, read, run, spec_of

SAVED = Path(".corpus-results.jsonl")


def main(arguments: list[str] | None = None) -> int:
    """Run the collection. Returns 0 if every puzzle agrees, 1 if not, 2 for what cannot be run."""
    options = _options().parse_intermixed_args(arguments)
    collection: dict[str, list[Entry]] = {}
    troubles = []
    for kind, entries, trouble in map(read, sorted(options.folder.glob("*.json"))):
        collection.setdefault(kind, []).extend(entries)
        troubles += [trouble] if trouble else []
    if not collection:
        return _refused(f"{options.folder} has no JSON files")
    if unknown := [kind for kind in options.kinds if kind not in collection]:
        near = difflib.get_close_matches(unknown[0], collection, n=1)
        return _refused(f"{options.folder} has no {unknown[0]}" + (f"; did you mean {near[0]}?" if near else ""))
    if options.specs is not None:
        return _write_specs(
            [entry for kind in options.kinds or collection for entry in collection[kind][: options.limit]], options.specs
        )
    try:
        results = Results(SAVED)
    except OSError as error:
        return _refused(f"results are saved in {SAVED}, which cannot be written: {error}")
    print("Kind: agree/tried, several, differs, stopped, refused, median and largest seconds")
    for trouble in troubles:
        print(f"refused: {trouble}")
    total: list[Result] = []
    for kind in options.kinds or collection:
        total += _kind(kind, collection[kind][: options.limit], results, options.seconds, options.workers)
    print(_line(f"{len(options.kinds or collection)} kinds", total))
    return 0 if not troubles and all(result.status == "agree" for result in total) else 1


def _write_specs(entries: list[Entry], path: Path) -> int:
    """Write the specs of all puzzles that have a converter and a solution, as JSON lines."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for entry in entries:
            with suppress(Exception):  # a notation that the converter does not know
                file.write(json.dumps(spec_of(entry), ensure_ascii=False) + "\n")
                written += 1
    print(f"{written:,} of {len(entries):,} puzzles are in {path}")
    return 0


def _refused(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


def _kind(kind: str, entries: list[Entry], results: Results, seconds: float, workers: int) -> list[Result]:
    """Run and print a kind."""
    done = {entry: saved for entry in entries if (saved := results.of(entry, seconds))}
    _progress(kind, len(done), len(entries))
    for entry, result in run([entry for entry in entries if entry not in done], seconds, workers):
        results.add(entry, result, seconds)
        done[entry] = result
        _progress(kind, len(done), len(entries))
    print(_line(kind, list(done.values())))
    others: dict[str, list[str]] = {}
    for entry in entries:
        if done[entry].status != "agree":
            others.setdefault(f"{done[entry].status}: {done[entry].reason}", []).append(entry.name)
    for reason, names in others.items():
        print(f"  {f'all {len(names)}' if 1 < len(names) == len(entries) else ', '.join(names)} {reason}")
    sys.stdout.flush()
    return list(done.values())


def _progress(kind: str, done: int, all_of_them: int) -> None:
    """How far the run is, on a terminal only; the line of the kind replaces it."""
    if sys.stderr.isatty():
        print(f"\r{kind} {done}/{all_of_them}" if done < all_of_them else "\r\033[K", end="", file=sys.stderr, flush=True)


def _line(kind: str, results: list[Result]) -> str:
    counts = [sum(result.status == status for result in results) for status in STATUSES]
    seconds = [result.seconds for result in results if result.status in ("agree", "several", "differs")] or [0.0]
    others = ", ".join(f"{status} {count}" for status, count in zip(STATUSES[1:], counts[1:]))
    return f"{kind}: {counts[0]}/{len(results)}, {others}, {median(seconds):.2f} and {max(seconds):.2f} s"


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.corpus", description="Hold the types to published puzzles.")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder with a JSON file for each kind")
    parser.add_argument("kinds", metavar="KIND", nargs="*", help="the kinds to run; all without any")
    parser.add_argument(
        "--specs", metavar="FILE", type=Path, help="write the specs as JSON lines for puzzlekit batch, run nothing"
    )
    parser.add_argument("--limit", metavar="N", type=_positive(int), help="run the first N puzzles of each kind")
    parser.add_argument("--seconds", metavar="S", type=_positive(float), default=20.0, help="processor time for a puzzle (20)")
    parser.add_argument("--workers", metavar="N", type=_positive(int), default=1, help="puzzles at the same time (1)")
    return parser


def _positive(number: type[int] | type[float]) -> Callable[[str], float]:
    def between(text: str) -> float:
        with suppress(ValueError):
            if 0 < (value := number(text)) < 1e6:
                return value
        raise argparse.ArgumentTypeError(f"{text} is not {'a whole number' if number is int else 'a number'} above 0")

    return between


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
