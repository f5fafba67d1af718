"""Words written into crossing slots: held to trying everything."""

import itertools
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from puzzlekit.boards import Grid
from puzzlekit.errors import InputError, LexiconError, Stopped
from puzzlekit.libraries.words import Fills, writable

LATTICE = Grid.of_rows(["###", "#.#", "###"]).slots(2)
SOLID = Grid.of_rows(["##", "##"]).slots(2)
MIRROR = [2, 3, 0, 1]  # across and down change places
LETTERS = "abc"


def some_words(length: int, seed: int, share: float = 0.5) -> list[str]:
    every = ["".join(letters) for letters in itertools.product(LETTERS, repeat=length)]
    return [word for word in every if Random(f"{seed} {word}").random() < share]


def tried(slots, words):  # type: ignore[no-untyped-def]
    for fill in itertools.permutations(words, len(slots)):
        letters: dict[object, str] = {}
        if all(
            letters.setdefault(c, x) == x
            for slot, word in zip(slots, fill)
            for c, x in zip(slot, word)
        ):
            yield fill


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("slots", "length", "share"), [(LATTICE, 3, 0.4), (SOLID, 2, 0.8)])
def test_every_fill(slots, length: int, share: float, seed: int) -> None:  # type: ignore[no-untyped-def]
    words = some_words(length, seed, share)
    expected = sorted(tried(slots, words))
    assert sorted(Fills(slots, {length: words}).every()) == expected
    once = sorted(Fills(slots, {length: words}, mirror=MIRROR).every())
    assert len(once) * 2 == len(expected)
    assert {*once, *((c, d, a, b) for a, b, c, d in once)} == set(expected)
    for word in words[:2]:
        assert sorted(Fills(slots, {length: words}, [word]).every()) == [
            fill for fill in expected if word in fill
        ]


@pytest.mark.parametrize("seed", range(6))
def test_drawn_fills_are_fills_and_none_is_proven(seed: int) -> None:
    words = some_words(3, seed, 0.2)
    fills = Fills(LATTICE, {3: words})
    expected = set(tried(LATTICE, words))
    drawn = Counter(fills.drawn(Random(i)) for i in range(20))
    assert set(drawn) <= expected if expected else set(drawn) == {None}


def test_two_demanded_words_and_what_cannot_be_demanded() -> None:
    words = some_words(3, 1)
    first = next(Fills(LATTICE, {3: words}).every())
    both = Fills(LATTICE, {3: words}, [first[0], first[3]])
    assert all({first[0], first[3]} <= set(fill) for fill in both.every())
    found = both.drawn(Random(1))
    assert found is not None
    assert {first[0], first[3]} <= set(found)
    with pytest.raises(InputError, match="zzz is not among the"):
        Fills(LATTICE, {3: words}, ["zzz"])


def test_a_single_slot_is_filled_by_each_word() -> None:
    assert list(Fills(LATTICE[:1], {3: ["abc", "bca"]}).every()) == [("abc",), ("bca",)]


def test_steps_end_a_list() -> None:
    with pytest.raises(Stopped):
        list(Fills(LATTICE, {3: some_words(3, 1)}).every(5))


def test_the_words_that_a_generator_may_write(tmp_path: Path) -> None:
    path = tmp_path / "sorted.txt"
    path.write_text("and\nfor\nsex\nthe\n")
    found = writable("english", 3)
    assert found[3] == ["the", "and", "for"]
    assert len(found[5]) == 3
    assert list(writable(str(path))[3]) == ["and", "for", "the"]
    assert list(writable(str(path), allow_offensive=True)[3]) == ["and", "for", "sex", "the"]
    with pytest.raises(LexiconError, match="does not say which of its words are common"):
        writable(str(path), 3)


def test_the_most_common_are_counted_without_the_offensive(tmp_path: Path) -> None:
    path = tmp_path / "order.txt"
    path.write_text("the\nsex\nand\nfor\n")
    assert writable(str(path), 2)[3] == ["the", "and"]
    assert writable(str(path), 2, allow_offensive=True)[3] == ["the", "sex"]


def test_a_chosen_fill_has_words_that_were_not_used() -> None:
    fills = Fills(SOLID, {2: ["am", "as", "mo", "so", "no", "on", "an", "ma"]})
    used = Counter(dict.fromkeys(("am", "mo"), 9))
    chosen = [fills.balanced(Random(seed), used) for seed in range(30)]
    every = set(fills.every())
    assert set(chosen) <= every and any("am" in fill for fill in every)
    assert sum("am" in (fill or ()) for fill in chosen) == 0
    assert Fills(SOLID, {2: ["ab"]}).balanced(Random(1), {}) is None
