"""The specs that ship, the smallest one of each type, and those of some types,
for tests that take long with each.
"""

from pathlib import Path

from puzzlekit.catalogue import example_specs

ROOT = Path(__file__).resolve().parents[1]
SPECS = {f"{path.parent.name}/{path.stem}": path for path in sorted(ROOT.glob("specs/*/*.yaml"))}
# the specs that take less time than the example of their type
SMALLER = {
    "aquarium": "parts",
    "battleships": "untold",
    "boggle": "first",
    "cryptarithm": "two",
    "cryptogram": "proverb",
    "futoshiki": "no_signs",
    "geradeweg": "turn",
    "hakoiri_masashi": "untold",
    "hashi": "three",
    "hitori": "blanks",
    "kakuro": "4x4",
    "killer": "uncaged",
    "kuroshuto": "unknown",
    "masyu": "medium",
    "nonogram": "unknown",
    "nurikabe": "6x6",
    "queens": "n6",
    "sanalouhos": "five",
    "slitherlink": "medium",
    "strands": "quarters",
    "sudoku": "six",
    "sukoro": "untold",
    "swaps": "digits",
    "unwordle": "millions",
    "waffle": "pasted",
    "word_ladder": "first",
    "yajilin": "unknown",
}
# a small spec of each type, by name: a new file changes none
SMALLEST = [
    f"{folder.name}/{SMALLER.get(folder.name, example_specs(folder.name)[0].stem)}"
    for folder in sorted(ROOT.glob("specs/*"))
]
WORDS = (
    "cipher",
    "cryptogram",
    "sanalouhos",
    "swaps",
    "unwordle",
    "waffle",
    "wordle",
)  # with values of libraries, or more results
SOME = [
    spec for number, spec in enumerate(SMALLEST) if number % 4 == 0 or spec.split("/")[0] in WORDS
]

# types that say under `make:` how their puzzles are made
MADE = [
    path.stem
    for path in sorted(ROOT.glob("puzzles/*.yaml"))
    if "\nmake:\n" in path.read_text(encoding="utf-8")
]
