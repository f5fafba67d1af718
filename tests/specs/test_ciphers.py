"""Ciphers and cryptograms: each rule by an instance that breaks only that rule,
against all letters that could be.
"""

from collections.abc import Container
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.errors import Problems
from puzzlekit.render.build import scenes_of
from puzzlekit.render.layout import draw
from tests.limits import replaced

WORDS = ["to", "ton", "not", "nut", "tot"]


def puzzle(tmp_path: Path, kind: str, **fields: Any) -> Puzzle:
    path = tmp_path / "spec.yaml"
    path.write_text(
        "".join(
            f"{name}: {value}\n"
            for name, value in {"words": f"[{', '.join(WORDS)}]", **fields}.items()
        )
    )
    return load(kind, path)


def letters(spec: Puzzle) -> set[str]:
    return {"".join(solution["letter"].values()) for solution in spec.solve()}


def test_every_sequence_spells_words(tmp_path: Path) -> None:
    assert letters(puzzle(tmp_path, "cipher", sequences="[[1, 2, 3]]")) == {"ton", "not", "nut"}
    assert letters(puzzle(tmp_path, "cipher", sequences="[[1, 2, 1]]")) == {"to"}
    assert letters(puzzle(tmp_path, "cipher", sequences="[[1, 2, 3, /, 1, 2]]")) == {"ton"}
    assert letters(puzzle(tmp_path, "cipher", sequences="[[1, 2, 3, _, 3, 2]]", blank="_")) == {
        "not"
    }
    assert letters(puzzle(tmp_path, "cipher", sequences="[[1, 2, 3, 4]]")) == set()


def test_letters_that_are_known_or_allowed(tmp_path: Path) -> None:
    three = {"sequences": "[[1, 2, 3]]"}
    assert letters(puzzle(tmp_path, "cipher", **three, known="{1: n}")) == {"not", "nut"}
    assert letters(puzzle(tmp_path, "cipher", **three, allowed="{2: uv}")) == {"nut"}
    assert (
        letters(puzzle(tmp_path, "cipher", **three, known="{1: n}", allowed="{2: ou, 1: t}"))
        == set()
    )


def test_a_letter_may_have_several_symbols(tmp_path: Path) -> None:
    assert letters(puzzle(tmp_path, "cipher", sequences="[[1, 2, 3]]", one_to_one="false")) == {
        "ton",
        "not",
        "nut",
        "tot",
    }


def test_what_is_asked_of_a_symbol_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Problems, match="4 is not one of 1, 2, 3"):
        puzzle(tmp_path, "cipher", sequences="[[1, 2, 3]]", allowed="{4: a}")
    with pytest.raises(Problems, match="x is not one of a, b, c"):
        puzzle(tmp_path, "cryptogram", text="abc", known="{x: a}")


def test_the_solution_shows_letters_below_symbols(tmp_path: Path) -> None:
    (solution,) = puzzle(tmp_path, "cipher", sequences="[[aa, b, c, /, aa, b]]").solve()
    assert solution.json()["words"] == ["ton to"]
    (scene,) = scenes_of(solution.instance, solution.assignment)
    assert [str(line) for line in draw([scene], colour=False)] == [
        "  aa B  C     aa B",
        "   T  O  N     T  O",
    ]


def texts(spec: Puzzle) -> set[str]:
    return {
        " / ".join(plain for _, (plain,) in solution.json()["reading"]) for solution in spec.solve()
    }


def test_a_text_keeps_its_lines_capitals_and_marks(tmp_path: Path) -> None:
    found = puzzle(tmp_path, "cryptogram", text='|\n  Xyz-XY,\n  "Zyx" 12!')
    assert texts(found) == {'Ton-TO, / "Not" 12!'}


