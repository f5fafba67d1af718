"""What messages say: how an extra is installed, and how options are named."""

from pathlib import Path

import pytest

from puzzlekit import errors
from puzzlekit.errors import (
    DISTRIBUTION,
    InputError,
    Problem,
    Problems,
    SourcePos,
    installing,
    option,
    options_of_shell,
)

BY_NAME = "pip install 'puzzlekit-yaml[cp-sat,fast]'"
BY_FOLDER = "pip install -e '.[cp-sat,fast]' in the clone of puzzlekit"


def test_an_extra_of_a_clone_is_installed_from_its_folder() -> None:
    assert installing("cp-sat", "fast") == BY_FOLDER


def test_an_extra_of_an_installed_package_goes_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "puzzlekit" / "errors.py"))
    assert installing("cp-sat", "fast") == BY_NAME


def test_messages_name_options_as_the_caller_writes_them() -> None:
    assert option("counting") == "counting"
    with options_of_shell():
        assert (option("counting"), option("per_page")) == ("--count", "--per-page")
    assert option("per_page") == "per_page"


def test_a_message_has_no_control_characters() -> None:
    error = InputError("a\x1b[31m", help="b\x07")
    problem = Problem("c\x1b", SourcePos("d\x1b", 1, 1, "e"), "f\x1b")
    assert (str(error), error.help, error.__notes__) == ("a·[31m", "b·", ["b·"])
    assert "\x1b" not in str(problem) + str(Problems([problem]))


def test_the_distribution_is_that_of_the_project() -> None:
    text = (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nname = "{DISTRIBUTION}"\n' in text
