"""`puzzlekit list`: groups, search, other names, and a hundred types."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from puzzlekit.backends import BACKENDS
from puzzlekit.cli.commands.catalogue import list_types
from tests.commands import ROOT, Command

SUDOKU = ROOT / "specs" / "sudoku" / "first.yaml"


@pytest.fixture(scope="module")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a hundred copies of shipped types, under names of their own."""
    folder = tmp_path_factory.mktemp("types")
    shipped = sorted((ROOT / "puzzles").glob("*.yaml"))
    for number in range(100):
        text = shipped[number % len(shipped)].read_text(encoding="utf-8")
        name = f"type_number_{number:02}"
        lines = [
            f"puzzle: {name}" if line.startswith("puzzle:") else line for line in text.splitlines()
        ]
        lines = [line for line in lines if not line.startswith("aliases:")] + [
            f"aliases: [other-{number}]",
            "",
        ]
        (folder / f"{name}.yaml").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_two_hundred_types_fit_on_three_screens(puzzlekit: Command, hundred: Path) -> None:
    lines = puzzlekit("list", PUZZLEKIT_PATH=str(hundred)).stdout.splitlines()
    assert len(lines) < 72 and max(map(len, lines)) <= 80 + 20  # the line of the backends is longer
    assert f"{100 + len(list((ROOT / 'puzzles').glob('*.yaml')))} types" in "\n".join(lines)
    assert [line.split()[0] for line in lines if line[:1].strip()][:3] == [
        "ciphers",
        "logic",
        "loops",
    ]


def test_a_list_loads_neither_the_language_nor_numpy(hundred: Path) -> None:
    """What makes it quick, whatever else the machine does."""
    program = (
        "import sys; from puzzlekit.cli.commands.catalogue import list_types;"
        "list_types(); list_types(['loops']);"
        "print(sorted({'numpy', 'puzzlekit.lang', 'puzzlekit.backends.base'} & set(sys.modules)))"
    )
    environment = {"PUZZLEKIT_PATH": str(hundred), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "found", "left_out"),
    [
        (["loops"], ["masyu", "slitherlink"], ["sudoku"]),
        (["LOOPS", "fences"], ["slitherlink"], ["masyu"]),
        (["picross"], ["nonogram"], ["sudoku"]),
        (["number", "place"], ["sudoku"], ["kakuro"]),
        (["pearls"], ["masyu"], ["slitherlink"]),
        (["closed", "loop"], ["masyu", "slitherlink"], ["sudoku"]),  # of the description
        (["cages"], ["killer", "sudoku"], ["masyu"]),
    ],
)
def test_words_find_types(
    puzzlekit: Command, words: list[str], found: list[str], left_out: list[str]
) -> None:
    done = puzzlekit("list", *words)
    names = [line.split()[0] for line in done.stdout.splitlines() if line[:1].strip()]
    assert done.returncode == 0 and set(found) <= set(names) and not set(left_out) & set(names)


def test_words_that_fit_no_type(puzzlekit: Command) -> None:
    assert puzzlekit("list", "picros").stdout.startswith(
        "nonogram "
    )  # the beginning of a word is enough
    done = puzzlekit("list", "loops", "sudkou")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "there is no type for loops sudkou; did you mean sudoku?\n"
    assert puzzlekit("list", "(", "qq").stderr == "there is no type for ( qq\n"


def test_an_own_type_without_a_group_stands_last(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "zz.yaml").write_text("puzzle: zz\nvariables: {x: bool}\n", encoding="utf-8")
    (tmp_path / "spec.yaml").write_text("puzzle: zz\n", encoding="utf-8")
    out = puzzlekit("list", PUZZLEKIT_PATH=str(tmp_path)).stdout
    assert "\nother    zz\n\n24" in out.replace(
        f"{len(list((ROOT / 'puzzles').glob('*.yaml'))) + 1} types", "24 types"
    )
    assert "spec" not in out.split("\n\n")[0]


