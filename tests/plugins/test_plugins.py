"""What docs/plugins.md shows, installed and used, and what the plugins of this repository offer."""

import json
import re
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from puzzlekit import plugins
from tests.commands import Done
from tests.installed import distribution, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'```\w+ title="(.*?)"\n(.*?)```', PAGE, re.DOTALL))


def entry_points(text: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads(text)["project"]["entry-points"]
    return found


@pytest.fixture
def command(tmp_path: Path) -> "partial[Done]":
    """A command in a folder that has the type of the page, where its plugin is installed."""
    folder, installed = tmp_path / "types", tmp_path / "installed"
    (folder / "puzzles").mkdir(parents=True)
    (folder / "puzzles" / "coins.yaml").write_text(FILES["coins.yaml"])
    points = entry_points(FILES["pyproject.toml"])
    distribution(installed, "coins", FILES["puzzlekit_coins.py"], points)
    return partial(run, folder, installed)


def test_its_generator_and_its_page_are_used(command: Any, tmp_path: Path) -> None:
    page = tmp_path / "coins.html"
    options = ("--seed", "1", "--count", "2", "--most", "5", "--html", str(page))
    done = command("generate", "coins", *options)
    sums = re.findall(r"^sum: (\d+)$", done.stdout, re.MULTILINE)
    assert len(sums) == 2 and all(1 <= int(number) <= 5 for number in sums), done.stderr
    listed = "".join(f"<li>{number}" for number in sums)
    assert page.read_text() == f"<!DOCTYPE html><title>Coins</title><ul>{listed}</ul>"
    assert "the greatest sum; 18 by default" in command("generate", "coins", "--help").stdout
    generators = "coins and sanalouhos and waffle have generators of their own"
    assert generators in command("generate", "--help").stdout


def test_its_fetcher_is_used(command: Any, tmp_path: Path) -> None:
    board = tmp_path / "board"
    for data, said in (({"sum": 7}, "sum: 7"), ({}, "expected an object with a sum")):
        board.with_suffix(".json").write_text(json.dumps(data))
        module = FILES["puzzlekit_coins.py"].replace("https://coins.example", "")
        (tmp_path / "installed" / "puzzlekit_coins.py").write_text(module)
        done = command("fetch", "coins", str(board))
        assert said in done.stdout + done.stderr
        assert done.returncode == (0 if data else 2)


def test_one_that_cannot_be_imported_is_named(command: Any, tmp_path: Path) -> None:
    (tmp_path / "installed" / "puzzlekit_coins.py").write_text("import not_there\n")
    assert command("solve", "coins", "--set", "sum=18").returncode == 0
    done = command("generate", "coins")
    assert done.returncode == 2
    expected = "puzzlekit_coins:GENERATOR cannot be loaded: ModuleNotFoundError: No module named"
    assert expected in done.stderr


def test_a_type_without_them_says_so(command: Any) -> None:
    done = command("fetch", "sudoku", "1")
    assert done.returncode == 2
    assert "cannot fetch puzzles of sudoku: it has no fetcher" in done.stderr
    done = command("fetch", "coin", "1")
    assert "cannot fetch puzzles of coin: there is no such puzzle type" in done.stderr
    assert "did you mean coins?" in done.stderr


@pytest.fixture
def halved(tmp_path: Path) -> "partial[Done]":
    """A command in a folder that has the second type of the page, where its plugin is installed."""
    (tmp_path / "halved.yaml").write_text(FILES["halved.yaml"])
    points = tomllib.loads(FILES["halves.toml"])["project"]["entry-points"]
    distribution(tmp_path / "installed", "halves", FILES["puzzlekit_halves.py"], points)
    return partial(run, tmp_path, tmp_path / "installed")


def test_what_follows_by_its_section_is_solved_and_shown(halved: Any) -> None:
    done = halved("solve", "halved.yaml", "--limit", "1", "--json")
    (solution,) = json.loads(done.stdout)["solutions"]
    half = {"heads": 2, "tails": 2, "optimal": True, "outcome": "proven optimal"}
    assert solution == {"heads": 8, "halves": {"half": half}}
    assert json.dumps(solution)[:70] in PAGE
    assert "\nHalf of it: proven optimal\n" in halved("solve", "halved.yaml").stdout


def test_its_section_is_known_to_other_commands(halved: Any, tmp_path: Path) -> None:
    assert "\nHalf of a number follows.\n" in halved("show", "halved.yaml").stdout
    assert halved("check", "halved.yaml").returncode == 0
    schema = json.loads(halved("schema").stdout)["properties"]["halves"]
    assert schema["examples"] == ["heads"] and schema["type"] == ["string", "number"]
    (tmp_path / "spec.yaml").write_text("puzzle: halved\nexpect: {half: {heads: 9}}\n")
    done = halved("check", "halved.yaml", "spec.yaml")
    assert done.returncode == 2 and "expected half" in done.stdout + done.stderr


def test_what_is_wrong_in_its_section_has_a_place(halved: Any, tmp_path: Path) -> None:
    file = tmp_path / "halved.yaml"
    for old, new, message in (
        ("halves: heads", "halves: tails", "halved.yaml:6:9: tails is not known here"),
        ("halves: heads", "halfs: heads", "halved.yaml:6:1: there is no section halfs"),
        ("variables:", "data:\n  halves: int\nvariables:", "a field cannot be called halves"),
    ):
        file.write_text(FILES["halved.yaml"].replace(old, new))
        done = halved("solve", "halved.yaml")
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    file.write_text(FILES["halved.yaml"])
    module = tmp_path / "installed" / "puzzlekit_halves.py"
    for code, message in (
        ("import not_there\n", "the section halves is not loaded: ModuleNotFoundError"),
        ("Halves = 3\n", "the entry point names a int, not a class of TypeSection"),
    ):
        module.write_text(code)
        done = halved("solve", "halved.yaml")
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_without_the_plugin_there_is_no_such_section(tmp_path: Path) -> None:
    (tmp_path / "halved.yaml").write_text(FILES["halved.yaml"])
    done = run(tmp_path, tmp_path / "installed", "solve", "halved.yaml")
    assert "halved.yaml:6:1: there is no section halves" in done.stderr


def test_the_root_offers_what_its_plugins_offer() -> None:
    """puzzlekit carries them: an installation of it offers the same as one of each plugin."""
    apart: dict[str, dict[str, str]] = {}
    for file in (ROOT / "plugins").glob("*/pyproject.toml"):
        for group, points in entry_points(file.read_text(encoding="utf-8")).items():
            apart.setdefault(group, {}).update(points)
    assert apart == entry_points((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for group, points in apart.items():
        for name, reference in points.items():
            point = plugins.find(group, name)
            assert point is not None and point.reference == reference
            assert point.load() is not None


def test_the_package_names_no_plugin() -> None:
    names = re.compile("waffle|sanalouhos", re.IGNORECASE)
    files = [path for path in (ROOT / "puzzlekit").rglob("*.py") if "__pycache__" not in path.parts]
    assert [path.name for path in files if names.search(path.read_text(encoding="utf-8"))] == []