def test_a_letter_stands_for_another_one(tmp_path: Path) -> None:
    assert texts(puzzle(tmp_path, "cryptogram", text="tob")) == {"nut"}
    assert texts(puzzle(tmp_path, "cryptogram", text="tob", itself="yes")) == {"ton", "not", "nut"}
    assert texts(puzzle(tmp_path, "cryptogram", text="abc", known="{b: o, a: t}")) == {"ton"}
    assert texts(puzzle(tmp_path, "cryptogram", text="aba")) == {"tot"}


def test_words_of_one_letter_and_with_an_apostrophe(tmp_path: Path) -> None:
    assert texts(puzzle(tmp_path, "cryptogram", text="x")) == {"a", "i", "o"}
    assert texts(puzzle(tmp_path, "cryptogram", text="x", short="[u, é]", words="[é, u]")) == {
        "u",
        "é",
    }
    words = "[to, ton, not, nut, tot]"
    assert texts(
        puzzle(tmp_path, "cryptogram", text="xyz'k", words=words, contracted="[o'clock]")
    ) == {
        "ton's",
        "not's",
        "nut's",
    }
    assert texts(
        puzzle(tmp_path, "cryptogram", text="xyz'k", words=words, contracted="[don't]")
    ) >= {"don't", "ton's"}
    assert texts(
        puzzle(tmp_path, "cryptogram", text="xy’kl", words=words, contracted="[to've, it'ss]")
    ) == {"to’ve"}


def opened(values: str, symbols: str, words: list[str], known: Container[str]) -> str:
    """The letters of symbols, ? for those that stand in unknown words only."""
    read = {
        word: "".join(values[symbols.index(symbol)] for symbol in word) in known for word in words
    }
    return "".join(
        value if any(read[word] for word in words if symbol in word) else "?"
        for symbol, value in zip(symbols, values)
    )


@pytest.mark.parametrize("unknown", [0, 1, 2])
def test_words_that_are_unknown(unknown: int, tmp_path: Path) -> None:
    """All ways to read three words, so many of which may be none: found, counted,
    and the fewest.
    """
    words = ["ab", "cb", "bd"]
    symbols, alphabet = "abcd", "notu"
    known = {*WORDS}
    missing = {
        opened("".join(values), symbols, words, known): sum(
            "".join(values[symbols.index(s)] for s in word) not in known for word in words
        )
        for values in permutations(alphabet)
        if all(symbol != value for symbol, value in zip(symbols, values))
    }
    spec = puzzle(tmp_path, "cryptogram", text="ab cb bd", unknown_words=unknown)
    assert letters(spec) == {values for values, number in missing.items() if number <= unknown}
    assert spec.count() == len(letters(spec))
    best = spec.best("fewest_unknown")
    fewest = min(missing.values())
    assert (best is not None) == (fewest <= unknown)
    assert best is None or missing["".join(best["letter"].values())] == fewest


@pytest.mark.parametrize("many", [20_000, 0], ids=["sorted", "by bands"])
@pytest.mark.parametrize("unknown", [0, 1, 2, 3])
def test_words_that_are_unknown_are_rarer_than_all(unknown: int, many: int, tmp_path: Path) -> None:
    """All ways to read three words by what they cost: the words' rarities,
    and 100 more for each that is unknown.
    """
    words, order = ["abcd", "cb", "bd"], ["tu", "no", "tuno", "on", "ut", "nut", "zzzz", "uton"]
    rarity = dict(zip(order, [0, 10, 16, 20, 23, 26, 28, 30]))
    wanted = {}
    for values in permutations("notuz", 4):
        read = ["".join(values["abcd".index(s)] for s in word) for word in words]
        missing = sum(word not in rarity for word in read)
        if missing <= unknown and all(symbol != value for symbol, value in zip("abcd", values)):
            wanted[opened("".join(values), "abcd", words, rarity)] = sum(
                rarity.get(word, 30 + 100) for word in read
            )
    spec = puzzle(
        tmp_path,
        "cryptogram",
        text="abcd cb bd",
        words=f"[{', '.join(order)}]",
        unknown_words=unknown,
    )
    with replaced(sorted_solutions=many):
        found = [
            ("".join(solution["letter"].values()), solution.value)
            for solution in spec.solve(rank="common")
        ]
    assert dict(found) == wanted and len(found) == len(wanted)
    assert [value for _, value in found] == sorted(wanted.values())
    best = spec.best()
    assert (best is None) == (not wanted)
    assert best is None or wanted["".join(best["letter"].values())] == min(wanted.values())


