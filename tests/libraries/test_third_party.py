"""A library of another distribution: the one that `docs/libraries.md` shows, built,
installed and used as a stranger would.

The installation and what lies in the current folder are tried in processes of their own,
the rest in this one.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from tests.commands import Done
from tests.installed import distribution, run
from tests.schemas import READINGS, read

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(python|toml|yaml)\n(.*?)```", PAGE, re.DOTALL))
FILES = dict(
    re.findall(r'```\w+ title="(.*?)"\n(.*?)```', PAGE, re.DOTALL)
)  # of the longer example
SAME_NAME = """\
from puzzlekit.lang.library import Functions, Library


class Sides(Functions):
    def opposite(self, side):
        return -side


LIBRARY = Library("sides", functions=(Sides,))
"""
NO_TEXT = """\
from puzzlekit.lang.library import Library, ScalarType


class SideType(ScalarType):
    example = 5

    def value(self, text, reading):
        return int(text)

    def __str__(self):
        return "side"


LIBRARY = Library("sides", data_types={"side": SideType()})
"""


def sources(folder: Path) -> Path:
    """The folder of the library as the page describes it,
    with types and specs beside the module.
    """
    for name in ("puzzles", "specs"):
        (folder / name).mkdir(parents=True)
    (folder / "pyproject.toml").write_text(BLOCKS["toml"])
    (folder / "puzzlekit_dice.py").write_text(BLOCKS["python"])
    (folder / "puzzles" / "two_dice.yaml").write_text(BLOCKS["yaml"])
    (folder / "specs" / "three.yaml").write_text("puzzle: two_dice\nshown: 3\n")
    return folder


def started(folder: Path, installed: str | None, *arguments: str, **more: str) -> Done:
    """The command in a folder, as a process of its own, with this PYTHONPATH and more variables."""
    environment = {**os.environ, "PYTHONPATH": installed or "", **more}
    if installed is None:
        environment.pop("PYTHONPATH")
    command = [sys.executable, "-P", "-m", "puzzlekit", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the type of the page."""
    made = tmp_path / "types"
    made.mkdir()
    (made / "two_dice.yaml").write_text(BLOCKS["yaml"])
    return made


