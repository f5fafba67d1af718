"""The scripts of pages without a browser: the bundle, and the size of pages."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.play import play_page
from puzzlekit.play.scripts import BUNDLE, play_file
from tests.shipped import SPECS

STATIC = Path("puzzlekit/play/static")


def test_the_bundle_is_that_of_the_scripts() -> None:
    digest = sha256()
    for file in sorted(STATIC.glob("*.js")):
        if file.name != BUNDLE:
            digest.update(file.read_bytes())
    bundle = play_file(BUNDLE) or ""
    assert bundle.startswith(f"// puzzlekit {digest.hexdigest()}\n"), "npm run bundle"
    assert "</script" not in bundle


def test_each_script_imports_only_scripts_that_are_there() -> None:
    for file in STATIC.glob("*.js"):
        for name in re.findall(r'from "\./(\w+\.js)"', file.read_text(encoding="utf-8")):
            assert play_file(name), f"{file.name} imports {name}"
    assert play_file("nothing.js") is None


@pytest.mark.parametrize("name", ["sudoku/first", "akari/tiny", "masyu/10x10"])
def test_a_page_of_a_common_board_is_small(name: str) -> None:
    page = play_page(puzzlekit.load(None, SPECS[name]))
    assert len(page.encode()) <= 150_000
