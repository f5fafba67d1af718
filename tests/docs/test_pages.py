"""Pages are what the scripts make that write them, their links lead somewhere,
and the names on them are there.
"""

import json
import re
import runpy
from pathlib import Path

import pytest

from puzzlekit.backends import BACKENDS
from puzzlekit.links.codecs import CODECS
from puzzlekit.links.section import LAYERS
from puzzlekit.links.tokens import TOKENS
from tests.shipped import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
COLUMNS = 100
TABLE = runpy.run_path(str(ROOT / "docs" / "type_table.py"))


def present(name: str) -> str:
    """The text of a file of docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts form them."""
    lines = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in lines}


def test_links_lead_to_files_and_headings(subtests: pytest.Subtests) -> None:
    for page, name in zip(PAGES, NAMES):
        with subtests.test(name):
            links_lead_to_files_and_headings(page)


def links_lead_to_files_and_headings(page: Path) -> None:
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = page.parent / path if path else page
        assert target.exists(), f"{link}: there is no such file"
        assert not anchor or anchor in headings(target), f"{link}: there is no such heading"


def test_pages_have_links() -> None:
    assert sum(len(LINK.findall(page.read_text(encoding="utf-8"))) for page in PAGES) > 60


def test_lines_are_at_most_a_hundred_columns(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name):
            text = FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))
            lines = [line for line in text.splitlines() if not line.startswith("|")]
            assert [line for line in lines if len(line) > COLUMNS] == []


def test_the_table_of_links_is_what_its_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "link_table.py"))
    assert present("links.md") == made["page"](), "run `python docs/link_table.py`"


def test_the_page_of_types_lists_each_with_what_was_measured() -> None:
    page = TABLE["page"]()
    names = sorted(path.stem for path in (ROOT / "puzzles").glob("*.yaml"))
    assert sorted(re.findall(r"\]\(\.\./puzzles/(\w+)\.yaml\)", page)) == names
    known = json.loads(present("published.json"))["types"]
    assert sorted(known) == names, "run `python docs/type_table.py`"
    assert all(f" | {' | '.join(row)} |\n" in page for row in known.values())
    assert (
        "| [Sudoku](../puzzles/sudoku.yaml) | number_place | " in page
        and f"\n{len(names)} types" in page
    )


def test_lines_of_values_and_rules_are_counted() -> None:
    text = (
        "puzzle: x\nlet:\n  a: 1  # one\n\n  # no line\nrules:\n  b: |\n    a\n    == 1\nshow: x\n"
    )
    assert TABLE["lines_of"](text) == 4


def test_each_backend_has_a_row_in_each_table_of_backends() -> None:
    section = present("backends.md").split("## The backends")[1].split("\n## ")[0]
    headers = ("| name | library | installed by |", "| name | lists |", "| name | loops,")
    for header in headers:
        table = section.split(header)[1].split("\n\n")[0]
        names = []
        for row in table.splitlines()[2:]:
            names += re.findall(r"`([\w-]+)`", row.split(" | ")[0])
        assert sorted(names) == sorted(BACKENDS), header


def test_every_layer_of_a_link_is_described() -> None:
    text = present("links.md").split("The layers:")[1]
    assert [name for name in (*LAYERS, *CODECS, *TOKENS) if f"`{name}`" not in text] == []


def test_the_name_on_the_index_is_another_project() -> None:
    for page in PAGES:
        assert not re.search(
            r"pip install '?puzzlekit(?!-yaml)", page.read_text(encoding="utf-8")
        ), page


def test_each_test_that_the_page_of_security_names_is_there() -> None:
    named, path = 0, ""
    for file, test in re.findall(
        r"`(tests/[\w/]+\.py)?(?:::(test_\w+))?`(?!`)", present("security.md")
    ):
        if file or test:
            path = file or path
            assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), (
                f"{path} has no {test}"
            )
            named += bool(test)
    assert named > 25
