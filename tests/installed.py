"""Distributions of others, as an installer leaves them, and commands that find them."""

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from puzzlekit import plugins
from puzzlekit.lang import discovery, type_reader
from puzzlekit.lang.expressions import values
from tests.commands import Done, called


def distribution(
    folder: Path, name: str, code: str, entry_points: Mapping[str, Mapping[str, str]] | None = None
) -> None:
    """What an installer leaves of a distribution with one module, puzzlekit_NAME.

    Args:
        folder: Where it is installed.
        name: The name of the distribution, after puzzlekit-.
        code: The text of the module.
        entry_points: What it offers, by group; by default the library
            NAME = puzzlekit_NAME:LIBRARY.
    """
    groups = entry_points or {"puzzlekit.libraries": {name: f"puzzlekit_{name}:LIBRARY"}}
    info = folder / f"puzzlekit_{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"puzzlekit_{name}.py").write_text(code, encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: puzzlekit-{name}\nVersion: 1.0\n")
    lines = []
    for group, points in groups.items():
        lines += [f"[{group}]", *(f"{key} = {place}" for key, place in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))


def run(folder: Path, installed: Path, *arguments: str) -> Done:
    """The command in a folder, in this process; `installed` is where other distributions are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(installed), *sys.path])
        forget_plugins()
        known, scales = dict(values._TYPES), set(values.SCALES)
        try:
            return called(*arguments, cwd=folder)
        finally:
            forget_plugins(installed)
            for now, before in ((values._TYPES, known), (values.SCALES, scales)):
                now.clear()
                now.update(before)  # type: ignore[arg-type]
            values._of_class.clear()


def forget_plugins(installed: Path | None = None) -> None:
    """Look for plugins again, and read types again, as a new process does.

    The modules of `installed` are imported again.
    """
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if installed is not None and file and Path(file).is_relative_to(installed):
            del sys.modules[name]
    importlib.invalidate_caches()
    for remembered in (
        plugins._by_group,
        discovery.installed_libraries,
        discovery._language,
        type_reader._type_in_cache,
    ):
        remembered.cache_clear()
