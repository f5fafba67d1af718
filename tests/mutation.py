"""Wrong on purpose: does a test notice when a line of the package is broken?

`mutmut` breaks one expression at a time of a module, on its syntax tree, in a copy of the checkout
in a temporary folder, and runs the tests that are about this module until one fails. The modules
are those where a wrong line costs or invents solutions.

python -m tests.mutation [part of a module's path …]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("plugins", "puzzlekit", "puzzles", "specs", "tests", "benchmarks", "pyproject.toml")
CHILDREN = os.environ.get("MUTATION_CHILDREN", "2")
MEANING, NODES = "tests/model", "tests/backends/test_nodes.py"
PASSES = tuple(
    f"tests/presolve/test_{name}.py"
    for name in ("pass_equivalence", "normalise", "literals", "counts")
)
LISTING, DECODER = "tests/backends/test_listing.py", "tests/presolve/test_cover_decoder.py"
ON_COVERS = (
    NODES,
    LISTING,
    DECODER,
    PASSES[0],
    "-k",
    "exact-cover] or listing or decoder or same_covered",
)
ON_SAT = (NODES, "tests/backends/test_sat.py", "-k", "-sat] or test_sat")

TESTS: dict[str, tuple[str, ...]] = {
    "model/terms.py": (MEANING,),
    "model/structures.py": (MEANING,),
    "model/model.py": (MEANING, *PASSES),
    "model/graphs.py": ("tests/model/test_graphs.py",),
    "model/term_keys.py": ("tests/model/test_term_keys.py",),
    "presolve/normal_form.py": PASSES,
    "presolve/rewrites.py": ("tests/presolve/test_required_values.py", *PASSES),
    "presolve/vector_eval.py": (*PASSES, "tests/presolve/test_tables.py"),
    "lowering/flattening.py": (
        PASSES[0],
        *ON_SAT[:-1],
        f"{ON_SAT[-1]} or same_flattened or same_decomposed",
    ),
    "lowering/cover.py": ON_COVERS,
    "lowering/cover_decoder.py": ON_COVERS,
    "backends/cover_search.py": ON_COVERS,
    "backends/cover_frontier.py": ON_COVERS,
    "backends/cover_blocks.py": ON_COVERS,
    "backends/clauses.py": ON_SAT,
    "backends/pb_encodings.py": ON_SAT,
    "backends/clause_tables.py": ON_SAT,
}
CONFIGURATION = """
[tool.mutmut]
source_paths = ["puzzlekit"]
only_mutate = ["puzzlekit/{module}"]
also_copy = {copied}
pytest_add_cli_args_test_selection = {tests}
process_isolation = "forkserver"
pytest_add_cli_args = ["-x", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
"""
OUTCOMES = {0: "survived", 1: "killed", 3: "killed", 5: "not reached", 33: "not reached"}


def outcomes(module: str, folder: Path) -> dict[str, str]:
    """What became of each mutant of a module: killed, survived, not reached,
    or stopped by the bound on its time.
    """
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(ROOT / name, folder / name)
    values = {"module": module, "copied": json.dumps(COPIED), "tests": json.dumps(TESTS[module])}
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(CONFIGURATION.format_map(values))
    done = mutmut(folder, "run", "--max-children", CHILDREN)
    results = folder / "mutants" / "puzzlekit" / f"{module}.meta"
    if done.returncode or not results.exists():
        raise SystemExit(
            f"{done.stdout[-2_000:]}{done.stderr[-2_000:]}\n"
            f"{module}: nothing is broken yet, and the tests fail"
        )
    codes = json.loads(results.read_text(encoding="utf-8"))["exit_code_by_key"]
    return {name: OUTCOMES.get(code, "stopped") for name, code in codes.items()}


def mutmut(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], cwd=folder, capture_output=True, text=True
    )


def survivors(found: dict[str, str], folder: Path) -> Iterator[str]:
    """What each mutant changes that no test noticed."""
    for name, outcome in found.items():
        if outcome == "survived":
            changed = mutmut(folder, "show", name).stdout.splitlines()
            yield "\n".join(
                [
                    f"  {name}",
                    *(
                        line
                        for line in changed
                        if line[:1] in "+-" and line[:3] not in ("+++", "---")
                    ),
                ]
            )


def main(wanted: Sequence[str]) -> None:
    for module in TESTS:
        if not wanted or any(word in module for word in wanted):
            with tempfile.TemporaryDirectory() as folder:
                found = outcomes(module, Path(folder))
                numbers = sorted(Counter(found.values()).items())
                counts = ", ".join(f"{number} {outcome}" for outcome, number in numbers)
                print(f"{module}: {counts}", flush=True)
                print(*survivors(found, Path(folder)), sep="\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
