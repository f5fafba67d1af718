"""How common words are: ranks, what becomes of them where lexicons are joined, and rarity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words import Lexicon, in_order, load, rarities, rarity

WORDS = st.lists(st.text(alphabet="abé", min_size=1, max_size=3), max_size=12)


def ranks(lexicon: Lexicon) -> dict[str, int | None]:
    return {word: lexicon.rank(word) for word in lexicon}


def test_words_that_were_never_seen_share_the_last_rank() -> None:
    lexicon = Lexicon.from_words("small", ["up", "on", "off", "in"], order=["Off", "no", "off", "on"])
    assert ranks(lexicon) == {"off": 1, "on": 2, "in": 3, "up": 3}
    assert lexicon.rank("ON") == 2 and lexicon.rank("no") is None
    assert lexicon.ranks is not None
    with pytest.raises(ValueError, match="read-only"):
        lexicon.ranks[2][0] = 1


def test_a_lexicon_without_an_order_ranks_nothing() -> None:
    lexicon = Lexicon.from_words("small", ["up", "on"])
    assert ranks(lexicon) == {"on": None, "up": None}
    for asked in (lambda: lexicon.commonest(1), lambda: rarity(lexicon, "up"), lambda: rarities(lexicon, np.array(["up"]))):
        with pytest.raises(LexiconError, match="the lexicon small does not say which of its words are common"):
            asked()


@given(WORDS, WORDS)
def test_a_joined_word_has_its_best_rank(one: list[str], other: list[str]) -> None:
    a, b = Lexicon.from_words("a", one, one), Lexicon.from_words("b", other, other)
    joined = a.joined(b)
    assert set(joined) == {*one, *other}
    for word in joined:
        assert joined.rank(word) == min(rank for rank in (a.rank(word), b.rank(word)) if rank is not None)


@given(WORDS, WORDS)
def test_what_is_taken_away_leaves_the_ranks(one: list[str], other: list[str]) -> None:
    a, b = Lexicon.from_words("a", one, one), Lexicon.from_words("b", other)
    left = a.without(b)
    assert set(left) == set(one) - set(other)
    assert all(left.rank(word) == a.rank(word) for word in left)
    assert left.left_out == a.left_out


@given(WORDS, st.integers(1, 12))
def test_the_commonest_words_are_the_first(words: list[str], number: int) -> None:
    lexicon = Lexicon.from_words("a", words, words)
    first = lexicon.commonest(number)
    assert sorted(first) == sorted(list(dict.fromkeys(words))[:number])
    assert first.name == f"a:{number}"


@given(WORDS)
def test_without_accents(words: list[str]) -> None:
    lexicon = Lexicon.from_words("a", words, words)
    bare = lexicon.without_accents()
    assert set(bare) == {word.replace("é", "e") for word in words}
    for word in bare:
        assert bare.rank(word) == min(lexicon.rank(w) or 99 for w in words if w.replace("é", "e") == word)


@pytest.mark.parametrize(
    ("words", "ordered"),
    [
        (["the", "of", "and", "to"], True),
        (["able", "bed", "Cat", "dog"], False),
        (["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr", "st", "uv", "abc", "bcd", "cde"], False),  # by length
        (["word"], False),
        ([], False),
    ],
)
def test_a_file_in_the_order_of_the_alphabet_says_nothing(words: list[str], ordered: bool, tmp_path: Path) -> None:
    assert (in_order(words) is not None) == ordered
    if words:
        (tmp_path / "words.txt").write_text("\n".join(words))
        assert (load("words.txt", tmp_path).ranks is not None) == ordered


def test_the_named_lexicons_know_what_is_common() -> None:
    english, common = load("english"), load("english-common")
    assert [english.rank(word) for word in ("the", "of", "and")] == [1, 2, 3]
    assert set(load("english:20000")) == set(common)
    assert all(common.rank(word) == english.rank(word) for word in list(common)[::500])
    assert set(load("common:500")) == set(load("english:500")) and len(load("common:500")) == 500


def test_finnish_is_ordered_by_wordfreq() -> None:
    pytest.importorskip("wordfreq")
    finnish = load("finnish")
    assert [finnish.rank(word) for word in ("ja", "on")] == [1, None]  # on is a form of olla
    assert (finnish.rank("kissa") or 0) < (finnish.rank("aakkosjärjestys") or 0)


@given(st.lists(st.text(alphabet="abcd", min_size=1, max_size=4), min_size=1))
def test_many_rarities_are_those_of_each(asked: list[str]) -> None:
    order = ["a", "ab", "b", "abc", "dcba", "cab", "cd"]
    lexicon = Lexicon.from_words("small", [*order, "dd", "ddd"], order)
    each = [rarity(lexicon, word) for word in asked]
    assert rarities(lexicon, np.array(asked)).tolist() == each
    for word, expected in zip(asked, each):
        assert rarities(lexicon, np.array([list(word)])).tolist() == [expected]


def test_rarity_grows_by_ten_with_every_doubling() -> None:
    words = [f"{a}{b}" for a in "zyxwvuts" for b in "zyxwvuts"]
    lexicon = Lexicon.from_words("small", words, words)
    assert [rarity(lexicon, words[rank - 1]) for rank in (1, 2, 4, 8, 16, 32, 64)] == [0, 10, 20, 30, 40, 50, 60]
    assert rarity(lexicon, "qq") == 60
