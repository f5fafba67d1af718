"""A folder with a small type, which is the current one."""

from pathlib import Path

import pytest

from tests.batch.making import PAIR


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("puzzles").mkdir()
    Path("puzzles/pair.yaml").write_text(PAIR)
    return tmp_path
