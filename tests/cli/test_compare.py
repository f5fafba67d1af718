"""`puzzlekit compare`: what it prints, its JSON and CSV, its charts, and several puzzles."""

import csv
import json
import sys
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from puzzlekit.api import Puzzle, Query, Solution, load
from puzzlekit.backends import BACKENDS
from puzzlekit.backends.statistics import EFFORTS, SIZES
from puzzlekit.cli.comparison_report import print_comparisons
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.errors import InputError
from puzzlekit.render.chart import Bar, bars, cactus, scatter
from tests.cli.running import interrupted_at
from tests.commands import ROOT, Command

FOUR = ["exact-cover", "sat"]


@pytest.fixture(autouse=True)
def _columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def puzzle(name: str = "queens/n6.yaml") -> Puzzle:
    return load(None, ROOT / "specs" / name)


def nothing() -> Puzzle:
    return load("queens", {"size": 3})


def test_the_tables_fit_into_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    output = ComparisonOutput(verbose=True, no_color=True)
    assert print_comparisons([puzzle("waffle/first.yaml")], Query(limit=2), FOUR, output, repeat=2) == 0
    text = capsys.readouterr().out
    tables, _, passes = text.partition("lowering passes")
    assert max(map(len, tables.splitlines())) <= 80
    assert "all that finished agree (2 of 2); seconds, medians of 2 runs" in tables
    assert "presolve (full): 51 of 51 unknowns fixed, 291 of 342 values removed\n" in tables
    assert "\n0 independent parts left to search\n" in tables
    assert "every slot spells a" in tables and "cover with colours" in passes
    assert "given and did" not in tables  # nobody was asked


def test_first_is_empty_where_nothing_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert print_comparisons([nothing()], Query(limit=1), ["sat"], ComparisonOutput(as_json=True)) == 1
    (backend,) = json.loads(capsys.readouterr().out)["backends"]
    assert backend["count"] == 0 and "first" not in backend["seconds"] and "all" in backend["seconds"]
    print_comparisons([nothing()], Query(limit=1), ["sat"], ComparisonOutput(no_color=True))
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "sat" in line and "│" in line]
    assert row.split("│")[4].strip() == ""


def test_json_and_csv_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    puzzles = [puzzle(), puzzle("queens/n4.yaml")]
    query = Query(presolve="none")  # type: ignore[arg-type]
    assert print_comparisons(puzzles, query, FOUR, ComparisonOutput(as_json=True, verbose=True), repeat=2) == 0
    report = json.loads(capsys.readouterr().out)
    assert print_comparisons(puzzles, query, FOUR, ComparisonOutput(as_csv=True)) == 0
    rows = [*csv.DictReader(StringIO(capsys.readouterr().out))]
    assert report["agreement"] is True
    objects = [(one, backend) for one in report["puzzles"] for backend in one["backends"]]
    assert len(rows) == len(objects) == 4
    for row, (one, backend) in zip(rows, objects):
        assert (row["puzzle"], row["spec"], row["presolve"]) == (one["puzzle"], one["spec"], one["presolve"])
        assert (row["backend"], row["status"], row["count"]) == (backend["name"], "complete", str(backend["count"]))
        assert (row["runs"], backend["runs"]) == ("1", 2)
        known = {name: int(row[name]) for name in (*SIZES, *EFFORTS) if row[name]}
        assert known == {name: number for name, number in backend["statistics"].items() if name in known}
        least, most = backend["spread"]
        assert least <= backend["seconds"]["all"] <= most
        assert one["presolved"]["removed"] == 0 and "→" in backend["chain"]


def test_several_puzzles_are_summed_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    assert print_comparisons([puzzle(), nothing()], Query(limit=1), FOUR, ComparisonOutput(svg=chart, no_color=True)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "2 puzzles" in lines and lines[-1] == "all that finished agree"
    (row,) = [line for line in lines[lines.index("2 puzzles") :] if "exact-cover" in line]
    assert row.split("│")[2].strip() == "2"
    drawn = ElementTree.fromstring(chart.read_text(encoding="utf-8"))
    assert len(drawn.findall("{*}circle")) == 2  # a point for each


def test_a_chart_of_one_puzzle_has_a_row_for_each_backend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = tmp_path / "chart.svg"
    assert print_comparisons([puzzle()], Query(limit=1), [*FOUR, "dlx"], ComparisonOutput(svg=chart)) == 0
    drawn = ElementTree.fromstring(chart.read_text(encoding="utf-8"))
    texts = [text.text for text in drawn.findall("{*}text")]
    assert {*FOUR, "dlx"} <= set(texts)


def test_a_chart_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a file that ends in \.svg"):
        print_comparisons([puzzle()], Query(), FOUR, ComparisonOutput(svg=tmp_path / "chart.png"))


@pytest.mark.parametrize(
    "text",
    [
        bars("a <b> & \x00", [Bar("<i>", 0.0, 0.0), Bar("sat", 0.01, 2.0, (1.0, 3.0)), Bar("z3", note="stopped")]),
        bars("nothing", []),
        scatter("<", "a", "b", {"<x>": (0.1, None), "y": (None, None), "z": (1e-9, 1e9)}),
        scatter("none", "a", "b", {}),
        cactus("<", {"sat": [0.2, 0.1], "none": []}),
        cactus("one", {f"backend {number}": [number + 0.5] for number in range(12)}),
    ],
)
def test_charts_are_well_formed_and_all_marks_inside(text: str) -> None:
    drawn = ElementTree.fromstring(text)
    _, _, wide, high = map(float, drawn.attrib["viewBox"].split())
    for circle in drawn.findall("{*}circle"):
        assert 0 <= float(circle.attrib["cx"]) <= wide and 0 <= float(circle.attrib["cy"]) <= high
    for line in drawn.findall("{*}polyline"):
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= wide and 0 <= y <= high


SUDOKU = "specs/sudoku/first.yaml"


def test_compare(puzzlekit: Command) -> None:
    done = puzzlekit("compare", "sudoku", SUDOKU, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["agreement"] is True
    assert [backend["name"] for backend in report["backends"]] == [*BACKENDS]
    for backend in report["backends"]:
        assert (backend["status"], backend["count"], backend["unsupported"]) == ("complete", 1, None)
        assert {"presolve", "build", "first", "all"} <= set(backend["seconds"])
    assert "all that finished agree (2 of 2)" in puzzlekit("compare", SUDOKU, "--backends", "z3,dlx").stdout


def test_an_interrupt_while_backends_are_compared_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Solution, "key", interrupted_at(95, Solution.key))
    puzzle = load("queens", ROOT / "specs/queens/n8.yaml")
    assert print_comparisons([puzzle], Query(), ["exact-cover", "dlx", "sat"], ComparisonOutput(as_json=True)) == 130
    first, second = json.loads(capsys.readouterr().out)["backends"]
    assert (first["status"], first["count"]) == ("complete", 92)
    assert (second["name"], second["status"], second["reason"]) == ("dlx", "stopped", "interrupted")


def test_the_name_of_an_extra_is_not_cut_off(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.delitem(sys.modules, "puzzlekit.backends.cp_sat", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    puzzle = load("queens", ROOT / "specs/queens/n4.yaml")
    assert print_comparisons([puzzle], Query(limit=1), ["cp-sat", "sat"], ComparisonOutput(no_color=True)) == 0
    assert "…" not in capsys.readouterr().out
