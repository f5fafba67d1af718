"""Standard streams, mistakes, bounds and exit codes of all commands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.text import Text

from puzzlekit.api import load
from puzzlekit.cli.screen import console
from tests.commands import ROOT, Command

WAFFLE = "specs/waffle/first.yaml"
SUDOKU = "specs/sudoku/first.yaml"
EMPTY = "puzzle: sudoku\ngivens: |\n" + "  .........\n" * 9
QUEENS = "specs/queens/n4.yaml"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command of the shell; `puzzlekit` is this one."""
    text = command.replace("puzzlekit ", f'"{sys.executable}" -m puzzlekit ')
    env = {**os.environ, **environment}
    return subprocess.run(
        ["bash", "-c", text], cwd=ROOT, capture_output=True, check=False, timeout=120, env=env
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the bound is on what Linux counts as data")
def test_memory_stops_a_backend_that_wants_too_much(started: Command) -> None:
    done = started(
        "solve", "specs/pentominoes/6x10.yaml", "--count", "--backend", "z3", "--memory", "140M"
    )
    assert done.returncode == 3
    assert "memory" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "sudko", SUDOKU], "did you mean sudoku?"),
        (["solve", "soduko", SUDOKU], "did you mean sudoku?"),
        (["solve", "slither", SUDOKU], "did you mean slitherlink?"),
        (["solve", "sudoku", "nowhere.yaml"], "nowhere.yaml: there is no such file\n"),
        (["solve", "specs/hashi/tiny.yaml"], "there is no such file\n"),
        (["solve", "sudoku", "--timout", "3"], "--timout; did you mean --timeout?\n"),
        (["generate", "sudoku", "--symetry", "none"], "did you mean --symmetry?\n"),
        (["generate", "sudoku", "--level", "hrad"], "generate sudoku --help lists the options\n"),
        (
            ["solve", SUDOKU.replace("first", "frist")],
            "there is no such file\n     = did you mean first.yaml?\n",
        ),
        (
            ["solve", SUDOKU.removesuffix(".yaml")],
            "there is no such file\n     = did you mean first.yaml?\n",
        ),
        (["solve", "qqqq"], "there is no such type, either; puzzlekit list names the types\n"),
        (["solve", "specs"], "specs: expected a file, got a folder"),
        (["solve", SUDOKU, "--backend", "z4"], "known here: auto, exact-cover, sat"),
        (["solve", SUDOKU, "--goal", "best"], "it has no goals"),
        (["solve", SUDOKU, "--lexicon", "english"], "has no field of type lexicon"),
        (["solve", SUDOKU, "--set", "boxx=2x2"], "did you mean box?"),
        (["solve", SUDOKU, "--set", "box"], "expected FIELD=VALUE"),
        (["solve", SUDOKU, "--set", "box=three"], "'three' is not a size"),
        (["solve", SUDOKU, "--all", "--count"], "exclude each other"),
        (["solve", SUDOKU, "--seed", "2"], "--seed requires --sample"),
        (["solve", WAFFLE, "--lexicon", "englsh"], "did you mean english?"),
        (["compare", SUDOKU, "--backends", "z3,zz"], "unknown backend zz"),
        (["solve", SUDOKU, "--png", "x.png"], "--png, but draw has it"),
        (["compare", SUDOKU, "--rank", "none"], "--rank, but solve and others have it"),
        (["solve", SUDOKU, "--max-evaluations", "0"], "'--max-evaluations'"),
        (["solve", SUDOKU, "--limit", "0"], "'--limit'"),
        (["draw", "killer", "specs/masyu/tiny.yaml"], "this spec is for masyu, not for killer"),
        (["draw", "killer"], "expected a spec, got only the type killer"),
        (["solve", SUDOKU, "--timeout", "nan"], "'--timeout'"),
        (["compare", SUDOKU, "--limit", "1", "--count"], "exclude each other"),
        (["solve", SUDOKU, WAFFLE], f"expected a puzzle type, got the spec {SUDOKU}\n"),
        (["solve", WAFFLE, "--rank", "least"], "waffle has no goal least; "),
        (
            ["solve", WAFFLE, "--rank", "common", "--count"],
            "--rank cannot be combined with --goal, --count or --sample",
        ),
        (
            ["words", "english", "the", "--length", "3"],
            "--length cannot be combined with words to look up",
        ),
        (["show", "masyu", "specs/masyu/tiny.yaml"], "show TYPE takes a spec only with --rules"),
        (["show", "killer", "--rules"], "expected a spec, got only the type killer"),
        (["show", "nothing_like_it"], "there is no puzzle type nothing_like_it"),
    ],
)
def test_mistakes_are_told_and_exit_with_2(
    puzzlekit: Command, arguments: list[str], said: str
) -> None:
    done = puzzlekit(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("command", ["solve", "draw", "compare", "check"])
def test_a_bound_on_steps(puzzlekit: Command, command: str) -> None:
    done = puzzlekit(command, SUDOKU, "--max-evaluations", "100")
    assert done.returncode == 2
    assert (done.stdout + done.stderr).count("this takes more than 100 evaluations") == 1


def test_a_bound_on_memory_that_is_no_size(started: Command) -> None:
    done = started("solve", SUDOKU, "--memory", "much")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected a number with K, M, G or T" in done.stderr


def test_errors_point_at_the_place(puzzlekit: Command) -> None:
    done = puzzlekit("solve", "-", stdin=EMPTY.replace("  .........\n", "  ....x....\n", 1))
    assert done.returncode == 2
    assert "<stdin>:3:7: expected digit or one of e, o, got 'x'" in done.stderr
    assert "   3 |   ....x....\n     |       ^" in done.stderr


def test_colour_only_on_a_terminal(puzzlekit: Command) -> None:
    assert "\x1b[" not in puzzlekit("solve", WAFFLE).stdout
    assert "\x1b[" not in puzzlekit("solve", WAFFLE, NO_COLOR="1", FORCE_COLOR="1").stdout


def test_help_imports_no_solver(puzzlekit: Command) -> None:
    assert "Exit codes" in puzzlekit("--help").stdout
    code = (
        "import sys\nfrom puzzlekit.cli.program import main\nsys.argv = ['puzzlekit', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'z3', 'dlx', 'constraint', 'numpy', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr


def test_imports_are_not_nested_deeply() -> None:
    """CPython 3.11 to 3.13 maps memory for each call that is deeper than 16 KB of frames."""
    command = [sys.executable, "-X", "importtime", "-m", "puzzlekit", "solve", SUDOKU]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    depths = {}
    for line in done.stderr.splitlines():
        module = line.rpartition("|")[2].removeprefix(" ")
        depths[module.strip()] = (len(module) - len(module.lstrip())) // 2
    assert {"puzzlekit.lang.binding", "puzzlekit.model.model", "numpy.linalg"} <= depths.keys()
    assert max(depths.values()) <= 14


def test_output_that_was_closed_before_is_no_error() -> None:
    command = f'"{sys.executable}" -m puzzlekit solve sudoku {SUDOKU}'
    for closed in (">&-", "2>&-"):
        assert (
            subprocess.run(
                f"{command} {closed}", shell=True, cwd=ROOT, capture_output=True, check=False
            ).returncode
            == 0
        )


def test_a_memory_error_that_a_destructor_drops_is_not_printed() -> None:
    code = "from puzzlekit.processes.command import limit_memory\nlimit_memory('4G')\n"
    code += "class Dropped:\n    def __del__(self):\n        raise {}\nDropped()\n"
    for error, printed in (("MemoryError", False), ("ValueError", True)):
        done = subprocess.run(
            [sys.executable, "-c", code.format(error)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=True,
        )
        assert (error in done.stderr) == printed


@pytest.mark.sampled(1)
@pytest.mark.skipif(sys.platform != "linux", reason="the bounds are those of Linux")
@pytest.mark.parametrize("backend", ["z3", "cp-sat", "xcover"])
@pytest.mark.parametrize("bound", ["140M", pytest.param("120M", marks=pytest.mark.slow)])
def test_a_library_for_which_memory_is_short_is_told_in_a_line(
    started: Command, backend: str, bound: str
) -> None:
    done = started(
        "solve", "specs/queens/n5.yaml", "--all", "--backend", backend, "--memory", bound
    )
    assert done.returncode in (0, 3), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.sampled(3)  # each is a process
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("puzzlekit solve - <&-", 2, "standard input is closed"),
        (
            "printf 'puzzle: queens\\nsize: 4\\ntitle: \\344\\n' | puzzlekit solve -",
            2,
            "<stdin>:3:8: this is not UTF-8 text (byte 0xE4)",
        ),
        ("printf 'puzzle: queens\\r\\nsize: 4\\r\\n' | puzzlekit solve - --count", 0, ""),
        ("yes 'a: b' | puzzlekit solve -", 2, "a type or spec has at most"),
        ("puzzlekit solve <(cat specs/queens/n4.yaml)", 2, ""),
        (
            f"puzzlekit solve {QUEENS} --all > /dev/full",
            2,
            "cannot write to standard output: No space left on device",
        ),
        ("puzzlekit --help > /dev/full", 2, "cannot write to standard output"),
        ("puzzlekit generate waffle --help > /dev/full", 2, "cannot write to standard output"),
        (
            f"puzzlekit solve {QUEENS} --html /dev/full",
            2,
            "/dev/full: cannot write the file: No space left on device",
        ),
    ],
)
def test_a_line_and_the_right_code(command: str, code: int, said: str) -> None:
    done = shell(command, PYTHONIOENCODING="utf-8:strict")
    error = done.stderr.decode()
    assert (done.returncode, "Traceback" in error) == (code, False), error
    assert said in error


def test_narrow_terminals_show_all(puzzlekit: Command) -> None:
    done = puzzlekit("compare", QUEENS, "--backends", "exact-cover,xcover", COLUMNS="20")
    for part in ("exact-cover", "presolve", "solutions", "complete", "all that finished agree"):
        assert part in done.stdout
    shown = puzzlekit("solve", QUEENS, COLUMNS="0").stdout
    assert "   ·  ♛  ·  ·" in shown and "one solution of several" in shown


def test_a_terminal_gets_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    screen = console(True)
    screen.print("a\x1b[31mred\u202e\nb")
    screen.print(Text("\x1b]0;title\x07"))
    assert capsys.readouterr().out == "a·[31mred·\nb\n·]0;title\n"


def test_a_folder_of_a_types_name_hides_no_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, puzzlekit: Command
) -> None:
    (tmp_path / "queens").mkdir()
    done = puzzlekit("solve", "queens", "--set", "size=4", "--count", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    monkeypatch.chdir(tmp_path)
    assert load("queens", settings={"size": "4"}).count() == 2
