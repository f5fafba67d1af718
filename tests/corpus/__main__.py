"""python -m tests.corpus FOLDER [KIND...] [--limit N] [--seconds S] [--workers N] [--specs FILE]
[--results FILE]
"""

import argparse
import difflib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from statistics import median

from tests.corpus.notation import Refused
from tests.corpus.runner import STATUSES, Entry, Result, read, run, spec_of

SAVED = Path(".corpus-results")


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
        return _refused(
            f"{options.folder} has no {unknown[0]}" + (f"; did you mean {near[0]}?" if near else "")
        )
    if options.specs is not None:
        return _write_specs(
            [
                entry
                for kind in options.kinds or collection
                for entry in collection[kind][: options.limit]
            ],
            options.specs,
        )
    print("Kind: agree/tried, several, differs, stopped, refused, median and largest seconds")
    for trouble in troubles:
        print(f"refused: {trouble}")
    total: list[Result] = []
    for kind in options.kinds or collection:
        entries = collection[kind][: options.limit]
        results = run(entries, options.seconds, options.workers, SAVED)
        _print(kind, results)
        total += results.values()
        with options.results.open("a", encoding="utf-8") as file:
            for entry, result in results.items():
                file.write(
                    json.dumps({"kind": kind, "puzzle": entry.name, "result": astuple(result)})
                    + "\n"
                )
    print(_line(f"{len(options.kinds or collection)} kinds", total))
    return 0 if not troubles and all(result.status == "agree" for result in total) else 1


def _write_specs(entries: list[Entry], path: Path) -> int:
    """Write the specs of all puzzles that have a converter and a solution, as JSON lines."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for entry in entries:
            with suppress(Refused):
                file.write(json.dumps(spec_of(entry), ensure_ascii=False) + "\n")
                written += 1
    print(f"{written:,} of {len(entries):,} puzzles are in {path}")
    return 0


def _refused(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


def _print(kind: str, results: dict[Entry, Result]) -> None:
    """The line of a kind, and which of its puzzles do not agree."""
    print(_line(kind, list(results.values())))
    others: dict[str, list[str]] = {}
    for entry, result in results.items():
        if result.status != "agree":
            others.setdefault(f"{result.status}: {result.reason}", []).append(entry.name)
    for reason, names in others.items():
        print(
            (
                f"  {f'all {len(names)}' if 1 < len(names) == len(results) else ', '.join(names)} "
                f"{reason}"
            ),
            flush=True,
        )


def _line(kind: str, results: list[Result]) -> str:
    counts = [sum(result.status == status for result in results) for status in STATUSES]
    seconds = [
        result.seconds for result in results if result.status in ("agree", "several", "differs")
    ] or [0.0]
    others = ", ".join(f"{status} {count}" for status, count in zip(STATUSES[1:], counts[1:]))
    return (
        f"{kind}: {counts[0]}/{len(results)}, {others}, {median(seconds):.2f} "
        f"and {max(seconds):.2f} s"
    )


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tests.corpus", description="Hold the types to published puzzles."
    )
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="the folder with a JSON file for each kind"
    )
    parser.add_argument(
        "kinds", metavar="KIND", nargs="*", help="the kinds to run; all without any"
    )
    parser.add_argument(
        "--specs",
        metavar="FILE",
        type=Path,
        help="write the specs as JSON lines for puzzlekit batch, run nothing",
    )
    parser.add_argument(
        "--limit", metavar="N", type=_positive(int), help="run the first N puzzles of each kind"
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=_positive(float),
        default=20.0,
        help="seconds for a puzzle (20)",
    )
    parser.add_argument(
        "--results",
        metavar="FILE",
        type=Path,
        default=os.devnull,
        help="append each puzzle's result to a file",
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=_positive(int),
        default=1,
        help="puzzles at the same time (1)",
    )
    return parser


def _positive(number: type[int] | type[float]) -> Callable[[str], float]:
    def between(text: str) -> float:
        with suppress(ValueError):
            if 0 < (value := number(text)) < 1e6:
                return value
        raise argparse.ArgumentTypeError(
            f"{text} is not {'a whole number' if number is int else 'a number'} above 0"
        )

    return between


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
