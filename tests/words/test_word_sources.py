"""Named lexicons, files of strangers, and what is said when there are none."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, strategies as st

import puzzlekit
from puzzlekit.errors import LexiconError, Problems
from puzzlekit.libraries.words import (
    NamedLexicon,
    fold,
    larger,
    largest,
    load,
    named_lexicons,
    sources,
    table,
)
from puzzlekit.libraries.words.sources import terms_of
from tests.commands import called

DATA = Path(__file__).parents[3] / "shared" / "data"

needs_data = pytest.mark.skipif(
    not (DATA / "finnish-words.txt").exists(), reason="the real puzzles are not here"
)


Loader = Callable[[], Iterable[str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec's folder, with the working directory elsewhere."""
    (tmp_path / "here").mkdir()
    (tmp_path / "spec").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "spec"


def source(name: str) -> NamedLexicon:
    return next(source for source in table() if source.name == name)


def test_english_is_the_list_of_wordsegment() -> None:
    english = load("english")
    assert (len(english), len(english.of_length(5)), english.left_out) == (178_758, 8_938, 0)
    assert english.alphabet == "abcdefghijklmnopqrstuvwxyz"
    assert "wordsegment" not in sys.modules


def test_each_english_lexicon_is_within_the_next() -> None:
    common, english, wide = (
        set(load(name)) for name in ("english-common", "english", "english-wide")
    )
    assert common < english < wide
    assert len(common) == 20_000
    assert {"water", "their", "hello"} <= common
    assert min(map(len, wide)) >= 2


def test_finnish_has_no_names_and_no_hyphens() -> None:
    finnish = load("finnish")
    assert 91_000 < len(finnish) < 93_000
    assert "aakkosjärjestys" in finnish and "šakki" in finnish
    assert "Koraani" not in finnish and "kerho" in finnish
    assert finnish.left_out > 900
    assert "xkcdpass" not in sys.modules


@needs_data
def test_finnish_is_the_reference_list_and_foreign_letters_and_short_words() -> None:
    finnish, reference = set(load("finnish")), set(load("finnish-words.txt", DATA))
    more = finnish - reference
    assert all(
        len(word) < 3 or not set(word) <= set("abcdefghijklmnopqrstuvwxyzåäö") for word in more
    )
    # xkcdpass leaves out the profanities of the original list.
    assert len(reference - finnish) < 60


def test_the_table_is_in_order() -> None:
    names = [source.name for source in table()]
    assert len(set(names)) == len(names)
    assert all(source.larger is None or source.larger in names for source in table())
    assert all(source.about and source.licence for source in table())
    assert all(fold(name) == name and "+" not in name and "." not in name for name in names)


@pytest.mark.parametrize(
    ("expression", "next_one", "last", "spoken"),
    [
        ("english-familiar", "english-common", "english-wide", ["english"]),
        ("english-common", "english", "english-wide", ["english"]),
        ("english-wide", None, "english-wide", ["english"]),
        ("finnish-familiar", "finnish", "finnish", ["finnish"]),
        ("finnish", None, "finnish", ["finnish"]),
        ("nonesuch", None, "nonesuch", ["english"]),
        ("words/mine.txt", None, "words/mine.txt", ["english"]),
        ("", None, "", ["english"]),
        ("english+extra.txt", "english-wide+extra.txt", "english-wide+extra.txt", ["english"]),
        ("english-common:500+x.txt", "english-common+x.txt", "english-wide+x.txt", ["english"]),
        (
            "finnish + english-common",
            "finnish+english",
            "finnish+english-wide",
            ["finnish", "english"],
        ),
        ("english-common+english", "english+english-wide", "english-wide", ["english"]),
        ("english+english-wide", "english-wide", "english-wide", ["english"]),
        ("finnish+finnish", None, "finnish+finnish", ["finnish"]),
        ("common:500+extra.txt", "english+extra.txt", "english-wide+extra.txt", ["english"]),
        (
            "english-common-english",
            "english-english",
            "english-wide-english",
            ["english"],
        ),  # what is taken away stays
        ("finnish-english", None, "finnish-english", ["finnish"]),
    ],
)
def test_larger_lexicons_and_languages(
    expression: str, next_one: str | None, last: str, spoken: list[str]
) -> None:
    assert larger(expression) == next_one
    assert largest(expression) == last
    assert sources.languages(expression) == spoken


def test_a_second_load_gives_the_same_object(folder: Path) -> None:
    (folder / "extra.txt").write_text("zzz\n")
    assert load("english") is load(" english ") is load("english+english")
    assert load("extra.txt", folder) is load("./extra.txt", folder)
    assert load("finnish+extra.txt", folder) is load("finnish + extra.txt", folder)


def test_lexicons_are_joined(folder: Path) -> None:
    (folder / "extra.txt").write_text("Zzz\nabc\n")
    joined = load("english-common+extra.txt", folder)
    assert "zzz" in joined and "water" in joined
    assert joined.name == "english-common+extra.txt"


