"""Mutates shipped types, specs and command lines, runs each in process,
and tells what should not be.

    .venv/bin/python -m tests.lang.fuzz_files --number 5000 --seed 1

A run may end in any of the exit codes that README names, with a message and in time; anything else
(another exception, another code, a backend that gave a wrong solution, a run far beyond its
timeout) is told with the file, and the script exits with 1.
"""

import argparse
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from random import Random

import typer

from puzzlekit.cli.program import program

ROOT = Path(__file__).resolve().parents[2]
CODES = {0, 1, 2, 3}
TIMEOUT, PATIENCE = (
    0.5,
    10.0,
)  # seconds that a run may take, and of the processor before it is told as too long
ODD = [
    *(
        "",
        " ",
        "\n",
        "\t",
        ":",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "|",
        ">",
        "'",
        '"',
        "#",
        "&a ",
        "*a",
        "!!int ",
        "---\n",
        "? ",
    ),
    *(
        "\x00",
        "\x1b",
        "-1",
        "0",
        "1",
        "2",
        "9" * 20,
        "None",
        "true",
        "()",
        "x",
        "...",
        "\ufeff",
        "\u202e",
        "\ufffe",
        "é",
    ),
    *("e\u0301", "🟩", "日", ".", "_", " for c in x", " == 1", " or 1", "not ", "sum(", "x[0]"),
    *("then:\n  swaps: {from: 1}\n", "rank: a\n", "auxiliary:\n  z: bool\n"),
]
OPTIONS = [
    *(
        ["--all"],
        ["--count"],
        ["--limit", "3"],
        ["--sample", "2"],
        ["--sample", "2", "--seed", "1"],
        ["--backbone"],
        ["--json"],
    ),
    *(
        ["--goal", "none"],
        ["--goal", "x"],
        ["--rank", "none"],
        ["--rank", "common"],
        ["--limit", "0"],
        ["--set", "size=3"],
    ),
    *(
        ["--set", "x"],
        ["--set", "letters=[a"],
        ["--lexicon", "english-common"],
        ["--lexicon", "nope+"],
        ["--fold-accents"],
    ),
    *(["--backend", name] for name in ("sat", "dlx", "exact-cover", "csp", "nope")),
]


def mutated(text: str, random: Random) -> str:
    """The text with some piece replaced, doubled, moved, cut off, or joined by something odd."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 6])):
        pieces = re.findall(r"\w+|\s+|[^\w\s]", text) or [""]
        at = random.randrange(len(pieces))
        match random.randrange(7):
            case 0:
                pieces[at] = random.choice(ODD)
            case 1:
                pieces.insert(at, random.choice(ODD))
            case 2:
                pieces[at] = random.choice(pieces)
            case 3:
                del pieces[at : at + random.choice([1, 1, 2, 5])]
            case 4:
                other = random.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case 5:
                lines = text.split("\n")
                line = random.randrange(len(lines))
                lines.insert(random.randrange(len(lines)), lines[line])
                del lines[line : line + random.randrange(2)]
                pieces = ["\n".join(lines)]
            case 6:
                pieces[at] = pieces[at] * random.choice([2, 3, 50])
        text = "".join(pieces)
    return text


def run(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what was said; raises what the command lets through."""
    out, error = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            code = typer.main.get_command(program()).main(
                arguments, prog_name="puzzlekit", standalone_mode=True
            )
        except SystemExit as end:
            code = end.code
    return code if isinstance(code, int) else 0, out.getvalue() + error.getvalue()


def trial(folder: Path, kinds: list[Path], specs: list[Path], random: Random) -> list[str]:
    """A command on a type or a spec that was changed."""
    spec = random.choice(specs)
    kind = next((path for path in kinds if path.stem == spec.parent.name), random.choice(kinds))
    text = spec.read_text(encoding="utf-8")
    own = kind.read_text(encoding="utf-8")
    if random.random() < 0.5:
        own = mutated(own, random)
    else:
        text = mutated(text, random)
    (folder / "kind.yaml").write_text(own, encoding="utf-8", errors="surrogatepass")
    (folder / "spec.yaml").write_text(text, encoding="utf-8", errors="surrogatepass")
    paths = [str(folder / "kind.yaml"), str(folder / "spec.yaml")]
    match random.randrange(5):
        case 0:
            return ["check", paths[0], "--timeout", str(TIMEOUT)]
        case 1:
            return ["check", paths[1], "--timeout", str(TIMEOUT)]
        case 2:
            return ["show", paths[0]]
        case _:
            options = [
                word for option in random.sample(OPTIONS, random.randrange(3)) for word in option
            ]
            return ["solve", *paths, "--timeout", str(TIMEOUT), *options]


def fuzz(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """How each run ended, and what should not be; empty where all is well."""
    random = Random(seed)
    kinds = sorted((ROOT / "puzzles").glob("*.yaml"))
    specs = sorted(
        path for path in (ROOT / "specs").glob("*/*.yaml") if path.stat().st_size < 2_000
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in range(number):
            arguments = trial(folder, kinds, specs, random)
            how, wrong = judged(arguments)
            if wrong:
                files = sorted(folder.glob("*.yaml"))
                texts = "".join(
                    f"--- {path.name}\n{path.read_text(encoding='utf-8', errors='replace')}\n"
                    for path in files
                )
                wrong = f"{' '.join(arguments)}\n{wrong}\n{texts}"
            yield how, wrong


def judged(arguments: list[str]) -> tuple[str, str]:
    """How a command ended, and what is wrong with that."""
    began = time.process_time()
    try:
        code, said = run(arguments)
    except Exception:
        return "let through", traceback.format_exc()[-3000:]
    if code == 130:
        raise KeyboardInterrupt
    how, took = f"{arguments[0]} {code}", time.process_time() - began
    if code not in CODES or "Traceback" in said or "\x1b" in said:
        return how, f"exit code {code}: {said[-2000:]}"
    if code in (2, 3) and not said.strip():
        return how, f"exit code {code} without a word"
    return how, f"it took {took:.1f} s" if took > PATIENCE else ""


def main() -> int:
    """Fuzz as the options say; what is wrong is told at once,
    the counts at the end or at Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--number", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ends, wrongs = Counter[str](), 0
    with suppress(KeyboardInterrupt):
        for how, wrong in fuzz(options.number, options.seed):
            ends[how] += 1
            if wrong:
                wrongs += 1
                print(f"{'=' * 80}\n{wrong}", flush=True)
    print(
        f"{ends.total()} runs: "
        f"{', '.join(f'{how}: {number}' for how, number in sorted(ends.items()))}; "
        f"{wrongs} wrong"
    )
    return 1 if wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
