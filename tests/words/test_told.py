"""What guesses tell, worked out on many answers at once: held to the marks of one guess and one answer, by plain counting."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.libraries.words import MARKINGS, Mark, MarksTable, NextGuesses, boards_of, marks, number_of, remaining
from puzzlekit.limits import replaced

LETTERS = "abcäß🙂"


@st.composite
def words(draw: st.DrawFn) -> list[str]:
    """A few words of one length, of few letters, so that letters stand several times."""
    length = draw(st.integers(1, 12))
    return draw(st.lists(st.text(LETTERS, min_size=length, max_size=length), min_size=1, max_size=12, unique=True))


def row(text: str) -> list[Mark]:
    return [Mark("byg".index(char)) for char in text]


@given(words(), st.sampled_from(MARKINGS))
def test_the_numbers_are_those_of_the_marks(some: list[str], marking: str) -> None:
    told = MarksTable(some, marking)
    for guess in some:
        assert told.numbers(guess).tolist() == [number_of(marks(guess, answer, marking)) for answer in some]


def test_numbers_of_long_words() -> None:
    some = ["a" * 40, "a" * 39 + "b", "b" + "a" * 39]
    assert MarksTable(some).numbers(some[1]).tolist() == [number_of(marks(some[1], answer)) for answer in some]
    for wrong in (["a" * 41], ["a", "ab"]):
        with pytest.raises(ValueError, match="of one length"):
            MarksTable(wrong)
    with pytest.raises(ValueError, match="the answers have 40"):
        MarksTable(some).numbers("a")


@given(words(), words(), st.sampled_from(MARKINGS))
def test_what_remains(first: list[str], second: list[str], marking: str) -> None:
    boards = [board for board in (first, second) if len(board[0]) == len(first[0])]
    for found in remaining(first, boards, marking):
        average, worst = Fraction(0), 0
        for board in boards:
            counts = Counter(marks(found.guess, answer, marking) for answer in board)
            left = [0 if answer == found.guess else counts[marks(found.guess, answer, marking)] for answer in board]
            average += Fraction(sum(left), len(board))
            worst += max(left)
        assert (found.average, found.worst) == (average, worst)
        assert found.found == sum(found.guess in board for board in boards)


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


@given(words(), st.lists(st.integers(0, 11), min_size=1, max_size=3), st.sampled_from(MARKINGS), st.booleans())
def test_boards_are_those_that_plain_search_counts(some: list[str], picks: list[int], marking: str, differ: bool) -> None:
    rows = [marks(some[pick % len(some)], some[0], marking) for pick in picks]
    counts = {}
    for answer in some:
        by_row = [[guess for guess in some if marks(guess, answer, marking) == marked] for marked in rows]
        boards = [board for board in product(*by_row) if not differ or len(set(board)) == len(board)]
        counts[answer] = len(boards)
    found = boards_of(rows, some, some, marking, differ)
    assert found == {answer: count for answer, count in counts.items() if count}
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_counts_larger_than_a_machine_word() -> None:
    some = ["".join(letters) for letters in product("abcdefghijkl", repeat=2)]
    grey = sum(not set(word) & set("ab") for word in some)
    assert boards_of([row("bb")] * 12, some, ["ab"], "wordle")["ab"] == grey**12 > 2**64


def test_what_is_not_kept_is_worked_out_again() -> None:
    some = ["abba", "baba", "aaab", "bbbb"]
    table = MarksTable(some)
    found = [table.numbers(guess).tolist() for guess in some]
    assert table._several
    with replaced(marks_bytes=0):
        table = MarksTable(some)
    assert [table.numbers(guess).tolist() for guess in some + some] == found + found
    assert not table._several
