"""The words layer, with a cache of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzlekit.libraries.words import sources


@pytest.fixture(scope="session")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True, scope="package")
def _own_cache(_own_folder: Path) -> Iterator[None]:
    """One temporary cache for these tests, so that the large lexicons are built once;
    other tests have the user's.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUZZLEKIT_CACHE", str(_own_folder))
        yield


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had been loaded yet."""
    monkeypatch.setattr(sources, "_loaded", {})
    monkeypatch.setattr(sources, "_derived", {})
