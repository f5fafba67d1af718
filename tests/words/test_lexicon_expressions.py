"""What stands where a lexicon is wanted: names, files, sums, differences, so many words."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words import load
from puzzlekit.libraries.words.named_lexicons import parts_of

KNOWN = {"english", "english-common", "my-words.txt", "a+b.txt", "x:5", "a"}


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("english-common", ["+english-common"]),
        ("english-common-english", ["+english-common", "-english"]),
        ("english - english-common", ["+english", "-english-common"]),
        ("my-words.txt+a-a", ["+my-words.txt", "+a", "-a"]),
        ("a+b.txt-a", ["+a+b.txt", "-a"]),
        ("a-a+b.txt", ["+a", "-a+b.txt"]),
        ("english:500", ["+english:500"]),
        ("english-common:500+a:2", ["+english-common:500", "+a:2"]),
        ("common:500", ["+english:500"]),
        ("x:5+a", ["+x:5", "+a"]),
        ("no-such.txt+a", ["+no-such.txt", "+a"]),
        ("english-no-such+a", ["+english", "-no-such", "+a"]),
    ],
)
def test_the_longest_known_name_is_taken(expression: str, parts: list[str]) -> None:
    assert [part.sign + str(part) for part in parts_of(expression, KNOWN.__contains__)] == parts


@given(st.text(alphabet="ab+-:5 "))
def test_any_text_has_parts_or_is_told(text: str) -> None:
    try:
        parts = parts_of(text, KNOWN.__contains__)
    except LexiconError as told:
        assert "lexicon" in str(told)
    else:
        assert parts and all(part.name for part in parts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my-own.txt").write_text("the\nof\nand\nzyx\nto\n")
    (tmp_path / "less.txt").write_text("of\nzyx\n")
    return tmp_path


def test_differences_and_the_commonest(folder: Path) -> None:
    assert list(load("my-own.txt-less.txt", folder)) == ["to", "and", "the"]
    assert list(load("my-own.txt:2", folder)) == ["of", "the"]
    assert set(load("my-own.txt:2-less.txt+less.txt", folder)) == {"the", "of", "zyx"}
    assert load("my-own.txt-less.txt", folder) is load("my-own.txt - less.txt", folder)
    assert "the" not in load("english-my-own.txt", folder) and "water" in load("english-my-own.txt", folder)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("english-commn", "there is no lexicon commn: did you mean english-common?"),
        ("englsh:500", "there is no lexicon englsh: did you mean english?"),
        ("english:0", "the lexicon english:0 would have no words: write a number from 1"),
        ("english:-3", "expected a number of words from 1 to 999,999,999 after the colon in english:-3"),
        ("common:", "after the colon in common:$"),
        ("finnish+common:9999999999", "after the colon in common:9999999999"),
        ("english-", "expected a name in each part of the lexicon 'english-'"),
        ("-english", "there is no lexicon -english: did you mean english?"),
        ("english-english", "no words are left in the lexicon english-english"),
        ("less.txt:1", "the lexicon less.txt does not say which of its words are common"),
        ("english-no-such.txt", "there is no file no-such.txt in "),
    ],
)
def test_what_cannot_be_is_told(expression: str, message: str, folder: Path) -> None:
    with pytest.raises(LexiconError, match=message):
        load(expression, folder)
