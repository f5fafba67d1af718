"""The two folders of a stranger, made once."""

import os

import pytest

from tests.security.judges import ROOT
from tests.security.stranger import FILES, Stranger
from tests.security.traps import lay, lay_modules


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    base = tmp_path_factory.mktemp("stranger").resolve()
    here, elsewhere, out = base / "here", base / "elsewhere", base / "out"
    out.mkdir()
    marker = base / "run"
    for folder in (here, elsewhere):
        lay(folder, marker)
        (folder / "puzzles").mkdir()
        (folder / "puzzles" / "waffle.yaml").write_bytes(
            (ROOT / "puzzles" / "waffle.yaml").read_bytes()
        )
        lay_modules(
            folder / "puzzles",
            marker,
            {"waffle_generator", "waffle_fetcher", "waffle_board", "waffle_page"},
        )
    for name, text in FILES.items():
        (here / name).write_text(text)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "LD_", "NUMBA_", "Z3_"))
    }
    home = base / "home"
    home.mkdir()
    return Stranger(
        here,
        elsewhere,
        out,
        {**kept, "HOME": str(home), "PUZZLEKIT_CACHE": str(base / "cache")},
        marker,
    )
