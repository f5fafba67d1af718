"""The page of all types lists each type that ships, with what docs/published.json says was measured."""

import json
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = runpy.run_path(str(ROOT / "docs" / "type_table.py"))


def test_the_page_lists_each_type_with_what_was_measured() -> None:
    page = TABLE["page"]()
    names = sorted(path.stem for path in (ROOT / "puzzles").glob("*.yaml"))
    assert sorted(re.findall(r"\]\(\.\./puzzles/(\w+)\.yaml\)", page)) == names
    known = json.loads((ROOT / "docs" / "published.json").read_text("utf-8"))["types"]
    assert sorted(known) == names, "run `python docs/type_table.py`"
    assert all(f" | {' | '.join(row)} |\n" in page for row in known.values())
    assert "| [Sudoku](../puzzles/sudoku.yaml) | number_place | " in page and f"\n{len(names)} types" in page


def test_lines_of_values_and_rules_are_counted() -> None:
    text = "puzzle: x\nlet:\n  a: 1  # one\n\n  # no line\nrules:\n  b: |\n    a\n    == 1\nshow: x\n"
    assert TABLE["lines_of"](text) == 4
