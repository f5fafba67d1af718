"""The declared versions of Python: which are found, and that each builds and runs the wheel."""

from pathlib import Path

import pytest

from tests import interpreters


def test_the_declared_versions_begin_with_the_required_one() -> None:
    versions = interpreters.declared_versions()
    text = (interpreters.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={versions[0]}"' in text
    assert versions == sorted(versions, key=lambda version: int(version.partition(".")[2]))


def test_a_shim_without_an_interpreter_is_not_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = tmp_path / "python3.12"
    shim.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(interpreters, "PYENV", tmp_path)
    assert interpreters.find_interpreter("3.12") is None
    shim.write_text("#!/bin/sh\necho 3.12\n", encoding="utf-8")
    assert interpreters.find_interpreter("3.12") == str(shim)


def test_a_missing_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interpreters, "find_interpreter", lambda version: None)
    assert interpreters.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert "python3.12: not found on this machine" in lines
    assert len(lines) == len(interpreters.declared_versions())


@pytest.mark.slow
@pytest.mark.parametrize("version", interpreters.declared_versions())
def test_the_wheel_builds_installs_and_runs(version: str, tmp_path: Path) -> None:
    interpreter = interpreters.find_interpreter(version)
    if interpreter is None:
        pytest.skip(f"python{version}: {interpreters.MISSING}")
    interpreters.prove(interpreter, tmp_path)
