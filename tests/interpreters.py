"""Prove the Python versions that `pyproject.toml` names: each builds, installs and runs the wheel.

`python -m tests.interpreters` (`make interpreters`) looks for each version in PATH and among the
versions of pyenv. With an interpreter it builds the wheel, installs it with its dependencies into a
new virtual environment, and runs three commands in an empty folder. It prints one line a version;
the exit code is 1 if a version fails, and 0 if the others are only missing on this machine.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
MISSING = "not found on this machine"
INSTALL_SECONDS = 900
COMMAND_SECONDS = 120
# The arguments of each command, and what it must print
SMOKE = (
    (("solve", "waffle", str(ROOT / "specs/waffle/first.yaml")), "the only solution"),
    (("solve", "queens", str(ROOT / "specs/queens/n4.yaml")), "one solution of several"),
    (("list",), "queens"),
)


class InterpreterFailure(Exception):
    """A command failed under an interpreter; the message has its output."""


def declared_versions() -> list[str]:
    """Return the versions that the classifiers name, such as "3.11"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pattern = re.compile(r"Programming Language :: Python :: (3\.\d+)")
    matches = map(pattern.fullmatch, project["classifiers"])
    return [match[1] for match in matches if match]


def find_interpreter(version: str) -> str | None:
    """Return the path of an interpreter of this version; None if the machine has none."""
    return next((path for path in _candidates(version) if _runs(path, version)), None)


def _candidates(version: str) -> Iterator[str]:
    in_path = shutil.which(f"python{version}")
    if in_path is not None:
        yield in_path
    for path in sorted(PYENV.glob(f"versions/{version}.*/bin/python{version}")):
        yield str(path)


def _runs(path: str, version: str) -> bool:
    """Whether it starts and has this version: a shim of pyenv may stand for no interpreter."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


def prove(interpreter: str, folder: Path) -> None:
    """Build the wheel, install it into a new environment below `folder`, and run it.

    Raises:
        InterpreterFailure: A step failed.
    """
    environment = folder / "environment"
    wheels = folder / "wheels"
    empty = folder / "empty"
    empty.mkdir()
    _run([interpreter, "-m", "venv", str(environment)], empty, INSTALL_SECONDS)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip"]
    build = [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)]
    _run(build, empty, INSTALL_SECONDS)
    (wheel,) = wheels.glob("*.whl")
    _run([*pip, "install", "--quiet", str(wheel)], empty, INSTALL_SECONDS)
    for arguments, expected in SMOKE:
        output = _run([str(programs / "puzzlekit"), *arguments], empty, COMMAND_SECONDS)
        if expected not in output:
            raise InterpreterFailure(f"puzzlekit {' '.join(arguments)} printed:\n{output}")


def _run(command: Sequence[str], folder: Path, seconds: float) -> str:
    """Return what a command prints, run without the variables that lead Python elsewhere."""
    environment = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("PYTHON", "PYENV_V"))
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    if done.returncode:
        raise InterpreterFailure(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> int:
    """Prove every declared version; returns the exit code."""
    failed = False
    for version in declared_versions():
        interpreter = find_interpreter(version)
        if interpreter is None:
            print(f"python{version}: {MISSING}", flush=True)
            continue
        try:
            with TemporaryDirectory(prefix="interpreters-") as folder:
                prove(interpreter, Path(folder))
        except (InterpreterFailure, subprocess.TimeoutExpired) as failure:
            failed = True
            print(f"python{version}: failed ({interpreter})\n{failure}", flush=True)
        else:
            print(f"python{version}: builds, installs and runs ({interpreter})", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
