"""What the README, the docs and docstrings show happens: commands and Python are run,
files are quoted as they are.

A tutorial is followed from top to bottom in an empty folder. A block with a title is saved under
it. What stands below a command is what it prints, but for times; a line with `…` stands for any
lines. Where nothing stands below, the command has to succeed.
"""

import doctest
import inspect
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import puzzlekit
from tests.commands import called
from tests.shipped import ROOT

PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PYTHON = ROOT / "docs" / "python.md"
FENCED = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TIMES = re.compile(r" *\b\d+\.\d{1,3}\b")


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of a kind on a page."""
    return [
        text for found, _, text in FENCED.findall(page.read_text(encoding="utf-8")) if found == kind
    ]


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a console block, with what stands below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, printed) for command, _, printed in (part.partition("\n") for part in parts)]


def described(printed: str) -> re.Pattern[str]:
    """What a page shows of an output, as a pattern that the output has to match."""
    lines = [
        ".*?" if line == "…" else re.escape(TIMES.sub("#", line))
        for line in printed.strip("\n").split("\n")
    ]
    return re.compile(
        "\n".join(lines).replace("\n.*?", "(?:\n.*)?").replace(".*?\n", "(?:.*\n)?"), re.DOTALL
    )


def require_printed(command: str, printed: str, folder: Path) -> None:
    """Run a command of a page in a folder: it prints what stands below it."""
    name, *arguments = shlex.split(command)
    if name == "puzzlekit":
        done = called(*arguments, cwd=folder)
    else:
        assert name == "python", name
        options = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": 120}
        done = subprocess.run([sys.executable, *arguments], cwd=folder, **options)
    if not printed.strip():
        assert (done.returncode, done.stderr) == (0, ""), command
    else:
        lines = (line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        found = TIMES.sub("#", "\n".join(lines)).strip("\n")
        assert described(printed).fullmatch(found), f"{command}\n{found}"


SHOWN = dict.fromkeys(
    shown for page in PAGES for text in blocks(page, "console") for shown in commands(text)
)


@pytest.mark.parametrize(("command", "printed"), SHOWN, ids=[command for command, _ in SHOWN])
def test_commands_print_what_a_page_shows(command: str, printed: str) -> None:
    require_printed(command, printed, ROOT)


@pytest.mark.parametrize("page", TUTORIALS, ids=[page.stem for page in TUTORIALS])
def test_a_tutorial_can_be_followed(page: Path, tmp_path: Path) -> None:
    for kind, title, text in FENCED.findall(page.read_text(encoding="utf-8")):
        if title:
            (tmp_path / title).write_text(text, encoding="utf-8")
        for command, printed in commands(text) if kind == "console" else ():
            require_printed(command, printed, tmp_path)


def test_the_tutorials_have_commands_and_no_python_that_is_not_run() -> None:
    found = [
        block for page in TUTORIALS for block in FENCED.findall(page.read_text(encoding="utf-8"))
    ]
    run = [command for kind, _, text in found if kind == "console" for command, _ in commands(text)]
    assert len(run) > 25
    assert {title for kind, title, _ in found if kind == "python"} <= {
        command.split()[1] for command in run
    }


@pytest.mark.parametrize(
    ("printed", "found", "same"),
    [
        *(
            ("a\n…\nd", "a\nb\nc\nd", True),
            ("a\n…\nd", "a\nd", True),
            ("a\n…", "a\nb", True),
            ("…\nb", "a\nb", True),
        ),
        *(("…\nb", "b", True), ("0.12 s", "# s", True)),
        *(
            ("a\n…\nd", "a\nb", False),
            ("a", "a\nb", False),
            ("…\nb", "ab", False),
            ("a\n…", "ab", False),
        ),
    ],
)
def test_a_line_of_dots_stands_for_any_lines_and_others_for_themselves(
    printed: str, found: str, same: bool
) -> None:
    assert bool(described(printed).fullmatch(found)) is same


QUOTED = {"README.md": ("magic_square", "magic_square_4"), "docs/language.md": ("latin", "latin_3")}


@pytest.mark.parametrize(
    ("page", "name"), [(page, name) for page, names in QUOTED.items() for name in names]
)
def test_files_are_quoted_whole(page: str, name: str) -> None:
    assert (ROOT / "examples" / f"{name}.yaml").read_text(encoding="utf-8") in blocks(
        ROOT / page, "yaml"
    )


def test_specs_are_quoted_without_what_they_expect() -> None:
    quoted = blocks(ROOT / "docs/wordle.md", "yaml")
    specs = [path.read_text(encoding="utf-8") for path in (ROOT / "specs").glob("*wordle*/*.yaml")]
    assert len(quoted) == 3
    assert all(any(spec.startswith(text + "expect:") for spec in specs) for text in quoted)


HOW_DO_I = (ROOT / "docs" / "how-do-i.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"From\s`(\w+)`:\n\n```yaml\n(.*?)```", HOW_DO_I, re.DOTALL)


def lines(text: str) -> list[str]:
    """The lines without comments, indentation and empty lines."""
    return [
        line
        for line in (re.sub(r"\s{2,}#.*", "", line).strip() for line in text.splitlines())
        if line
    ]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_stands_in_its_type(name: str, example: str) -> None:
    shipped = lines((ROOT / "puzzles" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert [line for line in lines(example) if line not in shipped] == []


def test_there_are_twenty_questions_with_an_example_each() -> None:
    assert HOW_DO_I.count("\n### …") == len(EXAMPLES) == HOW_DO_I.count("```yaml") == 20


def test_the_python_of_the_readme_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (script,) = blocks(ROOT / "README.md", "python")
    monkeypatch.chdir(ROOT)
    exec(script, {})
    found = capsys.readouterr()
    assert found.err == ""
    assert "{'words': ['kivi'], 'cells': ['r1c3', 'r2c3', 'r2c2', 'r3c3']}" in found.out


def test_the_python_of_the_docs_gives_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(
        "\n".join(blocks(PYTHON, "pycon")), {}, PYTHON.name, str(PYTHON), 0
    )
    assert len(test.examples) >= 15
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_the_python_page_names_what_is_exported() -> None:
    text = FENCED.sub("", PYTHON.read_text(encoding="utf-8"))
    named = {*re.findall(r"`([\w.]+)", text)}
    assert [name for name in puzzlekit.__all__ if not {name, f"puzzlekit.{name}"} & named] == []


def test_the_python_page_names_the_methods_of_a_puzzle() -> None:
    text = PYTHON.read_text(encoding="utf-8")
    asked = {
        name
        for name, method in inspect.getmembers(puzzlekit.Puzzle, inspect.isfunction)
        if "clock" in inspect.signature(method).parameters and not name.startswith("_")
    }
    assert len(asked) >= 10
    assert [name for name in asked if f"| `{name}(" not in text] == []


def test_what_the_python_page_imports_to_extend_is_there() -> None:
    section = PYTHON.read_text(encoding="utf-8").split("## Extend puzzlekit")[1].split("\n## ")[0]
    rows = [
        row.split("|")[2]
        for row in section.splitlines()
        if row.startswith("| ") and " from `" in row
    ]
    imported = 0
    for names, module in re.findall(r"([^;]*?) from `(puzzlekit[\w.]*)`", "; ".join(rows)):
        for name in re.findall(r"`(\w+)`", names):
            assert hasattr(import_module(module), name), f"{module} has no {name}"
            imported += 1
    assert imported >= 8


FILES = {  # the modules with examples, by file
    path: ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
    for folder in (ROOT, *sorted((ROOT / "plugins").iterdir()))  # of packages
    for path in sorted(folder.glob("puzzlekit*/**/*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
}


@pytest.mark.parametrize("name", FILES.values())
def test_docstrings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed
