"""Which lines of the package the fast tests run, as a table by package: `make coverage`.

    python -m tests.coverage [ARGUMENTS OF PYTEST]

The tests run in one process. Commands that they start are measured, too; a process that is killed
leaves no numbers.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from coverage import Coverage

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "puzzlekit"


def package_of(path: str) -> str:
    """The folder of a module below puzzlekit/, one level deep; the package itself for others."""
    folders = Path(path).relative_to(PACKAGE).parts[:-1]
    return f"puzzlekit.{folders[0]}" if folders else "puzzlekit"


def lines_by_package(measured: Coverage) -> tuple[Counter[str], Counter[str]]:
    """The number of statements of each package, and of those that did not run."""
    statements, missed = Counter[str](), Counter[str]()
    for path in measured.get_data().measured_files():
        _, lines, _, not_run, _ = measured.analysis2(path)
        statements[package_of(path)] += len(lines)
        missed[package_of(path)] += len(not_run)
    return statements, missed


def table(statements: Counter[str], missed: Counter[str]) -> Iterator[str]:
    """A row for each package, and one for all."""
    yield f"{'package':<24}{'lines':>8}{'not run':>9}{'run':>8}"
    rows = [(name, statements[name], missed[name]) for name in sorted(statements)]
    for name, lines, not_run in (*rows, ("all", statements.total(), missed.total())):
        share = 100 * (lines - not_run) / lines if lines else 100
        yield f"{name:<24}{lines:>8,}{not_run:>9,}{share:>7.1f}%"


def main(arguments: list[str]) -> int:
    measured = Coverage(config_file=str(ROOT / "pyproject.toml"))
    measured.erase()
    command = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-p", "no:xdist"]
    code = subprocess.run([*command, *arguments], cwd=ROOT, check=False).returncode
    measured.combine()
    print(*table(*lines_by_package(measured)), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
