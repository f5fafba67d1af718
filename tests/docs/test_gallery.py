"""The gallery of the site draws each type;
the README shows two of its pictures as `make gallery` draws them now.
"""

import re
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GALLERY = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
LARGEST = 40_000  # bytes of a picture


@pytest.fixture(scope="module")
def gallery() -> Mapping[str, Any]:
    return GALLERY


def test_the_pictures_of_the_readme_are_what_make_gallery_makes(gallery: Mapping[str, Any]) -> None:
    files = gallery["kept"]()
    shown = re.findall(
        r"!\[[^\]]*\]\(docs/(\S+\.svg)\)", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    assert shown == list(files)
    for name, text in files.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, (
            "run `make gallery`, and look at the picture"
        )


SLOW = {
    name for number, name in enumerate(GALLERY["SPECS"]) if number % 6 or name == "pentominoes"
}  # it is solved anew


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in GALLERY["SPECS"]],
)
def test_the_gallery_shows_the_puzzle_and_the_solution_of_a_type(
    name: str, gallery: Mapping[str, Any]
) -> None:
    shown = gallery["drawn"](name)
    assert f"a puzzle of the type [{name}](../puzzles/{name}.yaml)" in shown.section
    assert all(f"({gallery['picture_of'](name, what)})" in shown.section for what in shown.pictures)
    assert ("```text" in shown.section) == (name in gallery["PRINTED"])
    assert {*shown.pictures} == {"puzzle", "solution"}
    assert all(text.startswith("<svg") and len(text) <= LARGEST for text in shown.pictures.values())


def test_what_is_drawn_is_kept_until_something_changes(
    gallery: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, drawn = gallery["cached"].__globals__, []
    monkeypatch.setitem(inside, "SPECS", {"queens": "n8"})
    monkeypatch.setitem(
        inside,
        "drawn",
        lambda name: drawn.append(name) or gallery["Drawn"]({"puzzle": "<svg"}, "## Queens"),
    )
    file = tmp_path / "site" / "kept.json"
    first = gallery["cached"](file)
    assert gallery["cached"](file) == first and drawn == ["queens"]
    file.write_text(file.read_text("utf-8").replace('"state": "', '"state": "before '), "utf-8")
    assert gallery["cached"](file) == first and drawn == ["queens", "queens"]
