"""Golden files are what is printed now; each sentence has the parts of its template."""

import re

import pytest

from puzzlekit.sentences.examples import EXAMPLES
from puzzlekit.sentences.sentence import Sentence
from tests.golden_files import GOLDEN, TEXTS, golden_text


@pytest.mark.parametrize("name", TEXTS)
def test_a_golden_file_is_what_is_printed(name: str) -> None:
    assert golden_text(name) == (GOLDEN / name).read_text(encoding="utf-8"), (
        "python -m tests.update writes golden files anew"
    )


def test_there_are_no_other_golden_files() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {*TEXTS}


@pytest.mark.parametrize("sentence_type", EXAMPLES, ids=lambda own: own.__name__)
def test_a_sentence_has_the_parts_of_its_template_and_an_example(
    sentence_type: type[Sentence],
) -> None:
    named = set(re.findall(r"\{(\w+)\}", sentence_type.template))
    assert named == set(sentence_type.parts)
    assert EXAMPLES[sentence_type]
    for example in EXAMPLES[sentence_type]:
        assert vars(example).keys() <= named and not re.search(r"[{}\[\]]", str(example))


def test_an_optional_segment_is_left_out_if_a_part_is_empty() -> None:
    class Both(Sentence):
        template = "a[, {first} and {second}]"
        first: str
        second: str | None = None

    assert str(Both("b", "c")) == "a, b and c"
    assert str(Both("b")) == str(Both("", "c")) == "a"


def test_parts_are_texts_lists_or_sentences_in_json() -> None:
    class Inner(Sentence):
        template = "{word}"
        word: str

    class Outer(Sentence):
        template = "{inner}, {words}[: {more}]"
        inner: Inner
        words: tuple[str, ...]
        more: str = ""

    inner = {"sentence": "Inner", "parts": {"word": "a"}, "text": "a"}
    assert Outer(Inner("a"), ("b", "c")).json() == {
        "sentence": "Outer",
        "parts": {"inner": inner, "words": ["b", "c"]},
    }
