"""The marks of a guess: by hand, in rows, in tables of many answers,
and against counts that other programs found.
"""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from puzzlekit.errors import InputError
from puzzlekit.libraries.words import (
    MARKINGS,
    FeedbackTable,
    Lexicon,
    Mark,
    NextGuesses,
    boards_of,
    load,
    marks,
    marks_of_rows,
    number_of,
    read_mark,
    remaining,
)

DATA = Path(__file__).parents[3] / "shared" / "data"

needs_data = pytest.mark.skipif(
    not (DATA / "unwordle.json").exists(), reason="the real puzzles are not here"
)


def written(guess: str, answer: str, marking: str) -> str:
    return "".join(map(str, marks(guess, answer, marking)))


@pytest.mark.parametrize(
    ("guess", "answer", "wordle", "with_set"),
    [
        ("crane", "crane", "ggggg", "ggggg"),
        ("about", "shine", "bbbbb", "bbbbb"),
        ("eerie", "steel", "yybbb", "yybby"),  # two copies left, for the first two
        ("geese", "eerie", "bgybg", "bgybg"),
        ("sassy", "glass", "yybgb", "yyygb"),  # a green and one other copy
        ("llama", "hello", "yybbb", "yybbb"),
        ("allow", "metal", "yybbb", "yyybb"),
        ("tacit", "water", "ygbbb", "ygbby"),
    ],
)
def test_by_hand(guess: str, answer: str, wordle: str, with_set: str) -> None:
    assert written(guess, answer, "wordle") == wordle
    assert written(guess, answer, "set") == with_set


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    length = draw(st.integers(1, 6))
    word = st.text(alphabet="abcö𐑐", min_size=length, max_size=length)
    words = draw(st.lists(st.tuples(word, word), min_size=1, max_size=6))
    return [guess for guess, _ in words], [answer for _, answer in words]


def letters(words: list[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.str_]]:
    return np.array([list(word) for word in words], dtype="<U1")


@given(rows(), st.sampled_from(MARKINGS))
def test_rows_are_marked_as_words_are(words: tuple[list[str], list[str]], marking: str) -> None:
    guesses, answers = words
    expected = [list(marks(guess, answer, marking)) for guess, answer in zip(guesses, answers)]
    result = marks_of_rows(letters(guesses), letters(answers), marking)
    assert result.tolist() == expected
    assert result.dtype == np.uint8
    first = [list(marks(guess, answers[0], marking)) for guess in guesses]
    assert marks_of_rows(letters(guesses), letters(answers)[0], marking).tolist() == first
    last = [list(marks(guesses[0], answer, marking)) for answer in answers]
    assert marks_of_rows(letters(guesses)[0], letters(answers), marking).tolist() == last


@given(rows())
def test_wordle_marks_as_many_of_a_letter_as_the_answer_has(
    words: tuple[list[str], list[str]],
) -> None:
    for guess, answer in zip(*words):
        marked = marks(guess, answer)
        assert [mark is Mark.GREEN for mark in marked] == [a == b for a, b in zip(guess, answer)]
        for letter in set(guess):
            of_letter = [mark for mark, other in zip(marked, guess) if other == letter]
            assert sum(map(bool, of_letter)) == min(guess.count(letter), answer.count(letter))
            others = [mark for mark in of_letter if mark is not Mark.GREEN]
            assert others == sorted(others, reverse=True)


def test_two_single_rows_are_one_row() -> None:
    row = np.array(list("abc"))
    assert marks_of_rows(row, row).tolist() == [[2, 2, 2]]
    assert marks_of_rows(row, np.empty((0, 3), dtype="<U1")).shape == (0, 3)


LENGTHS = "a guess of 3 letters cannot be marked against an answer of 2"


