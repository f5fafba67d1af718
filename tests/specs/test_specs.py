"""Every spec that ships, on every backend: its answers are those that it expects."""

from pathlib import Path

import pytest

from puzzlekit.api import load
from puzzlekit.api.expect import expected, unmet
from puzzlekit.backends import BACKENDS

ROOT = Path(__file__).parents[2] / "specs"
SPECS = {str(path.relative_to(ROOT).with_suffix("")): path for path in sorted(ROOT.glob("*/*.yaml"))}


@pytest.mark.parametrize("spec", SPECS)
def test_every_spec_says_how_many_answers_to_expect(spec: str) -> None:
    assert "solutions" in expected(load(None, SPECS[spec]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("spec", SPECS)
def test_every_backend_gives_what_the_spec_expects(spec: str, backend: str) -> None:
    assert unmet(load(None, SPECS[spec]), backend) == []
