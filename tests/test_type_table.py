"""docs/types.md lists each type that ships, as `python docs/type_table.py` makes it."""

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_of_all_types_is_what_the_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "type_table.py"))
    assert (ROOT / "docs" / "types.md").read_text("utf-8") == made["page"](None), "run `python docs/type_table.py`"


def test_lines_of_values_and_rules_are_counted() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "type_table.py"))
    text = "puzzle: x\nlet:\n  a: 1  # one\n\n  # no line\nrules:\n  b: |\n    a\n    == 1\nshow: x\n"
    assert made["lines_of"](text) == 4
