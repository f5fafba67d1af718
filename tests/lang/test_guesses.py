"""What guesses tell, in the language: letters of an unknown word, words that fit, the next guess,
boards by their answer.
"""

from itertools import product

import pytest

from puzzlekit.libraries.words import marks
from tests.lang.languages import build, only, refusal, values

FIVE = "('abba', 'baba', 'cabs', 'scab', 'bass')"
WORDS = f"g[t]: {FIVE} for t in range(2)"
LET = f"five: {FIVE}"


def test_letters_of_a_word_that_is_not_known() -> None:
    found = only(build("count(g[0], 'b') < count(g[1], 'b')", variables=WORDS), "g")
    some = ["abba", "baba", "cabs", "scab", "bass"]
    expected = [(a, b) for a, b in product(some, some) if a.count("b") < b.count("b")]
    assert values(found, "g[0]", "g[1]") == sorted(expected)


@pytest.mark.parametrize("backend", ["exact-cover", "sat"])
def test_letters_are_counted_by_backends(backend: str) -> None:
    from tests.model.asking import search

    model = build("count(g[0], 'b') + count(g[1], 'a') == 4", variables=WORDS).model
    some = ["abba", "baba", "cabs", "scab", "bass"]
    wanted = sum(a.count("b") + b.count("a") == 4 for a, b in product(some, some))
    assert search(model, backend).count() == wanted > 0


def test_a_letter_that_is_not_known_is_counted() -> None:
    found = only(
        build(
            "count(v, w[0]) == 2",
            variables="v: ('abba', 'scab')\nw[i]: distinct('abc') for i in range(1)",
        ),
        "v",
        "w",
    )
    assert values(found, "v", "w[0]") == [("abba", "a"), ("abba", "b")]


def test_words_that_fit() -> None:
    some = ["abba", "baba", "cabs", "scab", "bass"]
    row = marks("cabs", "scab")
    kept = build(
        "k == 0",
        variables="k: (0, 1)",
        let=f"{LET}\nkept: fitting(five, ['cabs'], [marks('cabs', 'scab')])",
    ).scope["kept"]
    assert kept == tuple(word for word in some if marks("cabs", word) == row)
    assert build("k == 0", variables="k: (0, 1)", let=f"{LET}\nkept: fitting(five, [], [])").scope[
        "kept"
    ] == tuple(some)


def test_the_next_guess() -> None:
    found = build(
        "k == 0",
        variables="k: (0, 1)",
        let=(
            f"{LET}\nfound: next_guesses(five, [five])\na: found.by_average(1)\n"
            f"b: found.by_worst(1)"
        ),
    ).scope
    assert found["a"] == found["b"] == {"baba": "0.80 remain on average, 1 at worst"}


def test_boards_by_answer() -> None:
    scope = build(
        "k == 0",
        variables="k: (0, 1)",
        let=(
            f"{LET}\nfound: boards_of([marks('baba', 'abba'), marks('scab', 'abba')], five, "
            f"five[:3])"
        ),
    ).scope
    assert scope["found"] == {"abba": 1, "baba": 1}


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            "fitting(['ab'], ['abc'], [marks('abc', 'abc')]) == ('ab',)",
            "abc has 3 letters, its marks are 3, and the words have 2",
        ),
        (
            "fitting(['ab'], ['ab'], []) == ('ab',)",
            "expected one row of marks per guess, got 0 for 1",
        ),
        ("fitting(['ab'], ['ab'], ['gg']) == ('ab',)", "expected a row of marks, got 'gg'"),
        (
            "fitting(['ab'], ['ab'], [marks('ab', 'ab')], 'x') == ()",
            "expected one of wordle, set as the marking, got 'x'",
        ),
        ("fitting([1], [], []) == ()", "expected texts as the words, got (1)"),
        (
            "fitting(['a', 'ab'], [], []) == ()",
            "the words must have one length, of at most 40 letters",
        ),
        (
            "len(next_guesses(['abc'], [['ab']]).by_average(1)) == 1",
            "the guesses have 3 letters, the words of a board 2",
        ),
        (
            "len(boards_of([marks('abc', 'abc')], ['ab'], ['ab'])) == 0",
            "rows of marks, words and answers must have the same length, got [2, 3]",
        ),
        ("fitting(['abc'], [w[0]], [marks('a', 'a')]) == ()", "a word cannot depend on an unknown"),
        (
            "len(boards_of([marks('a', 'a')], ['a', 'b'], ['a', 'bc'])) == 0",
            "the answers must have one length, of at most 40 letters",
        ),
        ("next_guesses(['a'], [['a']]).by_letter(1) == {}", "a nextguesses has no .by_letter"),
    ],
)
def test_what_is_refused(rule: str, message: str) -> None:
    assert refusal(rule).message == message
