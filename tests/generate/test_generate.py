"""`puzzlekit generate`: what it makes is good, comes again, and what cannot be made is told."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.api.checks import unmet
from tests.commands import Done, called, started

SMALL = ("--common", "400")


def generate(*arguments: str | Path, kind: str = "waffle") -> Done:
    return called("generate", kind, *map(str, arguments))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "arguments",
    [
        ("--count", "3"),
        ("--size", "7x7"),
        ("--size", "3x3", "--lexicon", "english"),
        ("--size", "5x7"),
        ("--size", "4x4", "--solid", "--lexicon", "english"),
        ("--scramble", "exchanges", "--green", "none", "--swaps", "6"),
        ("--green", "r1c1,r5c5", "--hard", "--count", "2"),
        ("--with", "water", *SMALL),
    ],
    ids=" ".join,
)
def test_specs_get_what_they_expect(arguments: tuple[str, ...], tmp_path: Path) -> None:
    run = generate("--seed", "5", "--out", tmp_path, *arguments)
    assert run.returncode == 0, run.stderr
    assert " dropped" in run.stderr
    files = sorted(tmp_path.iterdir())
    assert [str(file) for file in files] == sorted(run.stdout.split())
    for file in files:
        puzzle = puzzlekit.load("waffle", file)
        assert unmet(puzzle) == []
        assert "water" not in arguments or "water" in next(puzzle.solve())["words"]


def test_the_same_seed_makes_the_same_whatever_the_hashes() -> None:
    command = ("generate", "waffle", "--seed", "9", "--count", "2", *SMALL)
    made = {
        started(*command, PYTHONHASHSEED="1").stdout,
        generate(*command[2:]).stdout,
    }  # here they are other hashes
    assert len(made) == 1 and "letters: |" in min(made)
    assert generate("--seed", "10", "--count", "2", *SMALL).stdout not in made


def test_all_fills_and_their_number(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("boy\nbig\nget\nyet\nbag\ngot\nbit\ntat\nyat\n")
    every = generate("--size", "3x3", "--lexicon", words, "--fills", "--all")
    number = generate("--size", "3x3", "--lexicon", words, "--fills", "--number")
    assert every.returncode == number.returncode == 0
    assert "bag\no.e\nyet\n" in every.stdout
    assert every.stdout.count("\n\n") + 1 == int(number.stdout) > 0
    assert (
        len(generate("--fills", "--seed", "1", "--count", "2", *SMALL).stdout.strip().split("\n\n"))
        == 2
    )


def blocks(text: str, name: str) -> list[list[str]]:
    return [
        part.split("\nwords:")[0].split("expect:")[0].split()
        for part in text.split(f"{name}: |\n")[1:]
    ]


def test_colours_are_as_in_the_game() -> None:
    """Of 40 of the game's own puzzles each has 5 to 7 greens;
    they have 6.2 greens and 6.1 yellows on average.
    """
    text = generate("--seed", "3", "--count", "8", "--against", "english").stdout
    colours = ["".join(rows) for rows in blocks(text, "colours")]
    assert len(colours) == 8
    assert all(5 <= rows.count("g") <= 7 for rows in colours)
    assert all(4 <= rows.count("y") <= 8 for rows in colours)
    any_colours = generate(
        "--seed", "3", "--count", "8", "--colours", "any", "--against", "english"
    ).stdout
    yellows = sum("".join(rows).count("y") for rows in blocks(any_colours, "colours"))
    assert yellows < sum(rows.count("y") for rows in colours)


def test_the_answer_is_the_only_one_in_the_largest_lexicon() -> None:
    assert 'words: "english-wide"' in generate("--seed", "3").stdout
    assert "words: " not in generate("--seed", "3", "--against", "english").stdout


@pytest.mark.parametrize("kind", ["waffle", "sanalouhos"])
def test_offensive_words_are_left_out_unless_they_are_allowed(kind: str, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("pussy\nbitch\nwhore\n")
    size = ("--size", "2x5", "--words-wanted", "2") if kind == "sanalouhos" else ()
    refused = generate("--lexicon", words, *size, kind=kind)
    assert refused.returncode == 2
    assert "has no words" in refused.stderr or "no suitable length" in refused.stderr
    allowed = generate("--lexicon", words, "--allow-offensive", "--seed", "1", *size, kind=kind)
    assert allowed.returncode == (0 if kind == "sanalouhos" else 1), allowed.stderr


def test_the_order_of_hardness() -> None:
    def yellows(text: str) -> list[int]:
        return [
            sum(
                mark == "y"
                for r, row in enumerate(rows)
                for c, mark in enumerate(row)
                if r % 2 or c % 2
            )
            for rows in blocks(text, "colours")
        ]

    hard = yellows(generate("--seed", "1", "--count", "3", "--hard", *SMALL).stdout)
    easy = yellows(generate("--seed", "1", "--count", "3", "--easy", *SMALL).stdout)
    assert hard == sorted(hard)
    assert easy == sorted(easy, reverse=True)
    assert sum(hard) < sum(easy)


@pytest.mark.parametrize(
    ("kind", "arguments", "said"),
    [
        ("waffle", ("--size", "5"), "expected a size"),
        ("waffle", ("--size", "4x4"), "expected odd sides of a lattice"),
        ("waffle", ("--size", "99x99"), "expected a size"),
        ("waffle", ("--lexicon", "englsh"), "did you mean english"),
        ("waffle", ("--with", "zzzzz"), "zzzzz is not among the"),
        ("waffle", ("--with", "abc"), "abc has 3 letters, but the slots have 5"),
        ("waffle", ("--seed", "1.5"), "expected a whole number, got 1.5"),
        ("waffle", ("--fills", "--hard"), "--fills cannot be combined with"),
        ("waffle", ("--swaps", "16"), "16 swaps are impossible"),
        ("waffle", ("--swaps", "0"), "expected a number from 1"),
        ("waffle", ("--green", "r2c2"), "there is no such cell"),
        ("waffle", ("--hard", "--easy"), "not allowed with"),
        ("waffle", ("--board", "nowhere.txt"), "nowhere.txt"),
        ("waffle", ("--html", "nowhere/page.html"), "expected a file in an existing folder"),
        ("waffle", ("--against", "english-common", "--lexicon", "english"), "it lacks the word"),
        ("waffle", ("--all",), "require --fills"),
        ("waffle", ("--nonsense",), "unrecognized arguments"),
        ("waffle", ("--out", "README.md"), "--out README.md: expected a folder"),
        ("sanalouhos", ("--size", "1x5"), "expected a size such as 6x5"),
        ("sanalouhos", ("--size", "30x30"), "at most 400 cells"),
        ("sanalouhos", ("--words-wanted", "0"), "expected a number from 1 to 1,000,000, got 0"),
        (
            "sanalouhos",
            ("--size", "5x5", "--words-wanted", "9"),
            "9 words cannot cover 25 cells: finnish-familiar has words of 4",
        ),
        (
            "sanalouhos",
            ("--size", "20x20", "--words-wanted", "2"),
            "2 words cannot cover 400 cells",
        ),
        ("sanalouhos", ("--shortest", "40"), "has words of no suitable length"),
        (
            "sanalouhos",
            ("--lexicon", "english", "--against", "english-common"),
            "it lacks the word",
        ),
        ("sanalouhos", ("--html", "page.html"), "sanalouhos has no page: omit --html"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input(kind: str, arguments: tuple[str, ...], said: str) -> None:
    run = generate(*arguments, kind=kind)
    assert run.returncode == 2, run.stderr
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("###\n#x#\n###\n", "board.txt:2:2: expected # for a cell or . for a hole, got 'x'"),
        ("###\n\n#.#\n##\n", "board.txt:4: expected 3 characters, as in the first row, got 2"),
        ("...\n...\n", "expected at least one cell"),
        ("", "expected at least one cell"),
        ("###\n...\n..#\n", "r3c3 is in no word"),
    ],
)
def test_boards_that_are_wrong(board: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(board)
    run = generate("--board", tmp_path / "board.txt")
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr


def test_a_board_of_any_holes(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("#####\n#   #\n#####\n")
    run = generate(
        "--board",
        tmp_path / "board.txt",
        "--fills",
        "--seed",
        "1",
        "--with",
        "Water, water",
        *SMALL,
    )
    assert run.returncode == 0, run.stderr
    assert "water" in run.stdout.split()


def test_words_in_order_of_the_alphabet_do_not_say_which_are_common(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text(
        "\n".join(sorted(["cigar", "rebut", "sissy", "humph", "awake"])), encoding="utf-8"
    )
    run = generate("--lexicon", str(words), "--common", "10")
    assert run.returncode == 2, run.stderr
    assert "does not say which of its words are common" in run.stderr


def test_what_cannot_be_filled_is_proven(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("abcde\nfghij\nklmno\npqrst\nuvwxy\nzabcd\n")
    run = generate("--lexicon", words, "--seed", "1", "--out", tmp_path / "out")
    assert run.returncode == 1
    assert "proven: the board cannot be filled with these words" in run.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_types_without_a_generator() -> None:
    assert "no field whose parts may be empty" in generate(kind="boggle").stderr
    assert "there is no such type file" in generate(kind="../waffle").stderr
    assert generate(kind="boggle").returncode == 2
    assert generate("--help").returncode == 0


def test_interrupted(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "puzzlekit",
        "generate",
        "waffle",
        "--count",
        "100000",
        "--out",
        str(tmp_path),
    ]
    listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731  a job in the background is deaf to it
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen
    )
    assert run.stdout is not None
    for _ in range(2):
        run.stdout.readline()  # two are made, and the next one is begun
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "Traceback" not in told
    files = list(tmp_path.iterdir())
    assert files
    assert all(file.suffix == ".yaml" and not file.name.startswith(".") for file in files)
    assert all("answer: |" in file.read_text() for file in files)
