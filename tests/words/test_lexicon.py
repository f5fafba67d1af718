"""Folding, the arrays of a lexicon, and how common words are: ranks,
also where lexicons are joined, and rarity.
"""

from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given, strategies as st

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words import Lexicon, fold, in_order, load, rarities, rarity


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_equivalent_texts_fold_alike(text: str) -> None:
    assert fold(normalize("NFD", text)) == fold(normalize("NFC", text)) == fold(text)


@given(st.lists(st.text(alphabet="abÄß1-\u0308 ", max_size=5)))
def test_a_lexicon_holds_what_is_only_letters(lines: list[str]) -> None:
    folded = [fold(line.strip()) for line in lines]
    words = {word for word in folded if word.isalpha()}
    lexicon = Lexicon.from_words("any", lines)
    assert list(lexicon) == sorted(words, key=lambda word: (len(word), word))
    assert len(lexicon) == len(words)
    assert lexicon.left_out == sum(bool(word) and not word.isalpha() for word in folded)
    assert lexicon.alphabet == "".join(sorted(set("".join(words))))
    assert lexicon.lengths == tuple(sorted(set(map(len, words))))
    assert all(word in lexicon and word.upper() in lexicon for word in words)


def test_codes_are_sorted_indexes_into_the_alphabet() -> None:
    lexicon = Lexicon.from_words("small", ["tee", "öde", "TEE", "eat", "to"])
    assert lexicon.alphabet == "adeotö"
    assert lexicon.codes[3].tolist() == [[2, 0, 4], [4, 2, 2], [5, 1, 2]]
    assert lexicon.codes[3].dtype == np.uint8
    assert lexicon.letters_of_length(3).tolist() == [list("eat"), list("tee"), list("öde")]
    assert lexicon.letters_of_length(3).dtype == np.dtype("<U1")


def test_a_large_alphabet_has_wide_codes() -> None:
    letters = [chr(point) for point in range(0x4E00, 0x4E00 + 257)]
    assert Lexicon.from_words("256", letters[:256]).codes[1].dtype == np.uint8
    wide = Lexicon.from_words("257", letters)
    assert wide.codes[1].dtype == np.uint16
    assert wide.of_length(1) == tuple(letters)


def test_letters_beyond_the_basic_plane() -> None:
    lexicon = Lexicon.from_words("shavian", ["𐑐𐑤𐑨𐑯", "𐑑𐑰"])
    assert lexicon.of_length(2) == ("𐑑𐑰",)
    assert lexicon.letters_of_length(4).tolist() == [list("𐑐𐑤𐑨𐑯")]


def test_casefolding_may_change_the_length() -> None:
    assert list(Lexicon.from_words("german", ["Straße"])) == ["strasse"]


def test_words_of_a_length_are_one_object() -> None:
    lexicon = Lexicon.from_words("small", ["on", "up"])
    assert lexicon.of_length(2) is lexicon.of_length(2)
    assert lexicon.of_length(9) == ()
    assert lexicon.letters_of_length(9).shape == (0, 9)


def test_a_lexicon_cannot_be_written_to() -> None:
    lexicon = Lexicon.from_words("small", ["on"])
    with pytest.raises(ValueError, match="read-only"):
        lexicon.codes[2][0, 0] = 1
    with pytest.raises(TypeError):
        lexicon.codes[3] = lexicon.codes[2]  # type: ignore[index]


def test_only_strings_are_words() -> None:
    assert 5 not in Lexicon.from_words("small", ["on"])


def test_a_lexicon_without_words() -> None:
    empty = Lexicon.from_words("empty", ["", "  ", "1"])
    assert (len(empty), list(empty), empty.alphabet, empty.lengths, empty.left_out) == (
        0,
        [],
        "",
        (),
        1,
    )


def test_joining_is_union() -> None:
    joined = Lexicon.from_words("a", ["on", "up", "1"]).joined(
        Lexicon.from_words("b", ["õn", "up", "off", "2"])
    )
    assert list(joined) == ["on", "up", "õn", "off"]
    assert (joined.name, joined.left_out, joined.alphabet) == ("a+b", 2, "fnopuõ")


WORDS = st.lists(st.text(alphabet="abé", min_size=1, max_size=3), max_size=12)


def ranks(lexicon: Lexicon) -> dict[str, int | None]:
    return {word: lexicon.rank(word) for word in lexicon}


def test_words_that_were_never_seen_share_the_last_rank() -> None:
    lexicon = Lexicon.from_words(
        "small", ["up", "on", "off", "in"], order=["Off", "no", "off", "on"]
    )
    assert ranks(lexicon) == {"off": 1, "on": 2, "in": 3, "up": 3}
    assert lexicon.rank("ON") == 2 and lexicon.rank("no") is None
    assert lexicon.ranks is not None
    with pytest.raises(ValueError, match="read-only"):
        lexicon.ranks[2][0] = 1


def test_a_lexicon_without_an_order_ranks_nothing() -> None:
    lexicon = Lexicon.from_words("small", ["up", "on"])
    assert ranks(lexicon) == {"on": None, "up": None}
    for asked in (
        lambda: lexicon.commonest(1),
        lambda: rarity(lexicon, "up"),
        lambda: rarities(lexicon, np.array(["up"])),
    ):
        with pytest.raises(
            LexiconError, match="the lexicon small does not say which of its words are common"
        ):
            asked()


@given(WORDS, WORDS)
def test_a_joined_word_has_its_best_rank(one: list[str], other: list[str]) -> None:
    a, b = Lexicon.from_words("a", one, one), Lexicon.from_words("b", other, other)
    joined = a.joined(b)
    assert set(joined) == {*one, *other}
    for word in joined:
        assert joined.rank(word) == min(
            rank for rank in (a.rank(word), b.rank(word)) if rank is not None
        )


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
        assert bare.rank(word) == min(
            lexicon.rank(w) or 99 for w in words if w.replace("é", "e") == word
        )


@pytest.mark.parametrize(
    ("words", "ordered"),
    [
        (["the", "of", "and", "to"], True),
        (["able", "bed", "Cat", "dog"], False),
        (
            ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op", "qr", "st", "uv", "abc", "bcd", "cde"],
            False,
        ),  # by length
        (["word"], False),
        ([], False),
    ],
)
def test_a_file_in_the_order_of_the_alphabet_says_nothing(
    words: list[str], ordered: bool, tmp_path: Path
) -> None:
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
    assert [rarity(lexicon, words[rank - 1]) for rank in (1, 2, 4, 8, 16, 32, 64)] == [
        0,
        10,
        20,
        30,
        40,
        50,
        60,
    ]
    assert rarity(lexicon, "qq") == 60
