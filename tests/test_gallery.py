"""The gallery in docs/ shows each type, and is what `make gallery` makes of the specs now."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 40_000  # bytes of a picture


@pytest.fixture(scope="module")
def gallery() -> Mapping[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "gallery.py"))


def test_the_gallery_is_what_make_gallery_makes(gallery: Mapping[str, Any]) -> None:
    files = gallery["made"]()
    assert files.keys() == gallery["present"]()
    old = [name for name, text in files.items() if (ROOT / "docs" / name).read_text(encoding="utf-8") != text]
    assert old == [], "run `make gallery`, and look at these"
    assert max(map(len, files.values())) <= LARGEST


def test_the_gallery_shows_each_type(gallery: Mapping[str, Any]) -> None:
    assert gallery["SPECS"].keys() == {path.stem for path in (ROOT / "puzzles").glob("*.yaml")}
    assert len(set(gallery["PRINTED"]) & gallery["SPECS"].keys()) >= 10
