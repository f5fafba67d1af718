"""The gallery in docs/ shows each type, and is what `make gallery` makes of the specs now."""

from __future__ import annotations

import re
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 40_000  # bytes of a picture


def present(name: str) -> str:
    """The text of a file of docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def gallery() -> Mapping[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "gallery.py"))


@pytest.mark.slow
def test_the_gallery_is_what_make_gallery_makes(gallery: Mapping[str, Any]) -> None:
    files = gallery["made"]()
    assert files.keys() == gallery["present"]()
    assert [name for name, text in files.items() if present(name) != text] == [], "run `make gallery`, and look at these"


def test_some_types_are_drawn_as_make_gallery_draws_them(gallery: Mapping[str, Any]) -> None:
    page = present(gallery["PAGE"])
    for name in [*gallery["SPECS"]][::6]:
        text, pictures = gallery["made_of"](name)
        assert text in page, f"run `make gallery`, and look at {name}"
        assert [path for path, drawn in pictures.items() if present(path) != drawn] == [], "run `make gallery`"


def test_the_gallery_shows_each_type(gallery: Mapping[str, Any]) -> None:
    names = [*gallery["SPECS"]]
    assert names == re.findall(r"a puzzle of the type \[(\w+)\]", present(gallery["PAGE"]))
    files = {gallery["picture_of"](name, what) for name in names for what in ("puzzle", "solution")}
    assert gallery["present"]() == {gallery["PAGE"], *files}
    assert max(len(present(path)) for path in files) <= LARGEST
    assert len({*gallery["PRINTED"]} & {*names}) >= 10
