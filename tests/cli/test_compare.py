"""`puzzlekit compare`: what it prints, its JSON and CSV, its charts, and several puzzles."""

import csv
import json
import sys
import time
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from puzzlekit.api import Puzzle, Query, Solution, load
from puzzlekit.api.comparison import Result, scores
from puzzlekit.backends import BACKENDS
from puzzlekit.backends.base import Budget
from puzzlekit.backends.sat import Sat
from puzzlekit.backends.statistics import EFFORTS, SIZES
from puzzlekit.cli.comparison_chart import chart
from puzzlekit.cli.comparison_report import print_comparisons
from puzzlekit.cli.comparison_tables import difference
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.errors import InputError, MissingExtra
from tests.cli.running import interrupted_at
from tests.commands import ROOT, Command
from tests.limits import replaced

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
    assert (
        print_comparisons([puzzle("waffle/first.yaml")], Query(limit=2), FOUR, output, repeat=2)
        == 0
    )
    text = capsys.readouterr().out
    tables, _, passes = text.partition("lowering passes")
    assert max(map(len, tables.splitlines())) <= 80
    assert "all that finished agree (2 of 2); seconds, medians of 2 runs; presolve " in tables
    assert "presolve (full): 51 of 51 unknowns fixed, 291 of 342 values removed\n" in tables
    assert "\n0 independent parts left to search\n" in tables
    assert "every slot spells a" in tables and "cover with colours" in passes
    assert "given and did" not in tables  # nobody was asked


def test_the_goal_is_named_once_and_its_value_stands_in_each_row(puzzlekit: Command) -> None:
    done = puzzlekit("compare", "specs/swaps/digits.yaml", "--backends", "sat,csp", COLUMNS="80")
    title, _, *rows, _ = done.stdout.splitlines()
    assert title.endswith(" (goal: fewest_swaps)") and max(map(len, rows)) <= 80
    assert [line.split()[-3:] for line in rows] == [["1", "(12)", "complete"]] * 2


def test_first_is_empty_where_nothing_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        print_comparisons([nothing()], Query(limit=1), ["sat"], ComparisonOutput(as_json=True)) == 1
    )
    (backend,) = json.loads(capsys.readouterr().out)["backends"]
    assert (
        backend["count"] == 0 and "first" not in backend["seconds"] and "all" in backend["seconds"]
    )
    print_comparisons([nothing()], Query(limit=1), ["sat"], ComparisonOutput(no_color=True))
    _, row, *_ = (line.split() for line in capsys.readouterr().out.splitlines()[1:])
    assert (row[0], row[4:]) == ("sat", ["1.0", "0", "complete"])  # build, all and processor


