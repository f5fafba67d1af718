"""The scripts of pages without a browser: the bundle, and the size of pages."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.play import play_page
from puzzlekit.play.scripts import BUNDLE, EXTRAS, play_file
from tests.shipped import SPECS

STATIC = Path("puzzlekit/play/static")


def test_the_bundles_are_those_of_the_scripts() -> None:
    digest = sha256()
    for file in sorted(STATIC.glob("*.js")):
        if not file.name.endswith(".min.js"):
            digest.update(file.read_bytes())
    for name in (BUNDLE, *EXTRAS.values()):
        bundle = play_file(name) or ""
        assert bundle.startswith(f"// puzzlekit {digest.hexdigest()}\n"), "npm run bundle"
        assert "</script" not in bundle


def test_each_script_imports_only_scripts_that_are_there() -> None:
    for file in STATIC.glob("*.js"):
        for name in re.findall(r'from "\./(\w+\.js)"', file.read_text(encoding="utf-8")):
            assert play_file(name), f"{file.name} imports {name}"
    assert play_file("nothing.js") is None


@pytest.mark.parametrize(
    "name, most",
    [
        ("sudoku/first", 150_000),
        ("akari/tiny", 150_000),
        ("masyu/10x10", 150_000),
        ("codeword/first", 150_000),
        ("crossword/first", 150_000),
        pytest.param("slitherlink/giant", 400_000, marks=pytest.mark.slow),
    ],
)
def test_a_page_is_small(name: str, most: int) -> None:
    page = play_page(puzzlekit.load(None, SPECS[name]))
    assert len(page.encode()) <= most
