"""docs/links.md lists each type that has links, and each encoding."""

import runpy

from puzzlekit.encodings import ENCODINGS
from tests.shipped import ROOT


def test_the_table_is_what_the_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "link_table.py"))
    assert (ROOT / "docs" / "links.md").read_text("utf-8") == made["page"](), "run `python docs/link_table.py`"


def test_every_encoding_is_described() -> None:
    text = (ROOT / "docs" / "links.md").read_text("utf-8").split("The encodings:")[1]
    assert [name for name in ENCODINGS if f"`{name}`" not in text] == []
