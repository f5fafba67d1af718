"""Other solvers: each takes the path of an exported file and returns what it prints."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Cadical195
from xcover.io import read_xcover_from_file
from xcover.solvers import covers

SECONDS = 60
HIGHS = """
import sys
from highspy import Highs

solver = Highs()
solver.silent()
solver.readModel(sys.argv[1])
solver.run()
solver.writeSolution(sys.argv[2], 0)
"""
MINIZINC = shutil.which("minizinc")  # no wheel brings it


def program(package: str, name: str) -> str | None:
    """A program that the wheel of a package brings, or one of the machine."""
    try:
        found = next(
            path for path in files(package) or () if path.name == name and "bin" in path.parts
        )
        return str(found.locate())
    except (PackageNotFoundError, StopIteration):
        return shutil.which(name)


def run(*command: str) -> str:
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    ).stdout


def kissat(path: Path) -> str:
    return run(program("passagemath-kissat", "kissat") or "kissat", "-q", str(path))


def cadical(path: Path) -> str:
    """The library of CaDiCaL, which prints nothing itself: as its program would."""
    with Cadical195(bootstrap_with=CNF(from_file=str(path))) as solver:
        return _answer(solver.solve() and solver.get_model())


def rc2(path: Path) -> str:
    with RC2(WCNF(from_file=str(path))) as solver:
        found = solver.compute()
        return (
            f"o {solver.cost}\n{_answer(found, 'OPTIMUM FOUND')}" if found else "s UNSATISFIABLE\n"
        )


def _answer(literals: Sequence[int] | None, status: str = "SATISFIABLE") -> str:
    return f"s {status}\nv {' '.join(map(str, literals))} 0\n" if literals else "s UNSATISFIABLE\n"


def clasp(path: Path) -> str:
    return run(sys.executable, "-m", "clingo", "--mode=clasp", str(path))


def clingo(path: Path) -> str:
    return run(sys.executable, "-m", "clingo", str(path), "--warn=none")


def clingo_json(path: Path) -> str:
    return run(sys.executable, "-m", "clingo", str(path), "--warn=none", "--outf=2")


def z3(path: Path) -> str:
    return run(program("z3-solver", "z3") or "z3", str(path))


def highs(path: Path) -> str:
    """In a process of its own: its library and that of cp-sat do not bear each other."""
    out = path.with_suffix(".sol")
    run(sys.executable, "-c", HIGHS, str(path), str(out))
    return out.read_text()


def xcover(path: Path) -> str:
    """The options of the first cover, as lines of the file."""
    options, primary, secondary, _ = read_xcover_from_file(str(path))
    found = (
        next(covers(options, primary=primary, secondary=secondary, colored=True), None)
        if options
        else None
    )
    return (
        "Altogether 0 solutions\n"
        if found is None
        else "".join(f"{' '.join(options[place])}\n" for place in found)
    )


def minizinc(path: Path) -> str:
    return run("minizinc", "--solver", os.environ.get("MINIZINC_SOLVER", "gecode"), str(path))


# format → suffix of its files, and the solvers that read it
SOLVERS: dict[str, tuple[str, tuple[Callable[[Path], str], ...]]] = {
    "dimacs": (".cnf", (kissat, cadical, clasp)),
    "wcnf": (".wcnf", (rc2,)),
    "opb": (".opb", (clasp,)),
    "lp": (".lp", (highs,)),
    "smt2": (".smt2", (z3,)),
    "asp": (".lp", (clingo, clingo_json)),
    "xcc": (".xcc", (xcover,)),
    "mzn": (".mzn", (minizinc,)),
}
