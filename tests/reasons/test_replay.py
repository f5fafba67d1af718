"""Explanations replayed from outside, on boards in plain Python."""

from pathlib import Path

import pytest
import yaml

from tests.reasons.replay import replay_spec
from tests.shipped import SPECS

STEPS = Path("/work/shared/cases/steps")
QUICK = (
    *("sudoku/first", "sudoku/six", "star_battle/six", "star_battle/holes"),
    *("kakuro/4x4", "kakuro/6x6"),
)
SLOW = (
    *("sudoku/seventeen", "sudoku/sixteen"),
    *("star_battle/10x10", "star_battle/nine", "star_battle/medium", "star_battle/queens"),
    *("kakuro/small", "kakuro/medium"),
)


def check_spec(path: Path) -> None:
    """Replay the explanation of a spec."""
    report = replay_spec(yaml.safe_load(path.read_text()))
    assert report.problems == report.easier == []


@pytest.mark.parametrize("name", QUICK)
def test_explanations_hold_on_a_board_of_plain_python(name: str) -> None:
    check_spec(SPECS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_more_explanations_hold_on_a_board_of_plain_python(name: str) -> None:
    check_spec(SPECS[name])


@pytest.mark.slow
@pytest.mark.skipif(not STEPS.exists(), reason="the cases are not on this machine")
@pytest.mark.parametrize("name", ("pointing", "nakedtriple", "xwing", "xywing"))
def test_hard_sudokus_hold_on_a_board_of_plain_python(name: str) -> None:
    check_spec(STEPS / f"{name}.yaml")