@pytest.mark.skipif(find_spec("pip") is None, reason="there is no pip to install it with")
def test_the_package_of_the_page_is_installed_and_used(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    made = sources(tmp_path / "puzzlekit-dice")
    assert "add `--no-deps --no-build-isolation`" in PAGE
    options = [
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "--target",
        str(target),
    ]
    command = [sys.executable, "-m", "pip", "install", *options, str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert_used(partial(started, folder, str(target)))
    assert (
        "export PUZZLEKIT_PATH=/home/ada/puzzlekit-dice/puzzles\n"
        "puzzlekit solve two_dice --set shown=3\n"
    ) in PAGE
    by_name = ("solve", "two_dice", "--set", "shown=3")
    assert started(tmp_path, str(target), *by_name).returncode == 2
    assert (
        started(tmp_path, str(target), *by_name, PUZZLEKIT_PATH=str(made / "puzzles")).returncode
        == 0
    )


def test_what_an_installer_leaves_is_found(folder: Path, tmp_path: Path) -> None:
    distribution(tmp_path / "installed", "dice", BLOCKS["python"])
    assert_used(partial(run, folder, tmp_path / "installed"))


def assert_used(command: Callable[..., Done]) -> None:
    done = command("solve", "two_dice.yaml", "--set", "shown=3", "--all", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["solutions"] == [
        {"hidden": 4, "other": 6, "both": [4, 6], "sum": 10}
    ]
    done = command("solve", "two_dice.yaml", "--set", "shown=7")
    assert done.returncode == 2
    assert "'7' is no die: a die shows 1 to 6" in done.stderr


@pytest.mark.slow
def test_the_longer_example_is_installed_and_used_by_every_backend(
    folder: Path, tmp_path: Path
) -> None:
    installed = tmp_path / "installed"
    distribution(installed, "times", FILES["puzzlekit_times.py"])
    for name in ("bus.yaml", "nine.yaml"):
        (folder / name).write_text(FILES[name])
    done = run(folder, installed, "compare", "bus.yaml", "nine.yaml", "--count", "--json")
    report = json.loads(done.stdout)
    assert report["agreement"] is True, done.stderr
    assert [backend["count"] for backend in report["backends"]] == [21] * len(report["backends"])
    assert "21 solutions · " in PAGE
    done = run(folder, installed, "solve", "bus.yaml", "nine.yaml", "--all", "--json")
    (start,) = {solution["start"] for solution in json.loads(done.stdout)["solutions"]}
    assert start == "8:10"


def test_new_and_schema_use_what_the_types_of_the_longer_example_say(
    folder: Path, tmp_path: Path
) -> None:
    distribution(tmp_path / "installed", "times", FILES["puzzlekit_times.py"])
    (folder / "bus.yaml").write_text(FILES["bus.yaml"])
    command = partial(run, folder, tmp_path / "installed")
    made = command("new", "spec", "bus.yaml")
    assert (
        "\nstops: |\n  7:30\n" in made.stdout
        and "\nopen: {from: '7:30', to: '9:00'}\n" in made.stdout
    ), made.stderr
    (folder / "made.yaml").write_text(made.stdout)
    assert command("check", "bus.yaml", "made.yaml").returncode == 0
    schema = jsonschema.Draft202012Validator(json.loads(command("schema", "bus.yaml").stdout))
    for times, accepted in (("[7:30, 08:10, '9:00']", True), ("[half past seven]", False)):
        text = FILES["nine.yaml"].replace("7:30 8:10 11:40", times)
        assert [schema.is_valid(read(text, scalar)) for scalar in READINGS.values()] == [
            accepted
        ] * len(READINGS)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("8:10", "8;10", "nine.yaml:2:13: '8;10' is no time of the day"),
        ("to: 8:35", "until: 8:35", "nine.yaml:3:7: expected the keys from and to"),
        ("{from: 8:00, to: 8:35}", "8:00", "nine.yaml:3:7: expected span, got text"),
    ],
)
def test_what_is_wrong_in_data_of_the_longer_example_is_reported_at_its_place(
    old: str, new: str, said: str, folder: Path, tmp_path: Path
) -> None:
    distribution(tmp_path / "installed", "times", FILES["puzzlekit_times.py"])
    (folder / "bus.yaml").write_text(FILES["bus.yaml"])
    (folder / "nine.yaml").write_text(FILES["nine.yaml"].replace(old, new))
    done = run(folder, tmp_path / "installed", "check", "nine.yaml")
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_an_error_of_its_function_is_shown_where_it_is_called(folder: Path, tmp_path: Path) -> None:
    distribution(tmp_path / "installed", "dice", BLOCKS["python"])
    text = BLOCKS["yaml"].replace("variables:", "let:\n  t: throw(shown, 7)\nvariables:")
    (folder / "wrong.yaml").write_text(text)
    done = run(folder, tmp_path / "installed", "solve", "wrong.yaml", "--set", "shown=3")
    assert done.returncode == 2
    assert "wrong.yaml:6:6" in done.stderr
    assert "a die shows 1 to 6, and these show 3 and 7" in done.stderr
    (folder / "odd.yaml").write_text(text.replace("throw(shown, 7)", "throw(shown, 6).third"))
    assert (
        "a throw has no .third"
        in run(folder, tmp_path / "installed", "solve", "odd.yaml", "--set", "shown=3").stderr
    )


def test_a_library_in_the_current_folder_is_none(folder: Path) -> None:
    trap = "from pathlib import Path\nPath('sprung').touch()\n" + BLOCKS["python"]
    distribution(folder, "dice", trap)
    for path in (None, ":."):
        done = started(folder, path, "solve", "two_dice.yaml", "--set", "shown=3")
        assert "there is no library dice" in done.stderr
    assert started(folder, ":.", "list").returncode == 0
    assert not (folder / "sprung").exists()


def test_a_name_of_two_libraries_says_which(folder: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    distribution(installed, "dice", BLOCKS["python"])
    distribution(installed, "sides", SAME_NAME)
    whole = BLOCKS["yaml"].replace("libraries: [dice]\n", "")
    (folder / "both.yaml").write_text(whole)
    done = run(folder, installed, "solve", "both.yaml", "--set", "shown=3")
    assert done.returncode == 2
    assert "several libraries define opposite: dice and sides" in done.stderr
    (quoted,) = re.findall(r"```\n(two_dice\.yaml:.*?)```", PAGE, re.DOTALL)
    assert done.stderr == quoted.replace("two_dice.yaml", "both.yaml")
    assert_used(partial(run, folder, installed))
    own = whole.replace("opposite(shown)", "opposite").replace(
        "shown: die", "shown: die\n  opposite: int = 4"
    )
    (folder / "own.yaml").write_text(own)
    assert (
        run(folder, installed, "solve", "own.yaml", "--set", "shown=3").returncode == 0
    )  # the type's own name hides both


def test_a_library_that_a_type_leaves_out_is_named(folder: Path, tmp_path: Path) -> None:
    distribution(tmp_path / "installed", "dice", BLOCKS["python"])
    (folder / "none.yaml").write_text(BLOCKS["yaml"].replace("[dice]", "[]"))
    done = run(folder, tmp_path / "installed", "show", "none.yaml")
    assert done.returncode == 2
    assert done.stderr.count("the library dice defines it: add it to libraries:") == 6
    (folder / "near.yaml").write_text(BLOCKS["yaml"].replace("[dice]", "[dise]"))
    done = run(folder, tmp_path / "installed", "show", "near.yaml")
    assert done.stderr.startswith("near.yaml:2:13: there is no library dise\n")
    assert "did you mean dice?" in done.stderr


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import not_there\n", "ModuleNotFoundError"),
        ("LIBRARY = 3\n", "the entry point names a int, not a Library"),
        (
            SAME_NAME.replace('"sides"', '"other"'),
            "the entry point is called sides, the library other",
        ),
        (SAME_NAME.replace("opposite", "sum"), "sum is a name of the core language"),
        (
            NO_TEXT,
            (
                "TypeError: the example of side: expected a text, or a list "
                "or a mapping of texts, as a spec says it, got 5"
            ),
        ),
    ],
)
def test_a_library_that_cannot_be_loaded_harms_no_other(
    code: str, why: str, folder: Path, tmp_path: Path
) -> None:
    installed = tmp_path / "installed"
    distribution(installed, "dice", BLOCKS["python"])
    distribution(installed, "sides", code)
    assert_used(partial(run, folder, installed))
    (folder / "needs.yaml").write_text(BLOCKS["yaml"].replace("[dice]", "[dice, sides]"))
    done = run(folder, installed, "solve", "needs.yaml", "--set", "shown=3")
    assert done.returncode == 2
    assert "needs.yaml:2:19: the library sides is not loaded: " in done.stderr.replace(
        "error: ", ""
    )
    assert why in done.stderr


