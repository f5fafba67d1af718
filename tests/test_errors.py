"""How an extra is installed: by the distribution's name from a wheel, by the folder in a clone."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from puzzlekit.errors import DISTRIBUTION, installing

BY_NAME = "pip install 'puzzlekit-yaml[cp-sat,fast]'"
BY_FOLDER = "pip install -e '.[cp-sat,fast]' in the clone of puzzlekit"


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        pytest.param(None, BY_NAME, id="from an index"),
        pytest.param(
            {"url": "file:///tmp/puzzlekit_yaml-0.1.0-py3-none-any.whl", "archive_info": {}},
            BY_NAME,
            id="from a wheel",
        ),
        pytest.param({"url": "file:///clone", "dir_info": {}}, BY_NAME, id="from a folder"),
        pytest.param(
            {"url": "file:///clone", "dir_info": {"editable": True}}, BY_FOLDER, id="editable"
        ),
    ],
)
def test_an_extra_is_installed_as_puzzlekit_was(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    origin: dict[str, object] | None,
    command: str,
) -> None:
    if origin is not None:
        (tmp_path / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")
    installed = metadata.PathDistribution(tmp_path)
    names: list[str] = []

    def distribution(name: str) -> metadata.Distribution:
        names.append(name)
        return installed

    monkeypatch.setattr(metadata, "distribution", distribution)
    assert installing("cp-sat", "fast") == command
    assert names == [DISTRIBUTION]


def test_an_extra_of_a_clone_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def distribution(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", distribution)
    assert installing("cp-sat", "fast") == BY_FOLDER


def test_the_distribution_is_that_of_the_project() -> None:
    text = (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nname = "{DISTRIBUTION}"\n' in text
