"""Write into pages and docstrings what their commands and examples print now: `python
docs/update.py [WORD IN THE NAME]`.
"""

import doctest
import re
import sys
import tempfile
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.commands import ROOT, called
from tests.docs.test_examples import FENCED, PAGES, TIMES, TUTORIALS, described


def refreshed(printed: str, found: str) -> str:
    """Return what a page should show: lines that differ only in times stay;
    `…` stands for as much as before.
    """
    old, new = printed.strip("\n").split("\n"), found.split("\n")
    if "…" in old:
        head, tail = old.index("…"), old[::-1].index("…")
        new = [*new[:head], "…", *new[len(new) - tail :]]
    same = dict(zip((TIMES.sub("#", line) for line in old), old))
    return "\n".join(same.get(TIMES.sub("#", line), line) for line in new) + "\n"


def page(path: Path, folder: Path) -> str:
    """Return the text of a page with what its commands print now."""

    def block(match: re.Match[str]) -> str:
        kind, title, text = match.groups()
        if title:
            (folder / title).write_text(text, encoding="utf-8")
        if kind != "console":
            return match[0]
        for command, _, printed in (
            part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        ):
            name, *arguments = __import__("shlex").split(command)
            if name == "puzzlekit" and printed.strip():
                done = called(*arguments, cwd=folder)
                found = "\n".join(
                    line.rstrip() for line in (done.stdout + done.stderr).splitlines()
                ).strip("\n")
                if not described(printed).fullmatch(TIMES.sub("#", found)):
                    end = "\n" if printed.endswith("\n\n") else ""
                    text = text.replace(printed, refreshed(printed, found) + end)
        return match[0].replace(match[3], text)

    return FENCED.sub(block, path.read_text(encoding="utf-8"))


class Wants(doctest.DocTestRunner):
    """Notes what examples give instead of what they show."""

    def report_failure(self, out, test, example, got):
        changes.append(
            (
                test.filename,
                test.lineno + example.lineno,
                example.indent,
                example.source,
                example.want,
                got,
            )
        )


changes: list[tuple] = []
wanted = sys.argv[1] if len(sys.argv) > 1 else ""
for path in [*PAGES, *TUTORIALS]:
    if wanted in str(path):
        with tempfile.TemporaryDirectory() as folder:
            text = page(path, Path(folder) if path in TUTORIALS else ROOT)
        if text != path.read_text(encoding="utf-8"):
            print("updated", path.relative_to(ROOT))
            path.write_text(text, encoding="utf-8")
for path in sorted((ROOT / "puzzlekit").rglob("*.py")):
    if wanted in str(path) and ">>> " in path.read_text(encoding="utf-8"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for test in doctest.DocTestFinder().find(import_module(name)):
            Wants(verbose=False).run(test, out=lambda _: None)
for file, _, indent, _, want, got in changes:
    text = Path(file).read_text(encoding="utf-8")
    old, new = (
        "".join(f"{' ' * indent}{line}\n" for line in own.splitlines()) for own in (want, got)
    )
    Path(file).write_text(text.replace(old, new, 1), encoding="utf-8")
    print("updated", file)