def test_json_and_csv_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    puzzles = [puzzle(), puzzle("queens/n4.yaml")]
    query = Query(presolve="none")  # type: ignore[arg-type]
    assert (
        print_comparisons(
            puzzles, query, FOUR, ComparisonOutput(as_json=True, verbose=True), repeat=2, number=2
        )
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert print_comparisons(puzzles, query, FOUR, ComparisonOutput(as_csv=True), number=2) == 0
    rows = [*csv.DictReader(StringIO(capsys.readouterr().out))]
    assert report["agreement"] is True
    objects = [(one, backend) for one in report["puzzles"] for backend in one["backends"]]
    assert len(rows) == len(objects) == 4
    for row, (one, backend) in zip(rows, objects):
        assert (row["puzzle"], row["spec"], row["presolve"]) == (
            one["puzzle"],
            one["spec"],
            one["presolve"],
        )
        assert (row["backend"], row["status"], row["count"]) == (
            backend["name"],
            "complete",
            str(backend["count"]),
        )
        assert (row["runs"], backend["runs"]) == ("1", 2)
        assert float(row["ratio"]) >= 1 <= backend["ratio"] and float(row["processor_seconds"]) > 0
        known = {name: int(row[name]) for name in (*SIZES, *EFFORTS) if row[name]}
        assert known == {
            name: number for name, number in backend["statistics"].items() if name in known
        }
        least, most = backend["spread"]
        assert least <= backend["seconds"]["all"] <= most
        assert one["presolved"]["removed"] == 0 and "→" in backend["chain"]


def test_several_puzzles_are_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    output = ComparisonOutput(no_color=True)
    assert (
        print_comparisons([puzzle(), nothing()], Query(limit=1), FOUR, output, 60.0, number=2) == 1
    )
    lines = capsys.readouterr().out.splitlines()
    below = lines[lines.index("2 puzzles") :]
    assert below[1].split() == [
        "backend",
        "solved",
        "unsupported",
        "fastest",
        "PAR-2",
        "median",
        "processor",
    ]
    assert below[2].split()[:2] == ["exact-cover", "2"] and max(map(len, below)) <= 80
    assert (
        below[4] == "seconds, at most 60 for each puzzle" and below[-1] == "all that finished agree"
    )


def done(name: str, seconds: float | None, status: str = "complete") -> Result:
    times = (
        []
        if seconds is None
        else [{"all": seconds, "first": seconds / 2, "processor": 2 * seconds}]
    )
    return Result(name, status, times=times)


def test_scores_are_those_of_the_field() -> None:
    first = {"a": done("a", 1.0), "b": done("b", 3.0), "c": done("c", None, "unsupported")}
    second = {
        "a": done("a", 10.0, "stopped"),
        "b": done("b", 5.0),
        "c": done("c", None, "not installed"),
    }
    found = scores([first, second], 10.0)
    assert [(score.solved, score.unsupported, score.fastest) for score in found.values()] == [
        (1, 0, 1),
        (2, 0, 1),
        (0, 2, 0),
    ]
    assert [score.par2 for score in found.values()] == [(1 + 20) / 2, 4.0, 20.0]
    assert (found["b"].median, found["b"].processor, found["c"].median) == (4.0, 16.0, None)
    assert [score.par2 for score in scores([first, second], None).values()] == [None, 4.0, None]


def test_a_folder_stands_for_its_specs_and_one_that_cannot_be_read_costs_only_itself(
    puzzlekit: Command, tmp_path: Path
) -> None:
    (tmp_path / "c").mkdir()
    for name, size in {"a": "4", "b": "x", "c/d": "5"}.items():
        (tmp_path / f"{name}.yaml").write_text(f"puzzle: queens\nsize: {size}\n")
    done = puzzlekit("compare", str(tmp_path), "--backends", "sat,dlx", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["agreement"], report["timeout"]) == (2, True, 60.0)
    assert [Path(one["spec"]).name for one in report["puzzles"]] == ["a.yaml", "b.yaml", "d.yaml"]
    assert (
        "b.yaml:2:7: 'x' is not a whole number" in done.stderr
        and report["puzzles"][1]["error"] in done.stderr
    )
    assert report["backends"]["dlx"]["solved"] == 2
    assert (
        "1 more could not be loaded"
        in puzzlekit("compare", str(tmp_path), "--backends", "sat,dlx").stdout
    )


# Statuses -----------------------------------------------------------------------------------------


def row(text: str, backend: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.split()[:1] == [backend])


def test_what_is_compiled_once_is_not_counted(
    puzzlekit: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sat, "prepare", lambda self, budget: time.sleep(0.6))
    done = puzzlekit("compare", SUDOKU, "--backends", "sat,csp", "--timeout", "0.5", "--json")
    sat, _ = json.loads(done.stdout)["backends"]
    assert (sat["status"], done.returncode) == ("complete", 0) and sat["seconds"]["all"] < 0.5


def test_compiling_and_not_installed_are_statuses_of_their_own(
    puzzlekit: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(self: Sat, budget: Budget) -> None:
        while True:
            budget.check()

    monkeypatch.setattr(Sat, "prepare", endless)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    monkeypatch.delitem(sys.modules, "puzzlekit.backends.cp_sat", raising=False)
    with replaced(compiling_seconds=0.1):
        done = puzzlekit("compare", SUDOKU, "--backends", "sat,cp-sat,csp")
        report = json.loads(
            puzzlekit("compare", SUDOKU, "--backends", "sat,cp-sat,csp", "--json").stdout
        )
    assert row(done.stdout, "sat") == ["sat", "compiling"]
    assert row(done.stdout, "cp-sat") == ["cp-sat", "not", "installed"]
    assert (
        "\nsat: compiling: its library is compiled once after it was installed: the time is up"
        in done.stdout
    )
    assert (
        "\ncp-sat: not installed: the backend cp-sat requires an extra: pip install" in done.stdout
    )
    assert [one["status"] for one in report["backends"]] == [
        "compiling",
        "not installed",
        "complete",
    ]


@pytest.mark.slow
def test_xcover_is_compiled_and_then_runs_within_a_short_limit(
    started: Command, tmp_path: Path
) -> None:
    done = started(
        "compare",
        "specs/queens/n6.yaml",
        "--backends",
        "xcover",
        "--timeout",
        "5",
        NUMBA_CACHE_DIR=str(tmp_path),
    )
    assert row(done.stdout, "xcover")[-1] == "complete"


def test_a_backend_has_a_minute_without_a_limit(
    puzzlekit: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float | None] = []
    monkeypatch.setattr(
        "puzzlekit.api.comparison.Comparison._ask", lambda self, result: given.append(self.timeout)
    )
    puzzlekit("compare", SUDOKU, "--backends", "sat")
    puzzlekit("compare", SUDOKU, "--backends", "sat", "--timeout", "5")
    puzzlekit("compare", SUDOKU, "--backends", "sat", "--timeout", "inf")
    assert given == [60.0, 5.0, None]


def test_the_backend_that_differs_is_named(
    monkeypatch: pytest.MonkeyPatch, puzzlekit: Command
) -> None:
    run = Sat.run
    monkeypatch.setattr(Sat, "run", lambda self, *arguments: islice(run(self, *arguments), 1))
    done = puzzlekit("compare", "specs/queens/n4.yaml", "--backends", "dlx,sat,csp", "--all")
    assert (done.returncode, done.stdout.splitlines()[-2]) == (70, "dlx, csp found 2; sat found 1")
    assert done.stdout.splitlines()[-1].startswith("THEY DO NOT AGREE (3 of 3); seconds")
    done = puzzlekit(
        "compare", "specs/queens/n4.yaml", "--backends", "dlx,sat,csp", "--all", "--json"
    )
    assert json.loads(done.stdout)["groups"] == [["dlx", "csp"], ["sat"]]


def test_other_solutions_of_the_same_number_are_a_difference() -> None:
    one, other = (
        Result(name, count=2, counted=True, keys=frozenset(keys))
        for name, keys in (("a", {1, 2}), ("b", {1, 3}))
    )
    assert difference([[one], [other]]) == "a found 2; b found 2, 1 of them not found by a"


def test_a_cell_that_a_spreadsheet_would_run_is_escaped(puzzlekit: Command, tmp_path: Path) -> None:
    for name in ("=1+1.yaml", "@a.yaml", "-2.yaml", "plain.yaml"):
        (tmp_path / name).write_text("puzzle: queens\nsize: 4\n")
    done = puzzlekit("compare", ".", "--backends", "sat", "--csv", cwd=tmp_path)
    specs = [line["spec"] for line in csv.DictReader(StringIO(done.stdout))]
    assert specs == ["'-2.yaml", "'=1+1.yaml", "'@a.yaml", "plain.yaml"]


# Charts -------------------------------------------------------------------------------------------


TWO = [
    {"a": done("a", 0.5), "b": done("b", 2.0)},
    {"a": done("a", 1e-9), "b": done("b", 9.0, "stopped")},
]
CHARTS = [
    (
        ["$\\frac{ <b> & \x00 \x1b"],
        [{"<i>": done("<i>", 0.1), "z3": done("z3", None, "not installed"), **TWO[1]}],
    ),
    (["one"], [{"a": done("a", None, "stopped")}]),
    (["x", "y"], TWO),
    (["x", "y"], [{"a": done("a", 0.5, "stopped"), "b": done("b", 0.5, "stopped")}] * 2),
    (["x", "y"], [{**one, "c": done("c", 0.5)} for one in TWO]),
    (["x"] * 2, [{"a": done("a", 0.5, "stopped")}] * 2),
]


@pytest.mark.parametrize(("titles", "results"), CHARTS)
@pytest.mark.parametrize("timeout", [10.0, None])
def test_charts_are_well_formed(
    titles: list[str], results: list[dict[str, Result]], timeout: float | None
) -> None:
    drawn = ElementTree.fromstring(chart(titles, results, timeout))
    texts = ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert any("seconds" in text for text in texts) and not any(
        "mathdefault" in text for text in texts
    )
    assert "stopped" in texts or len(results) > 1 or "  stopped" in texts


def test_a_chart_is_written(tmp_path: Path, puzzlekit: Command) -> None:
    done = puzzlekit(
        "compare", SUDOKU, "--backends", "sat,dlx", "--svg", str(tmp_path / "chart.svg")
    )
    assert done.returncode == 0 and "dlx" in (tmp_path / "chart.svg").read_text()


def test_a_chart_leaves_nothing_behind_where_the_folder_of_the_user_cannot_be_written(
    tmp_path: Path, started: Command
) -> None:
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), "/proc/nowhere")
    (tmp_path / "temporary").mkdir()
    chart = str(tmp_path / "chart.svg")
    done = started(
        "compare",
        SUDOKU,
        "--backends",
        "sat",
        "--svg",
        chart,
        TMPDIR=str(tmp_path / "temporary"),
        **nowhere,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(chart).exists() and not [*(tmp_path / "temporary").iterdir()]
    own = tmp_path / "temporary" / "matplotlib-mine"
    started(
        "compare",
        SUDOKU,
        "--backends",
        "sat",
        "--svg",
        chart,
        TMPDIR=str(own.parent),
        MPLCONFIGDIR=str(own),
    )
    assert own.exists()


def test_a_chart_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"expected a file that ends in \.svg|requires an extra"):
        print_comparisons([puzzle()], Query(), FOUR, ComparisonOutput(svg=tmp_path / "chart.png"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"--svg requires an extra: pip install -e '.\[plot\]'"):
        print_comparisons([puzzle()], Query(), FOUR, ComparisonOutput(svg=tmp_path / "chart.svg"))


SUDOKU = "specs/sudoku/first.yaml"


def test_compare(puzzlekit: Command) -> None:
    done = puzzlekit("compare", "sudoku", SUDOKU, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0
    assert report["agreement"] is True
    assert [backend["name"] for backend in report["backends"]] == [*BACKENDS]
    for backend in report["backends"]:
        assert (backend["status"], backend["count"], backend["unsupported"]) == (
            "complete",
            1,
            None,
        )
        assert {"presolve", "build", "first", "all"} <= set(backend["seconds"])
    assert (
        "all that finished agree (2 of 2)"
        in puzzlekit("compare", SUDOKU, "--backends", "z3,dlx").stdout
    )


def test_an_interrupt_while_backends_are_compared_keeps_what_was_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Solution, "key", interrupted_at(95, Solution.key))
    puzzle = load("queens", ROOT / "specs/queens/n8.yaml")
    assert (
        print_comparisons(
            [puzzle], Query(), ["exact-cover", "dlx", "sat"], ComparisonOutput(as_json=True)
        )
        == 130
    )
    first, second = json.loads(capsys.readouterr().out)["backends"]
    assert (first["status"], first["count"]) == ("complete", 92)
    assert (second["name"], second["status"], second["reason"]) == ("dlx", "stopped", "interrupted")


def test_the_name_of_an_extra_is_not_cut_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    monkeypatch.delitem(sys.modules, "puzzlekit.backends.cp_sat", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    puzzle = load("queens", ROOT / "specs/queens/n4.yaml")
    assert (
        print_comparisons(
            [puzzle], Query(limit=1), ["cp-sat", "sat"], ComparisonOutput(no_color=True)
        )
        == 0
    )
    assert "…" not in capsys.readouterr().out


def test_an_interrupt_while_one_of_several_puzzles_is_loaded_keeps_what_was_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def loaded() -> Iterator[Puzzle]:
        yield puzzle("queens/n4.yaml")
        raise KeyboardInterrupt

    assert (
        print_comparisons(loaded(), Query(limit=1), FOUR, ComparisonOutput(as_json=True), number=3)
        == 130
    )
    report = json.loads(capsys.readouterr().out)
    assert [one["spec"] for one in report["puzzles"]] == [str(ROOT / "specs/queens/n4.yaml")]
    assert report["backends"]["sat"]["solved"] == 1


def test_one_backend_agrees_with_nobody(puzzlekit: Command) -> None:
    done = puzzlekit(
        "compare", "specs/sudoku/six.yaml", "specs/kakuro/4x4.yaml", "--backends", "sat"
    )
    assert done.returncode == 0 and done.stdout.rstrip().endswith("nothing to compare")
