"""What the README and the docs say happens: commands and Python are run, files are quoted as they are."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import puzzlekit
from tests.commands import called

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").glob("*.md"))
WIDE = ROOT / "docs" / "performance.md"  # tables of measurements
PYTHON = ROOT / "docs" / "python.md"
FENCED = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
COLUMNS = 100


def blocks(name: str, kind: str) -> list[str]:
    """The fenced blocks of a kind on a page."""
    return [text for found, text in FENCED.findall((ROOT / name).read_text(encoding="utf-8")) if found == kind]


def transcript() -> list[tuple[str, str]]:
    """Each command in a `console` block, with what is printed under it."""
    found = {}
    for page in PAGES:
        for text in blocks(str(page), "console"):
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                found[command, printed] = None
    return list(found)


def without_times(text: str) -> str:
    """The text with every time in seconds taken out: they differ from run to run."""
    return re.sub(r"\d+\.\d\d s", "# s", re.sub(r"\b\d+\.\d{3}\b", "#", text)).strip()


@pytest.mark.parametrize(("command", "printed"), transcript(), ids=[command for command, _ in transcript()])
def test_commands_print_what_the_readme_shows(command: str, printed: str) -> None:
    name, *arguments = shlex.split(command)
    assert name == "puzzlekit"
    done = called(*arguments)
    assert without_times(done.stdout + done.stderr) == without_times(printed)


@pytest.mark.parametrize(
    ("page", "path"),
    [
        ("README.md", "examples/magic_square.yaml"),
        ("README.md", "examples/magic_square_4.yaml"),
        ("docs/language.md", "examples/latin.yaml"),
        ("docs/language.md", "examples/latin_3.yaml"),
    ],
)
def test_files_are_quoted_whole(page: str, path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") in blocks(page, "yaml")


def test_specs_are_quoted_without_what_they_expect() -> None:
    quoted = blocks("docs/wordle.md", "yaml")
    specs = [path.read_text(encoding="utf-8") for path in (ROOT / "specs").glob("*wordle*/*.yaml")]
    assert len(quoted) == 3
    assert all(any(spec.startswith(text + "expect:") for spec in specs) for text in quoted)


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = blocks("README.md", "python")
    monkeypatch.chdir(ROOT)
    exec(script, {})
    found = capsys.readouterr()
    assert found.err == ""
    assert "{'words': ['kivi'], 'cells': ['r1c3', 'r2c3', 'r2c2', 'r3c3']}" in found.out


def test_the_python_of_the_docs_gives_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    session = "\n".join(blocks("docs/python.md", "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, PYTHON.name, str(PYTHON), 0)
    assert len(test.examples) >= 15
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


def test_the_python_page_names_what_is_exported() -> None:
    text = PYTHON.read_text(encoding="utf-8")
    errors = [name for name in puzzlekit.__all__ if isinstance(getattr(puzzlekit, name), type)]
    missing = [name for name in errors if issubclass(getattr(puzzlekit, name), Exception) and f"`{name}`" not in text]
    assert not missing
    for method in ("solve", "count", "best", "sample", "run"):
        assert f"| `{method}(" in text and hasattr(puzzlekit.Puzzle, method)


def test_the_name_on_the_index_is_another_project() -> None:
    for path in ROOT.rglob("*.md"):
        if not any(part.startswith(".") for part in path.relative_to(ROOT).parts):
            assert not re.search(r"pip install '?puzzlekit(?!-yaml)", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("page", [page for page in PAGES if page != WIDE], ids=lambda page: page.stem)
def test_lines_are_at_most_a_hundred_columns(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    assert [line for line in text.splitlines() if len(line) > COLUMNS and not line.startswith("|")] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for link, heading in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", text):
        target = page.parent / link if link else page
        assert target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", found).lower().replace(" ", "-") for found in headings}, heading
