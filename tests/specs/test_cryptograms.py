"""Cryptograms: letters that stand in unknown words only are open, and the reading is counted once."""

from pathlib import Path

import puzzlekit

WORDS = "words: [cat, dog, cod, act]\n"


def solutions(tmp_path: Path, text: str, more: str = "") -> list[tuple[str, dict[str, str]]]:
    (tmp_path / "spec.yaml").write_text(f"puzzle: cryptogram\ntext: {text}\n{WORDS}{more}")
    puzzle = puzzlekit.load("cryptogram", tmp_path / "spec.yaml")
    return sorted((found["reading"][0][1][0], dict(found["letter"])) for found in puzzle.solve(goal=None))


def test_a_letter_in_an_unknown_word_only_is_open(tmp_path: Path) -> None:
    read = [reading for reading, _ in solutions(tmp_path, "Wqs xqy", "unknown_words: 1\n")]
    assert {"Cat ?a?", "?o? cod"} <= set(read)
    assert all(reading.count("?") == 2 for reading in read if "?" in reading)
    assert not any(letter == "?" for _, letters in solutions(tmp_path, "Wqs") for letter in letters.values())


def test_a_known_letter_is_not_open(tmp_path: Path) -> None:
    read = [reading for reading, _ in solutions(tmp_path, "Wqs xqy", "unknown_words: 1\nknown: {y: g}\n")]
    assert "Cat ?ag" in read and "Cat ?a?" not in read


def test_open_letters_may_be_several_but_others_differ(tmp_path: Path) -> None:
    for reading, letters in solutions(tmp_path, "Wqs xyz", "unknown_words: 1\n"):
        plain = [letter for letter in letters.values() if letter != "?"]
        assert len(set(plain)) == len(plain), reading
    read = [reading for reading, _ in solutions(tmp_path, "Wqs xyz", "unknown_words: 1\n")]
    assert read.count("Cat ???") == 1


def test_readings_are_ranked_by_how_words_follow_each_other(tmp_path: Path) -> None:
    words = "[the, and, can, man, old, sea]"
    (tmp_path / "spec.yaml").write_text(f"puzzle: cryptogram\ntext: Uif pme nbo boe uif tfb.\nwords: {words}\n")
    puzzle = puzzlekit.load("cryptogram", tmp_path / "spec.yaml")
    first = {goal: next(iter(puzzle.solve(rank=goal)))["reading"][0][1][0] for goal in ("likely", "common")}
    assert first == {"likely": "The old man and the sea.", "common": "The old can and the sea."}


def test_names_are_words_of_the_default_lexicon(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text("puzzle: cryptogram\ntext: She sold her house and moved to Paris.\n")
    words = puzzlekit.load("cryptogram", tmp_path / "spec.yaml").instance.data["words"]
    assert {"paris", "mary", "sunday", "a", "house"} <= set(words) and "zyzz" not in words
