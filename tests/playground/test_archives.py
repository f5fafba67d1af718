"""Modules that come in archives when something looks for them."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from puzzlekit.errors import InputError
from puzzlekit.playground import prepare
from puzzlekit.playground.archives import ArchiveFinder


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The archives that were fetched, where the package `word_list_of_a_test` is in one."""
    stream = BytesIO()
    with ZipFile(stream, "w") as files:
        files.writestr("word_list_of_a_test/__init__.py", "")
        files.writestr("word_list_of_a_test/words.txt", "one\ntwo\n")
    names: list[str] = []

    def fetch(name: str) -> bytes:
        names.append(name)
        if len(names) == 1:
            raise OSError("the network is down")
        return stream.getvalue()

    finder = ArchiveFinder({"word_list_of_a_test": "words.zip"}, fetch, str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    monkeypatch.syspath_prepend(tmp_path)
    return names


def test_an_archive_is_fetched_when_its_package_is_looked_for(fetched: list[str]) -> None:
    assert find_spec("nothing_of_the_kind") is None
    assert fetched == []
    with pytest.raises(OSError, match="the network is down"):
        find_spec("word_list_of_a_test")
    for _ in range(2):
        spec = find_spec("word_list_of_a_test")
        assert spec is not None
        assert spec.submodule_search_locations
        words = Path(spec.submodule_search_locations[0], "words.txt")
        assert words.read_text() == "one\ntwo\n"
    assert fetched == ["words.zip", "words.zip"]  # the first time in vain


def test_an_archive_that_cannot_be_loaded_is_no_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(name: str) -> bytes:
        raise RuntimeError("the network is down")

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    prepare({"module_of_a_test": "modules.zip"}, fetch)
    with pytest.raises(InputError, match=r"modules\.zip cannot be loaded: the network is down"):
        find_spec("module_of_a_test")
