"""Rules of boards of guesses, each held to plain search over a few words: who may be guessed,
when, and what is told of it.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.catalogue import find
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, read_type
from puzzlekit.libraries.words import Mark, load as load_words, marks

WORDS = sorted(load_words("english-common").of_length(4))[::7]
BACKENDS = ("exact-cover", "sat", "z3")
Row = Sequence[Mark]


def colours(guess: str, answer: str, marking: str = "wordle") -> str:
    return "".join(map(str, marks(guess, answer, marking)))


def allowed(before: str, row: Row, guess: str) -> bool:
    """The game's own test of hard mode: a green keeps its place, coloured letters are there,
    each as often as coloured.
    """
    wanted = Counter(letter for letter, mark in zip(before, row) if mark != Mark.GREY)
    greens = all(guess[i] == before[i] for i, mark in enumerate(row) if mark == Mark.GREEN)
    return greens and all(guess.count(letter) >= times for letter, times in wanted.items())


def boards(rows: list[str], answer: str, marking: str = "wordle") -> list[tuple[str, ...]]:
    """Every board of these colours that the words make."""
    return list(
        product(*([w for w in WORDS if colours(w, answer, marking) == row] for row in rows))
    )


def puzzle(tmp_path: Path, kind: str, **fields: object) -> Puzzle:
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    text = "".join(f"{name}: {value}\n" for name, value in {"words": "words.txt", **fields}.items())
    (tmp_path / "spec.yaml").write_text(text)
    return load(kind, tmp_path / "spec.yaml")


CASES = [
    ("area", ["bbyb", "bbyb", "bbgb"]),
    ("beds", ["bbbb", "bgbb", "bgbg"]),
    ("sees", ["ybbb", "gbbb", "bybb"]),
    ("care", ["bybb", "bgbb", "bgbb"]),
    ("data", ["bbbb", "bbbg", "bgbg"]),
]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("marking", ["wordle", "set"])
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("answer", "rows"), CASES, ids=[answer for answer, _ in CASES])
def test_hard_mode(
    answer: str, rows: list[str], backend: str, marking: str, tmp_path: Path
) -> None:
    def keeps(board: tuple[str, ...]) -> bool:
        return all(allowed(a, marks(a, answer, marking), b) for a, b in pairwise(board))

    wanted = {board for board in boards(rows, answer, marking) if keeps(board)}
    hard = puzzle(tmp_path, "unwordle", board=rows, answer=answer, hard="yes", marking=marking)
    assert {tuple(found["guess"]) for found in hard.solve(backend)} == wanted
    assert hard.count(backend) == len(wanted)


def test_hard_mode_was_tried_on_boards_that_it_allows_and_forbids() -> None:
    kept = [
        [allowed(a, marks(a, answer), b) for a, b, _ in boards(rows, answer)]
        for answer, rows in CASES
    ]
    assert any(map(any, kept))
    assert any(not all(some) for some in kept)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("answer", "rows"), CASES[:2], ids=[answer for answer, _ in CASES[:2]])
def test_no_word_twice(answer: str, rows: list[str], backend: str, tmp_path: Path) -> None:
    wanted = {board for board in boards(rows, answer) if len(set(board)) == len(board)}
    different = puzzle(tmp_path, "unwordle", board=rows, answer=answer, rows_differ="yes")
    assert {tuple(found["guess"]) for found in different.solve(backend)} == wanted


@pytest.mark.parametrize(
    ("rows", "early", "count"),
    [(["gggg", "gggg"], "yes", 1), (["gggg", "gggg"], "no", 0), (["gggg"], "no", 1)],
)
def test_the_final_word_comes_last(rows: list[str], early: str, count: int, tmp_path: Path) -> None:
    assert puzzle(tmp_path, "unwordle", board=rows, answer=WORDS[0], early=early).count() == count


@pytest.mark.parametrize("differ", ["no", "yes"])
@pytest.mark.sampled(12)
@pytest.mark.parametrize("marking", ["wordle", "set"])
def test_each_answer_has_the_boards_that_there_are(
    differ: str, marking: str, tmp_path: Path
) -> None:
    for _, rows in CASES:
        whole = puzzle(
            tmp_path, "unwordle_answers", board=rows, marking=marking, rows_differ=differ
        )
        found = {answer["answer"]: answer["boards"] for answer in whole.solve()}
        for answer in WORDS[::11]:
            every = boards(rows, answer, marking)
            wanted = sum(differ == "no" or len(set(board)) == len(board) for board in every)
            assert found.get(answer, 0) == wanted
        assert whole.instance.info["boards"] == sum(found.values()) > 0
        assert list(found.values()) == sorted(found.values(), reverse=True)


def test_answers_may_be_fewer_than_words_and_come_last(tmp_path: Path) -> None:
    rows = CASES[0][1]
    every = puzzle(tmp_path, "unwordle_answers", board=rows)
    known = {found["answer"]: found["boards"] for found in every.solve()}
    few = [*list(known)[:2], next(word for word in WORDS if word not in known)]
    some = puzzle(tmp_path, "unwordle_answers", board=rows, answers=f"[{', '.join(few)}]")
    assert {found["answer"]: found["boards"] for found in some.solve()} == {
        word: known[word] for word in few[:2]
    }
    for early, number in (("yes", len(WORDS)), ("no", 0)):
        assert (
            puzzle(tmp_path, "unwordle_answers", board=["gggg", "gggg"], early=early).count()
            == number
        )


def test_what_remains_on_two_boards(tmp_path: Path) -> None:
    guesses = {
        guess: f"[{colours(guess, WORDS[3])}, {colours(guess, WORDS[40])}]"
        for guess in (WORDS[9], WORDS[23])
    }
    given = "{" + ", ".join(f"{guess}: {rows}" for guess, rows in guesses.items()) + "}"
    two = puzzle(tmp_path, "wordle", guesses=given, answers="words.txt")
    left = [
        [w for w in WORDS if all(colours(g, w) == colours(g, answer) for g in guesses)]
        for answer in (WORDS[3], WORDS[40])
    ]
    assert {tuple(found["answer"]) for found in two.solve()} == set(product(*left))
    assert two.instance.info["words that remain"] == tuple(map(len, left))


def test_a_board_that_is_solved_takes_no_more_guesses(tmp_path: Path) -> None:
    other = "bbbb" if colours(WORDS[9], WORDS[3]) != "bbbb" else "gbbb"
    given = f"{{{WORDS[3]}: gggg, {WORDS[9]}: {other}}}"
    solved = puzzle(tmp_path, "wordle", guesses=given, answers="words.txt")
    assert [found["answer"] for found in solved.solve()] == [[WORDS[3]]]
    assert solved.instance.info["best next guesses"] == {}


def test_the_next_guess_is_best_of_all_and_in_hard_mode_of_those_allowed(tmp_path: Path) -> None:
    guess, answer = WORDS[9], WORDS[12]
    row = colours(guess, answer)
    left = [w for w in WORDS if colours(guess, w) == row]
    for hard in ("no", "yes"):
        words = [w for w in WORDS if hard == "no" or allowed(guess, marks(guess, answer), w)]
        given = {
            "guesses": f"{{{guess}: {row}}}",
            "answers": "words.txt",
            "hard": hard,
            "suggestions": 10_000,
        }
        every = puzzle(tmp_path, "wordle", **given).instance.info["best next guesses"]
        assert set(every) == set(words)

        def remain(word: str) -> list[int]:
            counts = Counter(colours(word, other) for other in left)
            return [0 if other == word else counts[colours(word, other)] for other in left]

        best = next(iter(every))
        assert sum(remain(best)) == min(sum(remain(word)) for word in words)
        worst = next(
            iter(
                puzzle(tmp_path, "wordle", **given, best="worst").instance.info["best next guesses"]
            )
        )
        assert max(remain(worst)) == min(max(remain(word)) for word in words)


def test_before_the_first_guess_every_word_remains(tmp_path: Path) -> None:
    first = puzzle(tmp_path, "wordle", guesses="{}", answers="words.txt", length=4)
    assert first.instance.info["words that remain"] == (len(WORDS),)
    assert first.count() == len(WORDS)


def test_no_guess_is_looked_for_where_none_is_wanted(tmp_path: Path) -> None:
    first = puzzle(tmp_path, "wordle", guesses="{}", answers="words.txt", length=4, suggestions=0)
    assert first.instance.info["best next guesses"] == "not looked for"


def test_words_and_guesses_come_with_the_common_ones_first(tmp_path: Path) -> None:
    common = ["rows", "sort", "able", "lore", "also"]
    (tmp_path / "by_use.txt").write_text("\n".join(common))
    given = {"guesses": "{}", "length": 4, "answers": "by_use.txt", "words": "by_use.txt"}
    one = puzzle(tmp_path, "wordle", **given)
    assert [found["answer"] for found in one.solve(rank="common")] == [[word] for word in common]
    facts = one.instance.info
    worth = facts["best next guesses"]
    alike = [[word for word in worth if worth[word] == text] for text in worth.values()]
    assert max(map(len, alike)) > 1
    assert all(words == sorted(words, key=common.index) for words in alike)
    assert facts["the most common on each board"] == {}
    two = puzzle(tmp_path, "wordle", **{**given, "guesses": "{able: [bbbb, gbyb]}"})
    assert two.instance.info["the most common on each board"] == {
        1: ("rows", "sort"),
        2: ("also",),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("letters: t🟩 r🟨 a⬜ i🟩 n🟩 o🟨", "2:10: this board and its marks are on one line"),
        (
            "letters: NOIGSO.I\ncolours: gbgbgy.b",
            "2:10: this does not hold: the board has several rows, each on a line of its own",
        ),
    ],
)
def test_a_board_that_was_pasted_on_one_line_is_told_as_such(text: str, said: str) -> None:
    kind = read_type(find("waffle"))
    with pytest.raises(Problems, match=said):
        bind(kind, read_spec("spec.yaml", f"puzzle: waffle\n{text}\n"))