@pytest.mark.parametrize(
    ("marked", "error", "said"),
    [
        *(
            (partial(marks, "abc", "ab", marking), ValueError, "a guess of 3 letters cannot be")
            for marking in MARKINGS
        ),
        *(
            (
                partial(marks_of_rows, letters(["abc"]), letters(["ab"]), marking),
                ValueError,
                "a guess of 3",
            )
            for marking in MARKINGS
        ),
        (
            partial(marks_of_rows, letters(["a"] * 2), letters(["a"] * 3)),
            ValueError,
            "2 guesses cannot be marked against 3 answers",
        ),
        (
            partial(marks_of_rows, np.array(["word"]), np.array(["word"])),
            ValueError,
            "expected rows of single letters",
        ),
        (
            partial(marks, "a", "a", "wordel"),
            InputError,
            r"there is no marking wordel: did you mean wordle\?",
        ),
    ],
)
def test_what_cannot_be_marked(
    marked: Callable[[], object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        marked()


def test_marks_are_read_in_every_spelling() -> None:
    assert [read_mark(char) for char in "gG🟩🟧"] == [Mark.GREEN] * 4
    assert [read_mark(char) for char in "yY🟨🟦"] == [Mark.YELLOW] * 4
    assert [read_mark(char) for char in "bBwWxX-⬛⬜"] == [Mark.GREY] * 9
    assert [read_mark(char) for char in ("", ".", "gg", "1")] == [None] * 4


@pytest.mark.parametrize("mark", Mark)
def test_a_mark_is_written_as_it_is_read(mark: Mark) -> None:
    assert read_mark(str(mark)) is read_mark(f"{mark}") is read_mark(mark.square) is mark


def boards() -> list[tuple[str, list[str], str, str, int]]:
    if not DATA.exists():
        return []
    data = json.loads((DATA / "unwordle.json").read_text(encoding="utf-8"))
    sets = [("english", data["english_five_letters"])]
    sets += [
        (data[part]["lexicon"], data[part]["boards"])
        for part in ("repeated_letters", "course_list")
    ]
    return [
        (lexicon, board["rows"], board["answer"], marking, board[marking])
        for lexicon, of_lexicon in sets
        for board in of_lexicon
        for marking in MARKINGS
    ]


@needs_data
@pytest.mark.parametrize(("lexicon", "colours", "answer", "marking", "count"), boards())
def test_counts_of_real_boards(
    lexicon: str, colours: list[str], answer: str, marking: str, count: int
) -> None:
    words: Lexicon = load(lexicon, DATA)
    found = marks_of_rows(words.letters_of_length(len(answer)), np.array(list(answer)), marking)
    wanted = [[read_mark(char) for char in row] for row in colours]
    assert (
        prod(int((found == np.array(row, dtype=np.uint8)).all(axis=1).sum()) for row in wanted)
        == count
    )


LETTERS = "abcäß🙂"


@st.composite
def words(draw: st.DrawFn) -> list[str]:
    """A few words of one length, of few letters, so that letters stand several times."""
    length = draw(st.integers(1, 12))
    return draw(
        st.lists(
            st.text(LETTERS, min_size=length, max_size=length), min_size=1, max_size=12, unique=True
        )
    )


def row(text: str) -> list[Mark]:
    return [Mark("byg".index(char)) for char in text]


@given(words(), st.sampled_from(MARKINGS))
def test_the_numbers_are_those_of_the_marks(some: list[str], marking: str) -> None:
    table = FeedbackTable(some, marking)
    for guess in some:
        assert table.numbers(guess).tolist() == [
            number_of(marks(guess, answer, marking)) for answer in some
        ]


def test_numbers_of_long_words() -> None:
    some = ["a" * 40, "a" * 39 + "b", "b" + "a" * 39]
    assert FeedbackTable(some).numbers(some[1]).tolist() == [
        number_of(marks(some[1], answer)) for answer in some
    ]
    for wrong in (["a" * 41], ["a", "ab"]):
        with pytest.raises(ValueError, match="of one length"):
            FeedbackTable(wrong)
    with pytest.raises(ValueError, match="the answers have 40"):
        FeedbackTable(some).numbers("a")


@given(words(), words(), st.sampled_from(MARKINGS))
def test_what_remains(first: list[str], second: list[str], marking: str) -> None:
    boards = [board for board in (first, second) if len(board[0]) == len(first[0])]
    for found in remaining(first, boards, marking):
        average, worst = Fraction(0), 0
        for board in boards:
            counts = Counter(marks(found.guess, answer, marking) for answer in board)
            left = [
                0 if answer == found.guess else counts[marks(found.guess, answer, marking)]
                for answer in board
            ]
            average += Fraction(sum(left), len(board))
            worst += max(left)
        assert (found.average, found.worst) == (average, worst)
        assert found.possible_boards == sum(found.guess in board for board in boards)


def test_the_order_of_next_guesses() -> None:
    found = NextGuesses(remaining(["dog", "bat", "cab"], [["bat", "cat", "hat", "cab"]]))
    assert found.by_average(2) == {
        "cab": "0.75 remain on average, 1 at worst",  # each of the others is told apart
        "bat": "1.25 remain on average, 2 at worst",  # cat and hat are not: (2 · 2 + 1) / 4
    }
    assert list(found.by_worst(9)) == ["cab", "bat", "dog"]
    assert remaining(["dog"], [[]]) == []
    alike = NextGuesses(remaining(["hat", "cat", "bat"], [["bat", "cat", "hat"]]))
    assert list(alike.by_average(9)) == list(alike.by_worst(9)) == ["hat", "cat", "bat"]


@given(
    words(),
    st.lists(st.integers(0, 11), min_size=1, max_size=3),
    st.sampled_from(MARKINGS),
    st.booleans(),
)
def test_boards_are_those_that_plain_search_counts(
    some: list[str], picks: list[int], marking: str, differ: bool
) -> None:
    rows = [marks(some[pick % len(some)], some[0], marking) for pick in picks]
    counts = {}
    for answer in some:
        by_row = [
            [guess for guess in some if marks(guess, answer, marking) == marked] for marked in rows
        ]
        boards = [
            board for board in product(*by_row) if not differ or len(set(board)) == len(board)
        ]
        counts[answer] = len(boards)
    found = boards_of(rows, some, some, marking, differ)
    assert found == {answer: count for answer, count in counts.items() if count}
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_counts_larger_than_a_machine_word() -> None:
    some = ["".join(letters) for letters in product("abcdefghijkl", repeat=2)]
    grey = sum(not set(word) & set("ab") for word in some)
    assert boards_of([row("bb")] * 12, some, ["ab"], "wordle")["ab"] == grey**12 > 2**64


def test_what_is_not_kept_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    some = ["abba", "baba", "aaab", "bbbb"]
    table = FeedbackTable(some)
    found = [table.numbers(guess).tolist() for guess in some]
    assert table._several
    monkeypatch.setitem(
        FeedbackTable.__init__.__globals__, "MARKS_BYTES", 0
    )  # `words.marks` is also a function
    table = FeedbackTable(some)
    assert [table.numbers(guess).tolist() for guess in some + some] == found + found
    assert not table._several
