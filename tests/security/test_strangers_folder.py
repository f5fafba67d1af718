"""A folder of a stranger runs nothing and configures nothing: no command opens,
loads or runs what lies there.

Both judges see every program and process that a command starts. Where strace may not be used
(PUZZLEKIT_STRACE=required makes that an error) inotify still sees what is opened, and the traps
write down that they were run.
"""

import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from puzzlekit.backends import BACKENDS
from tests.security.judges import ROOT, Seen, strace, watched
from tests.security.stranger import FILES, Stranger
from tests.security.traps import BEFORE_US, lay_modules, module_names


def sees_nothing(seen: Seen) -> None:
    assert not seen.executed, f"run: {sorted(seen.executed)}"
    assert not seen.opened, f"opened: {sorted(seen.opened)}"
    assert not seen.looked_for, f"looked for: {sorted(seen.looked_for)}"


ALL_AGREE = f"agree ({len(BACKENDS)} of {len(BACKENDS)})"
# what a person types in the stranger's folder: what it must print,
# so that it is known to have done its work
COMMANDS = {
    "compare six.yaml": ALL_AGREE,
    "solve six.yaml --svg ../out/six.svg --html ../out/six.html": "♛",
    "solve six.yaml --backend xcover --count": "4",
    "solve high.yaml --limit 1 --json": '"backend": "cp-sat"',  # auto goes there, as sat refuses it
    "check six.yaml stranger.yaml high.yaml": "as expected",
    "hint six.yaml": "queen",
    "explain six.yaml --html ../out/steps.html": "there are several solutions",
    "solve six.yaml --why": "There are several solutions",
    "rate six.yaml": "several solutions",
    "batch six.yaml --workers 1 --out ../out/results.jsonl": "several",
    "list": "waffle",
    "list loops": "slitherlink",
    "new spec stranger.yaml": "puzzlekit check compares",
    "schema stranger.yaml": "height: int",
    "examples queens": "n4.yaml",
    "show stranger.yaml": "the height",
    "words list.txt alpha": "in list.txt",
    "fetch waffle board.json": "letters: |",
    "generate queens": "queens has no field whose parts may be empty",
    "generate stranger": "stranger has no field whose parts may be empty",
    "fetch stranger board.json": "there is no such puzzle type",
    "generate sanalouhos --seed 1": "words: finnish",
    "--version": ".",
    "--help": "puzzles",
}


LONG = {
    **{
        f"solve six.yaml --backend {name} {asked}": ""
        for name in BACKENDS
        for asked in ("--all", "--count", "--memory 4G")
    },
    **{
        f"check six.yaml high.yaml --backend {name} --timeout 60": "as expected"
        for name in BACKENDS
    },
    "compare six.yaml --all --memory 4G": ALL_AGREE,
    "solve stranger.yaml --set height=3 --limit 1": "z3",
    "solve six.yaml --sample 2 --seed 1": "♛",
    "solve six.yaml --backbone": "4",
    "solve queens six.yaml --lexicon list.txt": "no field of type lexicon",
    "words": "finnish",
    "words french chat": "in french",
    "words finnish kissa --fold-accents": "in finnish",
    "words english+list.txt alpha": "in english",
    "generate waffle --seed 1": "letters",
    "generate waffle --seed 1 --html ../out/waffle.html --out ../out/waffles": "waffle",
    "generate waffle --help": "--seed",
    "show waffle": "colours",
    "check puzzles/waffle.yaml": "a valid type",
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "line", [*COMMANDS, *(pytest.param(line, marks=pytest.mark.slow) for line in LONG)]
)
def test_a_command_in_the_folder_of_a_stranger_touches_nothing_else_there(
    stranger: Stranger, line: str
) -> None:
    seen = stranger.run(*line.split())
    sees_nothing(seen)
    assert {**LONG, **COMMANDS}[line] in seen.output, seen.output
    assert "cannot be loaded" not in seen.output


def test_a_document_is_typeset_there_and_touches_nothing_else(stranger: Stranger) -> None:
    document = stranger.out / "six.pdf"
    seen = stranger.run(
        "draw", "six.yaml", "--solutions", "--png", "../out/six.png", "--pdf", "../out/six.pdf"
    )
    sees_nothing(seen)
    assert document.read_bytes().startswith(b"%PDF"), seen.output


def test_a_chart_is_drawn_there_and_is_not_configured_by_it(stranger: Stranger) -> None:
    """By default, matplotlib reads `matplotlibrc` in the current folder."""
    pytest.importorskip("matplotlib")
    (stranger.here / "matplotlibrc").write_text("svg.hashsalt: stranger\nlines.color: red\n")
    sees_nothing(
        stranger.run("compare", "six.yaml", "--backends", "sat,dlx", "--svg", "../out/six.svg")
    )
    assert "seconds" in (stranger.out / "six.svg").read_text()


