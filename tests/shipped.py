"""The specs that ship, the smallest one of each type, and those of some types,
for tests that take long with each.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPECS = {f"{path.parent.name}/{path.stem}": path for path in sorted(ROOT.glob("specs/*/*.yaml"))}
SMALLEST = [
    f"{folder.name}/{min(folder.glob('*.yaml'), key=lambda path: (path.stat().st_size, path)).stem}"
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