def test_a_changed_file_is_read_again(folder: Path) -> None:
    path = folder / "extra.txt"
    path.write_text("one\n")
    assert list(load("extra.txt", folder)) == ["one"]
    path.write_text("three\n")
    assert list(load("extra.txt", folder)) == ["three"]


def test_the_folder_of_the_spec_comes_first(folder: Path) -> None:
    Path("both.txt").write_text("here\n")
    Path("mine").write_text("here\n")
    (folder / "both.txt").write_text("spec\n")
    assert list(load("both.txt", folder)) == ["spec"]
    assert list(load("both.txt")) == ["here"]
    assert list(load("mine", folder)) == ["here"]
    assert list(load(str(folder / "both.txt"))) == ["spec"]


def test_a_name_comes_before_a_file(folder: Path) -> None:
    (folder / "english").write_text("mine\n")
    assert "mine" in load("english", folder) and len(load("english", folder)) > 1
    assert list(load("./english", folder)) == ["mine"]


def test_line_ends_marks_and_blanks_do_not_matter(folder: Path) -> None:
    (folder / "odd.txt").write_bytes(b"\xef\xbb\xbfone\r\n\r\n  two \rthree\n4\n")
    odd = load("odd.txt", folder)
    assert (list(odd), odd.left_out) == (["one", "two", "three"], 1)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("englsh", "there is no lexicon englsh\ndid you mean english?"),
        ("zzzzzzz", "there is no lexicon zzzzzzz\npuzzlekit words lists the lexicons"),
        ("nothing.txt", "there is no file nothing.txt in .*spec and the working directory"),
        ("some/nothing", "there is no file some/nothing in "),
        ("a\x1b[31m\0.txt", r"there is no file a·\[31m·.txt in "),
        ("x" * 5000, "there is no lexicon …x{199}\n"),
        ("", "expected a name in each part of the lexicon ''"),
        ("english+", "expected a name in each part of the lexicon 'english\\+'"),
        ("+".join(map(str, range(17))), "a lexicon has at most 16 parts"),
        ("../spec", "/../spec is a folder"),
        ("empty.txt", "empty.txt has no words: write one word per line, of letters only"),
        ("latin.txt", "latin.txt is not UTF-8 text: see its byte 6"),
        ("sixteen.txt", "sixteen.txt is not UTF-8 text: see its byte 1"),
        ("english-commn", "there is no lexicon commn\ndid you mean english-common?"),
        ("englsh:500", "there is no lexicon englsh\ndid you mean english?"),
        ("english:0", "the lexicon english:0 would have no words: write a number from 1"),
        (
            "english:-3",
            "expected a number of words from 1 to 999,999,999 after the colon in english:-3",
        ),
        ("common:", "after the colon in common:$"),
        ("finnish+common:9999999999", "after the colon in common:9999999999"),
        ("english-", "expected a name in each part of the lexicon 'english-'"),
        ("-english", "there is no lexicon -english\ndid you mean english?"),
        ("english-english", "no words are left in the lexicon english-english"),
        ("less.txt:1", "the lexicon less.txt does not say which of its words are common"),
        ("english-no-such.txt", "there is no file no-such.txt in "),
    ],
)
def test_what_cannot_be_used_is_told(folder: Path, expression: str, message: str) -> None:
    (folder / "empty.txt").write_text("\n\n123\n")
    (folder / "less.txt").write_text("of\nzyx\n")
    (folder / "latin.txt").write_bytes(b"secre\xe4\n")
    (folder / "sixteen.txt").write_bytes("secret".encode("utf-16"))
    with pytest.raises(LexiconError, match=message) as told:
        load(expression, folder)
    assert "secre" not in str(told.value)
    assert told.value.__cause__ is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_device_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    for expression in ("pipe.txt", os.devnull):
        with pytest.raises(LexiconError, match="is not a regular file"):
            load(expression, folder)


def test_a_large_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "large.txt").write_text("elevenchars")
    (folder / "ten.txt").write_text("tencharsss")
    monkeypatch.setattr(named_lexicons, "LEXICON_BYTES", 10)
    assert len(load("ten.txt", folder)) == 1
    with pytest.raises(LexiconError, match=r"large\.txt is larger than"):
        load("large.txt", folder)


def test_a_file_that_may_not_be_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (folder / "mine.txt").write_text("word")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(LexiconError, match=r"mine\.txt cannot be read: Permission denied"):
        load("mine.txt", folder)


