"""A playground for tests, of what the registries have.

numpy for Pyodide is in none of them but as a part of another package: that stands in for it, in
tests only.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
from base64 import b64decode
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.shipped import ROOT

PACKAGE, VERSION = "@bentopdf/pymupdf-wasm", "0.11.16"
INTEGRITY = (
    "GPxxH2BokrS49fJa17mrt3hTBGRIDlMkLfJwk+tk45+ICTmIzcti7ACXT2JHK3FUJX916OQvnrJQb29ZajN3CA=="
)
WHEEL = "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
DIGEST = "125230b4c3ecd08803e5c43f1162e017c0718d9f253146225a705a952b9c16c2"
FILES = ROOT / "playground" / "node_modules" / ".tests"  # beside what else is downloaded
REQUIRED = os.environ.get("PUZZLEKIT_NODE") == "required"


def build_script() -> ModuleType:
    """The script that builds the playground."""
    folder = str(ROOT / "docs")
    if folder not in sys.path:
        sys.path.append(folder)
    import build_playground

    return build_playground


def stand_in() -> Any:
    """The description of the wheel that stands in for the one that Pyodide publishes."""
    return build_script().Numpy(WHEEL, DIGEST, "https://numpy.invalid/numpy.whl")


def numpy_wheel() -> Path:
    """The wheel, downloaded unless it is there."""
    wheel = FILES / WHEEL
    if not wheel.exists():
        FILES.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", f"{PACKAGE}@{VERSION}", "--silent", "--pack-destination", FILES]
        name = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        archive = FILES / name
        digest = hashlib.sha512(archive.read_bytes()).digest()
        assert digest == b64decode(INTEGRITY), "this is not the package that was pinned"
        with tarfile.open(archive) as package:
            member = package.extractfile(f"package/assets/{WHEEL}")
            assert member is not None
            wheel.write_bytes(member.read())
        archive.unlink()
    return wheel


@cache
def built() -> Path:
    """The folder of a playground.

    It is skipped where a program or a registry is missing, unless PUZZLEKIT_NODE=required.
    """
    script = build_script()
    folder = FILES / "built"
    try:
        script._fetch_pyodide()  # which would remove the wheel, too
        script.build(folder, str(numpy_wheel()), stand_in())
    except (script.Unavailable, OSError, subprocess.CalledProcessError) as reason:
        if REQUIRED:
            raise
        pytest.skip(f"there is no playground here: {reason}")
    return folder
