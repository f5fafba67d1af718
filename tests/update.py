"""Write what is printed now into pages, docstrings and golden files.

    python -m tests.update [WORD]

Only files with WORD in their path are written, all without one. Tests compare console blocks of
pages, examples of docstrings and golden files with what is printed; `git diff` shows what changed.
"""

import doctest
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tests.commands import ROOT, called
from tests.docs.test_examples import (
    FENCED,
    FILES,
    PAGES,
    PYTHON,
    TIMES,
    TUTORIALS,
    commands,
    described,
)
from tests.golden_files import GOLDEN, TEXTS, golden_text


def refreshed(shown: str, printed: str) -> str:
    """Return what a page should show of an output.

    Lines that differ only in times stay; `…` stands for as many lines as before.
    """
    old, new = shown.strip("\n").split("\n"), printed.split("\n")
    if "…" in old:
        head, tail = old.index("…"), old[::-1].index("…")
        new = [*new[:head], "…", *new[len(new) - tail :]]
    same = {TIMES.sub("#", line): line for line in old}
    blank = "\n" if shown.endswith("\n\n") else ""
    return "\n".join(same.get(TIMES.sub("#", line), line) for line in new) + "\n" + blank


def console(block: str, folder: Path) -> str:
    """Return a console block with what its commands print now.

    Commands without an output below them are not run.
    """
    for command, shown in commands(block):
        program, *arguments = shlex.split(command)
        if program != "puzzlekit" or not shown.strip():
            continue
        done = called(*arguments, cwd=folder)
        lines = (line.rstrip() for line in (done.stdout + done.stderr).splitlines())
        printed = "\n".join(lines).strip("\n")
        if not described(shown).fullmatch(TIMES.sub("#", printed)):
            block = block.replace(shown, refreshed(shown, printed))
    return block


def page(path: Path) -> str:
    """Return the text of a page with what its commands print now.

    The commands of a tutorial run in a folder of their own.
    """

    def fenced(match: re.Match[str]) -> str:
        language, title, text = match.groups()
        if title and path in TUTORIALS:
            (folder / title).write_text(text, encoding="utf-8")
        return match[0].replace(text, console(text, folder)) if language == "console" else match[0]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) if path in TUTORIALS else ROOT
        return FENCED.sub(fenced, path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Difference:
    """An example whose output is another one than it shows."""

    indent: int
    source: str
    shown: str
    printed: str

    def mended(self, text: str) -> str:
        """Return a text with what the example prints now."""
        source = "".join(
            f"{' ' * self.indent}{'...' if number else '>>>'} {line}\n"
            for number, line in enumerate(self.source.splitlines())
        )
        return text.replace(
            source + self._indented(self.shown), source + self._indented(self.printed)
        )

    def _indented(self, text: str) -> str:
        lines = (f"{' ' * self.indent}{line}".rstrip() for line in text.splitlines())
        return "".join(f"{line}\n" for line in lines)


class Collector(doctest.DocTestRunner):
    """Collects the differences of examples instead of printing them."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.differences: list[Difference] = []

    def report_failure(
        self, out: object, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        self.differences.append(Difference(example.indent, example.source, example.want, got))


def docstrings(path: Path) -> str:
    """Return the text of a module with what the examples of its docstrings print now."""
    return _mended(path, doctest.DocTestFinder().find(import_module(FILES[path])))


def examples(path: Path) -> str:
    """Return the text of a page with what its Python examples print now."""
    text = path.read_text(encoding="utf-8")
    blocks = "\n".join(block for language, _, block in FENCED.findall(text) if language == "pycon")
    return _mended(path, [doctest.DocTestParser().get_doctest(blocks, {}, path.name, None, 0)])


def _mended(path: Path, tests: list[doctest.DocTest]) -> str:
    collector = Collector()
    for test in tests:
        collector.run(test, out=lambda _: None)
    text = path.read_text(encoding="utf-8")
    for difference in collector.differences:
        text = difference.mended(text)
    return text


def sources() -> Iterator[tuple[Path, Callable[[Path], str]]]:
    """Yield the files that show what is printed, each with the function that returns its text."""
    for path in (*PAGES, *TUTORIALS):
        yield path, page
    yield PYTHON, examples
    for path in FILES:
        yield path, docstrings
    for name in TEXTS:
        yield GOLDEN / name, lambda path: golden_text(path.name)


def main(word: str = "") -> None:
    """Write the files with a word in their path anew."""
    for path, text_of in sources():
        relative = str(path.relative_to(ROOT))
        if word not in relative:
            continue
        text = text_of(path)
        if not path.exists() or text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            print("updated", relative)


if __name__ == "__main__":
    main(*sys.argv[1:])