@pytest.mark.usefixtures("new_process")
def test_a_large_file_is_kept_on_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sources, "UNCACHED_BYTES", 10)
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "cache"))
    (folder / "small.txt").write_text("word\n")
    (folder / "large.txt").write_text("word\nanother\n1\n")
    load("small.txt", folder)
    first = load("large.txt", folder)
    assert len(list((tmp_path / "cache").iterdir())) == 1
    monkeypatch.setattr(sources, "_loaded", {})
    monkeypatch.setattr(sources, "read_lines", lambda _: pytest.fail("read again"))
    second = load("large.txt", folder)
    assert second is not first
    assert (list(second), second.left_out, second.name) == (["word", "another"], 1, "large.txt")


@pytest.mark.usefixtures("new_process")
def test_the_extra_languages_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(LexiconError) as told:
        source("french").loader()
    assert str(told.value) == "the lexicon french needs the extra languages"
    assert told.value.help == "pip install -e '.[languages]' in the clone of puzzlekit"


@pytest.mark.usefixtures("new_process")
def test_a_language_has_words_in_its_own_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    def frequencies(code: str, wordlist: str) -> dict[str, float]:
        assert (code, wordlist) == ("fr", "best")
        return {
            "Été": 0.1,
            "l": 0.1,
            "τουσ": 0.1,
            "aujourd'hui": 0.1,
            "œuvre": 0.1,
            "42": 0.1,
            "été": 0.1,
        }

    module = ModuleType("wordfreq")
    module.get_frequency_dict = frequencies  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wordfreq", module)
    assert [fold(word) for word in source("french").loader()] == ["été", "œuvre", "été"]


@pytest.mark.parametrize(
    ("loader", "package"),
    [
        *(
            (source(name).loader, source(name).package)
            for name in ("english", "english-wide", "english-common", "finnish")
        ),
        (named_lexicons.offensive_words("finnish"), "glin-profanity"),
        (lambda: named_lexicons.familiar_english(["water"]), "xkcdpass"),
    ],
)
def test_a_missing_package_is_named(
    loader: Loader, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_lexicons, "find_spec", lambda _: None)
    with pytest.raises(LexiconError, match=rf"needs the package {package}\npip install {package}"):
        list(loader())


@pytest.mark.usefixtures("new_process")
def test_a_package_without_a_version_is_not_kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "version_of", lambda package: "")
    monkeypatch.setattr(sources, "cached", lambda *_: pytest.fail("kept"))
    assert load("finnish") is load("finnish")


@pytest.mark.usefixtures("new_process")
def test_the_list_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "SYSTEM", tmp_path / "words")
    with pytest.raises(LexiconError, match="words cannot be read: No such file"):
        load("system")
    (tmp_path / "words").write_text("Aachen\naardvark's\naardvark\n")
    system = load("system")
    assert (list(system), system.name, system.left_out) == (["aachen", "aardvark"], "system", 1)


def test_two_missing_lexicons_have_one_hint(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        "puzzle: wordle\nguesses: {crane: bybbg}\nanswers: nowhere\nwords: nothere\n"
    )
    with pytest.raises(Problems) as told:
        puzzlekit.load("wordle", tmp_path / "spec.yaml")
    assert [problem.message for problem in told.value.problems] == [
        f"there is no lexicon {x}" for x in ("nowhere", "nothere")
    ]
    assert [bool(problem.help) for problem in told.value.problems] == [True, False]


def test_two_lexicons_without_a_solution_have_one_hint(tmp_path: Path) -> None:
    text = (
        "puzzle: wordle\nguesses: {crane: ggggb, crank: bbbbb}\nanswers: english-common\n"
        "suggestions: 0\n"
    )
    (tmp_path / "spec.yaml").write_text(text)
    run = called("solve", str(tmp_path / "spec.yaml"))
    assert run.stdout.count("the next larger lexicon") == 1
    assert (
        "the lexicons were english-common (20,000 words) and english (178,758 words)" in run.stdout
    )
    assert "--lexicon english-wide" in run.stdout


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
    assert [part.sign + str(part) for part in terms_of(expression, KNOWN.__contains__)] == parts


@given(st.text(alphabet="ab+-:5 "))
def test_any_text_has_parts_or_is_told(text: str) -> None:
    try:
        parts = terms_of(text, KNOWN.__contains__)
    except LexiconError as told:
        assert "lexicon" in str(told)
    else:
        assert parts and all(part.name for part in parts)


def test_differences_and_the_commonest(folder: Path) -> None:
    (folder / "my-own.txt").write_text("the\nof\nand\nzyx\nto\n")
    (folder / "less.txt").write_text("of\nzyx\n")
    assert list(load("my-own.txt-less.txt", folder)) == ["to", "and", "the"]
    assert list(load("my-own.txt:2", folder)) == ["of", "the"]
    assert set(load("my-own.txt:2-less.txt+less.txt", folder)) == {"the", "of", "zyx"}
    assert load("my-own.txt-less.txt", folder) is load("my-own.txt - less.txt", folder)
    assert "the" not in load("english-my-own.txt", folder) and "water" in load(
        "english-my-own.txt", folder
    )