def test_nor_does_one_that_is_given_a_spec_in_another_folder(stranger: Stranger) -> None:
    seen = stranger.run(
        "solve", str(stranger.here / "high.yaml"), "--limit", "1", cwd=stranger.elsewhere
    )
    assert "cp-sat" in seen.output
    sees_nothing(seen)


def test_nor_is_a_fetcher_run_that_lies_beside_a_type_on_the_path(stranger: Stranger) -> None:
    on_path = replace(
        stranger,
        environment={**stranger.environment, "PUZZLEKIT_PATH": str(stranger.here / "puzzles")},
    )
    seen = on_path.run("fetch", "waffle", "board.json")
    sees_nothing(seen)
    assert "letters: |" in seen.output


def test_nor_one_that_reads_standard_input(stranger: Stranger) -> None:
    seen = stranger.run("solve", "-", "--backend", "cp-sat", stdin=FILES["six.yaml"])
    assert "♛" in seen.output
    sees_nothing(seen)


def test_nor_one_that_fetches_from_the_web(stranger: Stranger) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(FILES["board.json"].encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        seen = stranger.run("fetch", "waffle", f"http://127.0.0.1:{server.server_port}/board.json")
    finally:
        server.shutdown()
        server.server_close()
    assert "letters: |" in seen.output
    sees_nothing(seen)


def test_python_that_is_told_so_takes_no_module_from_the_current_folder(stranger: Stranger) -> None:
    """`python -P -m puzzlekit`, as docs/security.md says."""
    seen = stranger.run("solve", "six.yaml", python=("-P", "-m", "puzzlekit"))
    assert "♛" in seen.output
    sees_nothing(seen)


def test_python_dash_m_takes_none_once_puzzlekit_runs(stranger: Stranger, tmp_path: Path) -> None:
    """Before that it is Python that looks there, and that is what BEFORE_US names."""
    marker = tmp_path / "run"
    folder = tmp_path / "modules"
    folder.mkdir()
    lay_modules(folder, marker, module_names() - BEFORE_US - {"puzzlekit"})
    command = [
        sys.executable,
        "-m",
        "puzzlekit",
        "solve",
        str(stranger.here / "six.yaml"),
        "--backend",
        "z3",
    ]
    seen = watched(command, folder, (), tmp_path / "strace", stranger.environment)
    assert "♛" in seen.output
    assert not marker.exists(), marker.read_text()


def test_a_process_that_is_not_forked_takes_none_either(stranger: Stranger) -> None:
    """Where there is no fork, a worker is a Python that would look in the current folder."""
    script = stranger.out / "fresh.py"
    script.write_text(
        "import puzzlekit.cli, puzzlekit.processes.worker_process as workers\n"
        "workers.FORKS = False\n"
        "if __name__ == '__main__':\n    puzzlekit.cli.main()\n"
    )
    seen = stranger.run("compare", "six.yaml", "--backends", "dlx,csp", python=(str(script),))
    sees_nothing(seen)
    assert "agree (2 of 2)" in seen.output, seen.output


def test_highs_is_loaded_without_a_look_at_the_current_folder(stranger: Stranger) -> None:
    """The RUNPATH of ortools' libhighs is the current folder.

    Most often numpy has loaded before what it needs: not here.
    """
    script = (
        "import ctypes, glob, os, runpy, sys; runpy.run_path(sys.argv[1]); import ortools;"
        "[ctypes.CDLL(name) for name in glob.glob(os.path.dirname(ortools.__file__) + "
        "'/.libs/libhighs*')]; print('loaded')"
    )
    seen = stranger.run(
        str(ROOT / "puzzlekit" / "backends" / "library_paths.py"), python=("-P", "-c", script)
    )
    sees_nothing(seen)
    assert "loaded" in seen.output


def test_the_judges_see_what_is_taken(stranger: Stranger) -> None:
    """A program that opens a file, looks for one,
    imports a module and loads a library is seen to do each.
    """
    script = (
        "import os, ctypes, sys; os.path.exists('gone'); open('pip.conf'); "
        "ctypes.CDLL('./libz3.so');"
        "sys.path.insert(0, ''); import jieba"
    )
    seen = stranger.run(python=("-P", "-c", script))
    assert {"pip.conf", "libz3.so", "jieba.py"} <= seen.opened
    assert "jieba" in seen.executed
    assert strace() is None or {"gone", "pip.conf", "libz3.so", "jieba.py"} <= seen.looked_for
