"""Public puzzles with known solutions as specs: what the data sets hold, line by line.

The data is not part of the project. `benchmarks/run.py --data DIR` and the tests read it where it
is.

    python benchmarks/public.py DATA DIR    # each board of waffles.jsonl as a spec
    time puzzlekit check DIR/*.yaml
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LEXICONS = {
    "en": "english",
    "fr": "words-fr.txt",
    "eo": "words-eo.txt",
    "en-Shaw": "words-en-Shaw.txt",
}


@dataclass(frozen=True)
class Case:
    """A spec, and what is known of its solutions."""

    name: str
    spec: str
    known: dict[str, Any]


def block(rows: list[str]) -> str:
    """Rows as YAML block text."""
    return "|\n" + "".join(f"  {row}\n" for row in rows)


def waffle_spec(line: dict[str, Any], data: Path = DATA) -> str:
    """A line of waffles.jsonl as a spec."""
    lexicon = LEXICONS[line["language"]]
    words = data / lexicon if lexicon.endswith(".txt") else lexicon
    return (
        f"puzzle: waffle\nletters: {block(line['letters'])}colours: "
        f"{block(line['colours'])}words: {words}\n"
    )


def waffles(data: Path = DATA) -> Iterator[Case]:
    """The boards of waffles.jsonl."""
    for text in (data / "waffles.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        yield Case(line["id"], waffle_spec(line, data), line)


def unwordles(data: Path = DATA) -> Iterator[Case]:
    """The boards of unwordle.json, once for each marking; `known` has the count."""
    everything = json.loads((data / "unwordle.json").read_text(encoding="utf-8"))
    sets = [("english", everything["english_five_letters"])]
    sets.append((str(data / "unwordle-repeats.txt"), everything["repeated_letters"]["boards"]))
    sets.append((str(data / "unwordle-course.txt"), everything["course_list"]["boards"]))
    for words, boards in sets:
        for board in boards:
            for marking in ("wordle", "set"):
                head = f"puzzle: unwordle\nboard: {block(board['rows'])}"
                spec = f"{head}answer: {board['answer']}\nmarking: {marking}\nwords: {words}\n"
                name = f"{'-'.join(board['rows'])} {board['answer']} {marking}"
                yield Case(name, spec, {"count": board[marking]})


def letter_covers(data: Path = DATA) -> Iterator[Case]:
    """The boards of sanalouhos.json; `known` has the number of solutions,
    in all and by number of words.
    """
    for puzzle in json.loads((data / "sanalouhos.json").read_text(encoding="utf-8"))["puzzles"]:
        wide = puzzle["columns"]
        rows = [
            puzzle["letters"][start : start + wide]
            for start in range(0, len(puzzle["letters"]), wide)
        ]
        spec = f"puzzle: sanalouhos\nletters: {block(rows)}words: {data / 'finnish-words.txt'}\n"
        known = {
            key.replace("answers", "solutions"): value for key, value in puzzle.items()
        }  # the set's own keys
        yield Case(puzzle["name"], spec, known)


def ciphers(data: Path = DATA) -> Iterator[Case]:
    """The slot machine of cipher.json and its variants; `known` has the number of solutions."""
    everything = json.loads((data / "cipher.json").read_text(encoding="utf-8"))
    sequences = [" ".join(sequence) for sequence in everything["sequences"]]
    yield _cipher(
        "all ten",
        sequences,
        {"solutions": len(everything["answers"]), "texts": everything["answers"]},
    )
    for variant in everything["variants"]:
        if "first" in variant:
            chosen = sequences[: int(variant["first"])]
        elif "without" in variant:
            chosen = [sequence for sequence in sequences if sequence != variant["without"]]
        else:
            chosen = [*sequences, variant["with"]]
        name = next(
            f"{key} {variant[key]}" for key in ("first", "without", "with") if key in variant
        )
        yield _cipher(name, chosen, {"solutions": variant["answers"]})


def _cipher(name: str, sequences: list[str], known: dict[str, Any]) -> Case:
    listed = "".join(f"  - {sequence}\n" for sequence in sequences)
    return Case(name, f"puzzle: cipher\nsequences:\n{listed}", known)


def write_waffles(data: Path, folder: Path) -> None:
    """A file for each board of waffles.jsonl, for `puzzlekit check`.

    Two have a word that `english` has not.
    """
    more = folder / "more.txt"
    wider = {"daily-662": f"english+{more}", "deluxe-2": "english-wide"}
    folder.mkdir(parents=True, exist_ok=True)
    more.write_text("yawny\n", encoding="utf-8")
    for case in waffles(data):
        text = case.spec.replace("words: english\n", f"words: {wider.get(case.name, 'english')}\n")
        solution = "".join(f"    {row}\n" for row in case.known["solution"])
        text += f"expect:\n  swaps: {case.known['swaps']}\n  answer: |\n{solution}"
        (folder / f"{case.name}.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not Path(sys.argv[1]).is_dir():
        sys.exit(
            "python benchmarks/public.py DATA FOLDER: "
            "DATA is the folder of the public puzzles, which is no part of the project"
        )
    write_waffles(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