FAILING = """\
from puzzlekit.lang.data.scalars import ScalarType
from puzzlekit.lang.expressions.values import ValueType
from puzzlekit.lang.library import Functions, Library
from puzzlekit.model import Apply, Function


class Odd:
    pass


class Whole(ScalarType):
    def value(self, text, reading):
        return Odd() if text == "odd" else int(text)

    def __str__(self):
        return "whole"


class Failing(Functions):
    def hour(self, x):
        return Apply(Function("hour", lambda value: value.hour), (x,))

    def sum_of(self, x, y):
        hour = Function("sum_of", lambda one, other: one.hour if other == 2 else one + other)
        return Apply(hour, (x, self.interpreter.term(y)))

    def plain(self, x):
        return Apply(Function("plain", max), (x, 1))

    def both(self, x):
        return [x, x]

    def odd(self):
        return Odd()


LIBRARY = Library(
    "failing",
    functions=(Failing,),
    data_types={"whole": Whole()},
    value_types=(ValueType(Odd, json=lambda odd: odd.text),),
)
"""


@pytest.mark.parametrize(
    ("rule", "n", "said"),
    [
        (
            "x == n",
            "many",
            ("spec.yaml:2:4: this cannot be read as whole: invalid literal for int()",),
        ),
        (
            "hour(x) == n",
            "1",
            (
                (
                    "type.yaml:7:6: r: hour(0), for values that unknowns may take: "
                    "'int' object has no attribute"
                ),
            ),
        ),
        (
            "sum_of(x, 1) >= n\n  s: sum_of(x, 2) > n",
            "0",
            ("type.yaml:8:6: s: sum_of(0, 2), for values that",),
        ),
        ("plain(x) == n", "1", ("an argument of plain is 1, which is not a term",)),
        (
            "all(a == n for a in both(x))",
            "1",
            ("got list", "a function of a library must return a tuple instead"),
        ),
        (
            "(odd() if x == 1 else 1) == n",
            "1",
            ("got Odd", "its library must register Odd with choosable=True"),
        ),
        ("x.hour == n", "1", ("x has no .hour", "a value that is not known yet has no attributes")),
        (
            "x == 1",
            "odd",
            ("the library's function json failed for", "'Odd' object has no attribute 'text'"),
        ),
    ],
)
def test_errors_in_a_library_are_reported_without_a_traceback(
    rule: str, n: str, said: tuple[str, ...], tmp_path: Path
) -> None:
    installed = tmp_path / "installed"
    distribution(installed, "failing", FAILING)
    kind = (
        f"puzzle: t\ndata:\n  n: whole\nvariables:\n  x: between(0, 2)\nrules:\n  r: {rule}\n"
        f"show:\n  x: {{}}\n  odd: n\n"
    )
    (tmp_path / "type.yaml").write_text(kind)
    (tmp_path / "spec.yaml").write_text(f"title: a spec\nn: {n}\n")
    for options in ((), ("--json", "--backend", "csp")):
        done = run(tmp_path, installed, "solve", "type.yaml", "spec.yaml", *options)
        if options or n != "odd":
            assert done.returncode == 2, done.stderr
            assert all(part in done.stderr for part in said) and "Traceback" not in done.stderr, (
                done.stderr
            )
