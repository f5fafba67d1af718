"""Folding, and the arrays of a lexicon."""

from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.libraries.words import Lexicon, fold


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
    assert (len(empty), list(empty), empty.alphabet, empty.lengths, empty.left_out) == (0, [], "", (), 1)


def test_joining_is_union() -> None:
    joined = Lexicon.from_words("a", ["on", "up", "1"]).joined(Lexicon.from_words("b", ["õn", "up", "off", "2"]))
    assert list(joined) == ["on", "up", "õn", "off"]
    assert (joined.name, joined.left_out, joined.alphabet) == ("a+b", 2, "fnopuõ")
