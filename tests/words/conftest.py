"""The words layer, with a cache of its own."""

from collections.abc import Iterator

import pytest

from puzzlekit.libraries.words import sources


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One temporary cache for all tests, so that the large lexicons are built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUZZLEKIT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had been loaded yet."""
    monkeypatch.setattr(sources, "_loaded", {})
    monkeypatch.setattr(sources, "_made", {})
