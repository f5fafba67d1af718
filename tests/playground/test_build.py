"""The build of the playground: what it takes, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.playground.built import build_script
from tests.shipped import ROOT

SOURCES = ROOT / "playground"
SCRIPT = build_script()


def test_everything_from_elsewhere_has_a_hash() -> None:
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    packages = [entry for name, entry in lock["packages"].items() if name]
    assert packages
    assert all(entry["integrity"].startswith("sha512-") for entry in packages)
    requirements = (SOURCES / "requirements.txt").read_text(encoding="utf-8")
    assert re.search(r"python-sat==\S+ --hash=sha256:[0-9a-f]{64}\n", requirements)


def test_the_page_has_the_version_of_pysat_that_puzzlekit_requires() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = next(name for name in project["dependencies"] if name.startswith("python-sat"))
    assert required in (SOURCES / "requirements.txt").read_text(encoding="utf-8")


def test_what_has_no_wheel_for_a_page_is_not_required_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    marked = [text for text in project["dependencies"] if "sys_platform != 'emscripten'" in text]
    names = {re.split(r">=", text)[0] for text in marked}
    assert names == {"z3-solver", "python-constraint2", "dlx", "watchfiles"}


def test_no_file_of_the_playground_is_binary() -> None:
    command = ["git", "ls-files", "-z", "playground"]
    listed = subprocess.run(command, capture_output=True, cwd=ROOT, check=False).stdout
    names = [name for name in listed.decode().split("\0") if name]
    if not names:
        pytest.skip("this is no clone")
    for name in names:
        (ROOT / name).read_text(encoding="utf-8")


def test_another_numpy_is_refused(tmp_path: Path) -> None:
    wheel = SCRIPT.Numpy("numpy.whl", hashlib.sha256(b"right").hexdigest(), "https://numpy.invalid")
    (tmp_path / "numpy.whl").write_bytes(b"right")
    (tmp_path / "other.whl").write_bytes(b"wrong")
    assert wheel.read(str(tmp_path)) == wheel.read(str(tmp_path / "numpy.whl")) == b"right"
    assert wheel.read((tmp_path / "numpy.whl").as_uri()) == b"right"
    with pytest.raises(SCRIPT.Unavailable, match="has the hash"):
        wheel.read(str(tmp_path / "other.whl"))
    with pytest.raises(SCRIPT.Unavailable, match="cannot be read"):
        wheel.read(str(tmp_path / "none.whl"))


def test_without_node_the_build_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["build_playground.py", str(tmp_path / "playground")])
    with pytest.raises(SystemExit, match="there is no node here"):
        SCRIPT.main()
    assert not (tmp_path / "playground").exists()


def test_the_engine_is_what_a_wheel_has_without_tools() -> None:
    names = {name for _, name in SCRIPT._package_files()}
    expected = ("questions/answers.py", "puzzles/sudoku.yaml", "specs/sudoku/six.yaml")
    assert {f"puzzlekit/{name}" for name in expected} <= names
    assert "puzzlekit_waffle/then.py" in names
    assert not [name for name in names if name.startswith(SCRIPT.LEFT_OUT)]
    text = SCRIPT._entry_points({"a": {"b": "c.d:e"}, "f": {"g": "h"}})
    assert text == "[a]\nb = c.d:e\n\n[f]\ng = h\n"


def test_archives_do_not_depend_on_the_time(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a")
    contents = []
    for seconds in (1, 2_000_000_000):
        os.utime(path, (seconds, seconds))
        SCRIPT._write_archive(tmp_path / "archive.zip", {"a.txt": path}.items())
        archive = (tmp_path / "archive.zip").read_bytes()
        contents.append((archive, SCRIPT._tar(tmp_path, [path])))
    assert contents[0] == contents[1]


def test_modules_that_are_loaded_later_are_listed_by_name(tmp_path: Path) -> None:
    names = ("a.pyc", "b/__init__.pyc", "site-packages/c/d.pyc")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    later = SCRIPT._archive_later(tmp_path, tmp_path, [tmp_path / name for name in names])
    assert later == dict.fromkeys(("a", "b", "c.d"), "modules.zip")
    with ZipFile(tmp_path / "modules.zip") as files:
        assert tuple(files.namelist()) == names