@pytest.mark.parametrize("name", ["number_place", "Number-Place"])
def test_a_type_is_found_by_another_name(puzzlekit: Command, name: str, tmp_path: Path) -> None:
    assert puzzlekit("solve", name, str(SUDOKU)).returncode == 0
    assert puzzlekit("compare", name, str(SUDOKU), "--backends", "dlx").returncode == 0
    assert puzzlekit("draw", name, str(SUDOKU)).returncode == 0
    assert puzzlekit("show", name).stdout.startswith("sudoku: Sudoku\nAlso called number_place\n")
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        SUDOKU.read_text(encoding="utf-8").replace("puzzle: sudoku", f"puzzle: {name}"),
        encoding="utf-8",
    )
    assert puzzlekit("solve", str(spec)).returncode == puzzlekit("check", str(spec)).returncode == 0
    assert "for sudoku" not in puzzlekit("solve", "sudoku", str(spec)).stderr


def test_generators_know_other_names(
    puzzlekit: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from puzzlekit import catalogue, reading

    text = (ROOT / "puzzles" / "waffle.yaml").read_text(encoding="utf-8")
    (tmp_path / "waffle.yaml").write_text(
        text.replace("\ngroup: ", "\naliases: [crossed_words]\ngroup: ", 1), encoding="utf-8"
    )
    monkeypatch.setattr(reading, "SHIPPED", (tmp_path,))
    monkeypatch.chdir(tmp_path)
    assert catalogue.generator("crossed_words").reference == "puzzlekit_waffle.generator"
    assert puzzlekit("generate", "crossed-words", "--help", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_generate_alone_has_help(puzzlekit: Command, option: str) -> None:
    done = puzzlekit("generate", option)
    assert (done.returncode, done.stderr) == (0, "")
    assert "sanalouhos and waffle have generators of their own." in done.stdout


def test_a_file_of_the_name_comes_before_another_name(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "number_place.yaml").write_text(
        "puzzle: number_place\nvariables: {x: bool}\n", encoding="utf-8"
    )
    assert puzzlekit("show", "number_place", PUZZLEKIT_PATH=str(tmp_path)).stdout.startswith(
        "number_place\n"
    )


def test_a_name_of_two_types_is_refused(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "puzzle: mine\naliases: [number-place]\nvariables: {x: bool}\n", encoding="utf-8"
    )
    done = puzzlekit("show", "number_place", PUZZLEKIT_PATH=str(tmp_path))
    assert done.returncode == 2
    assert (
        done.stderr
        == "number_place is another name of several types: mine, sudoku; write one of these\n"
    )
    assert (
        puzzlekit("show", "number_plase").stderr
        == "there is no puzzle type number_plase; did you mean number_place?\n"
    )


def test_words_are_looked_up(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("The\nof\nco-op\nand\n")
    mine = str(tmp_path / "mine.txt")
    done = puzzlekit("words", mine, "the", "And")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == "the: in mine.txt, rank 1 of 3, rarity 0\nAnd: in mine.txt, rank 3 of 3, rarity 16\n"
    )
    done = puzzlekit("words", f"english-{mine}", "the", "water")
    assert done.returncode == 1
    assert done.stdout.startswith("the: not in english-mine.txt\nwater: in english-mine.txt, rank ")
    done = puzzlekit("words", mine)
    assert (done.stdout, done.stderr) == (
        "of\nand\nthe\n",
        "1 left out, because of a character that is not a letter\n",
    )
    assert "zebra\n" in puzzlekit("words", "english", "--length", "5").stdout
    assert "Apache 2.0; wordsegment" in puzzlekit("words").stdout


def test_a_file_that_is_no_text_is_listed_as_one_with_problems(
    puzzlekit: Command, tmp_path: Path
) -> None:
    (tmp_path / "damaged.yaml").write_bytes(b"\xff\xfe")
    done = puzzlekit("list", PUZZLEKIT_PATH=str(tmp_path))
    assert done.returncode == 0
    assert re.search(r"^damaged +\(has errors", done.stdout, re.MULTILINE)
    assert "backends: " in done.stdout


def test_backends_whose_library_is_not_installed_are_listed_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = metadata.distribution

    def lacking(name: str) -> object:
        if name in ("ortools", "xcover"):
            raise metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(metadata, "distribution", lacking)
    list_types()
    *_, apart, command = lines = capsys.readouterr().out.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("backends: "))
    there = " ".join(map(str.strip, lines[first:-2]))
    assert there.startswith(
        f"backends: {', '.join(name for name in BACKENDS if name not in ('cp-sat', 'xcover'))}; "
    )
    assert apart == "not installed: cp-sat, xcover"
    assert command == "     = pip install -e '.[cp-sat,fast]' in the clone of puzzlekit"
