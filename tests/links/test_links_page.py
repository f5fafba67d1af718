"""docs/links.md lists each type that has links, and each layer, layout and token."""

import runpy

from puzzlekit.lang.link_codecs import LAYOUTS
from puzzlekit.lang.link_tokens import TOKENS
from puzzlekit.lang.links_section import LAYERS
from tests.shipped import ROOT


def test_the_table_is_what_the_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "link_table.py"))
    assert (ROOT / "docs" / "links.md").read_text("utf-8") == made["page"](), "run `python docs/link_table.py`"


def test_every_layer_is_described() -> None:
    text = (ROOT / "docs" / "links.md").read_text("utf-8").split("The layers:")[1]
    assert [name for name in (*LAYERS, *LAYOUTS, *TOKENS) if f"`{name}`" not in text] == []