def test_words_in_no_order_have_the_other_goal(tmp_path: Path) -> None:
    spec = puzzle(
        tmp_path, "cryptogram", text="ab cb bd", words="[not, nut, to, ton, tot]", unknown_words=2
    )
    goal = spec.goal(None)
    assert goal is not None and goal.name == "fewest_unknown"


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("cipher", {"sequences": "[]"}, "there is a sequence"),
        ("cipher", {"sequences": "[[1], [/]]"}, "sequence 2 has a symbol"),
        ("cipher", {"sequences": "[🍒🍋🍊, 🍋🍊🍒]"}, "symbols have blanks between them"),
        ("unwordle", {"board": "[]", "answer": "tot"}, "there is a row"),
        ("unwordle_answers", {"board": "[]"}, "there is a row"),
    ],
)
def test_what_is_nothing_is_told(
    kind: str, fields: dict[str, str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(Problems, match=f"this does not hold: {said}"):
        puzzle(tmp_path, kind, **fields)


def readings(tmp_path: Path, text: str, more: str = "") -> list[tuple[str, dict[str, str]]]:
    (tmp_path / "spec.yaml").write_text(
        f"puzzle: cryptogram\ntext: {text}\nwords: [cat, dog, cod, act]\n{more}"
    )
    solutions = load("cryptogram", tmp_path / "spec.yaml").solve(goal=None)
    return sorted((found["reading"][0][1][0], dict(found["letter"])) for found in solutions)


def test_a_letter_in_an_unknown_word_only_is_open(tmp_path: Path) -> None:
    read = [reading for reading, _ in readings(tmp_path, "Wqs xqy", "unknown_words: 1\n")]
    assert {"Cat ?a?", "?o? cod"} <= set(read)
    assert all(reading.count("?") == 2 for reading in read if "?" in reading)
    assert not any(
        letter == "?" for _, letters in readings(tmp_path, "Wqs") for letter in letters.values()
    )


def test_a_known_letter_is_not_open(tmp_path: Path) -> None:
    read = [
        reading for reading, _ in readings(tmp_path, "Wqs xqy", "unknown_words: 1\nknown: {y: g}\n")
    ]
    assert "Cat ?ag" in read and "Cat ?a?" not in read


def test_open_letters_may_be_several_but_others_differ(tmp_path: Path) -> None:
    for reading, letters in readings(tmp_path, "Wqs xyz", "unknown_words: 1\n"):
        plain = [letter for letter in letters.values() if letter != "?"]
        assert len(set(plain)) == len(plain), reading
    read = [reading for reading, _ in readings(tmp_path, "Wqs xyz", "unknown_words: 1\n")]
    assert read.count("Cat ???") == 1


def test_readings_are_ranked_by_how_words_follow_each_other(tmp_path: Path) -> None:
    words = "[the, and, can, man, old, sea]"
    (tmp_path / "spec.yaml").write_text(
        f"puzzle: cryptogram\ntext: Uif pme nbo boe uif tfb.\nwords: {words}\n"
    )
    ranked = load("cryptogram", tmp_path / "spec.yaml")
    first = {
        goal: next(iter(ranked.solve(rank=goal)))["reading"][0][1][0]
        for goal in ("likely", "common")
    }
    assert first == {"likely": "The old man and the sea.", "common": "The old can and the sea."}


def test_names_are_words_of_the_default_lexicon(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        "puzzle: cryptogram\ntext: She sold her house and moved to Paris.\n"
    )
    words = load("cryptogram", tmp_path / "spec.yaml").instance.data["words"]
    assert {"paris", "mary", "sunday", "a", "house"} <= set(words) and "zyzz" not in words
