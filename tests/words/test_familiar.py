"""Words that players know, and words that offend."""

from pathlib import Path

import pytest
from wordfreq import zipf_frequency

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words import load, named_lexicons, table


def test_familiar_words_are_common_and_no_names_and_no_forms_in_s() -> None:
    known = load("english-familiar")
    assert {"water", "cocoa", "duvet", "torus", "lurch", "wings"} - set(known) == {
        "torus",
        "lurch",
        "wings",
    }  # too rare; -s
    assert not {"burke", "merle", "texas", "kelly", "peter", "wives", "parties", "has"} & set(known)
    assert {"glass", "minus", "virus"} <= set(known)
    assert set(known) < set(load("english-common"))
    assert known.rank("water") is not None and known.rank("water") < known.rank("cocoa")


def test_nineteen_of_twenty_familiar_words_are_common_by_another_count() -> None:
    five = load("english-familiar").of_length(5)
    assert len(five) > 1_500
    assert sum(zipf_frequency(word, "en") >= 3 for word in five) > 0.95 * len(five)


def test_familiar_finnish_words_are_the_commonest() -> None:
    common, finnish = load("finnish-familiar"), load("finnish")
    assert set(common) < set(finnish)
    assert 9_900 < len(common) <= 10_000
    assert "talo" in common and "aakkosellisuus" not in common


@pytest.mark.parametrize(
    "source", [source for source in table() if source.package], ids=lambda source: source.name
)
def test_each_language_has_offensive_words(source) -> None:  # type: ignore[no-untyped-def]
    assert 10 < len(load(f"{source.language}-offensive")) < 2_000


def test_all_forms_of_an_offensive_word_offend() -> None:
    offensive = set(load("english-offensive"))
    assert {"rape", "raped", "rapes"} <= offensive
    assert not {"water", "the", "bass"} & offensive
    assert "perse" in load("finnish-offensive")
    clean = load("english-common-english-offensive")
    assert "bitch" in load("english-common") and "bitch" not in clean and "water" in clean
    assert not [source.name for source in table() if source.name.endswith("offensive")]


def test_a_list_that_is_damaged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[]")
    monkeypatch.setattr(named_lexicons, "package_file", lambda *names: tmp_path / "list.json")
    with pytest.raises(LexiconError, match="cannot be read"):
        named_lexicons.offensive_words("finnish")()
