"""Waffle by hand: all boards of words that the letters and colours allow (not the swaps)."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations
from typing import Any

from by_hand import common

Spec = dict[str, Any]
Cell = tuple[int, int]
GREY, YELLOW, GREEN = range(3)


@cache
def lexicon(name: str) -> dict[int, list[str]]:
    """The words of a lexicon by their length; read once, before anything is measured."""
    from puzzlekit.libraries.words import load

    found: dict[int, list[str]] = defaultdict(list)
    for word in load(name):
        found[len(word)].append(word)
    return found


def marks(guess: str, solution: str) -> list[int]:
    """How Wordle marks a guess."""
    left = Counter(a for g, a in zip(guess, solution) if g != a)
    found = []
    for g, a in zip(guess, solution):
        mark = GREEN if g == a else YELLOW if left[g] > 0 else GREY
        left[g] -= mark == YELLOW
        found.append(mark)
    return found


class Waffle:
    """The slots, for each the words that fit what it alone must show,
    and which of two crossing ones go together.
    """

    def __init__(self, spec: Spec) -> None:
        rows = [[mark.lower() for mark in row] for row in common.board(spec["letters"])]
        letters = {
            (r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."
        }
        shown = {
            (r, c): "byg".find(mark)
            for r, row in enumerate(common.board(spec["colours"]))
            for c, mark in enumerate(row)
        }
        self.letters = Counter(letters.values())
        self.slots = [
            slot
            for step in ((0, 1), (1, 0))
            for start in letters
            if len(slot := _run(letters, start, step)) > 1
        ]
        slots_at: dict[Cell, list[int]] = defaultdict(list)
        for number, slot in enumerate(self.slots):
            for cell in slot:
                slots_at[cell].append(number)
        self.cells = list(letters)
        self.words: list[list[str]] = []
        own: list[list[list[int]]] = []
        for slot in self.slots:
            guess = "".join(letters[cell] for cell in slot)
            wanted = [
                (place, guess[place]) for place, cell in enumerate(slot) if shown[cell] == GREEN
            ]
            never = [
                (place, guess[place]) for place, cell in enumerate(slot) if shown[cell] != GREEN
            ]
            fitting, marked = [], []
            for word in lexicon(str(spec.get("words", "english"))).get(len(slot), []):
                if any(word[place] != letter for place, letter in wanted) or any(
                    word[place] == letter for place, letter in never
                ):
                    continue
                found = marks(guess, word)
                if Counter(word) <= self.letters and all(
                    mark == shown[cell] or (mark < shown[cell] and len(slots_at[cell]) > 1)
                    for mark, cell in zip(found, slot)
                ):
                    fitting.append(word)
                    marked.append(found)
            self.words.append(fitting)
            own.append(marked)
        # of two slots that cross, a word goes with those that have its letter there,
        # and where one shows the colour
        self.crossings = [(a, b, cell) for cell, (a, *rest) in slots_at.items() for b in rest]
        self.groups: list[tuple[int, int, list[tuple[str, bool]], list[tuple[str, bool]]]] = []
        for a, b, cell in self.crossings:
            at, by = self.slots[a].index(cell), self.slots[b].index(cell)
            one = [(word[at], mark[at] == shown[cell]) for word, mark in zip(self.words[a], own[a])]
            other = [
                (word[by], mark[by] == shown[cell]) for word, mark in zip(self.words[b], own[b])
            ]
            self.groups.append((a, b, one, other))
        self.home = {
            cell: (numbers[0], self.slots[numbers[0]].index(cell))
            for cell, numbers in slots_at.items()
        }
        self.shrink()

    def shrink(self) -> None:
        """Words that go with none of a crossing slot are left out, until nothing changes."""
        alive = [set(range(len(words))) for words in self.words]
        before = -1
        while before != (before := sum(map(len, alive))):
            for a, b, one, other in self.groups:
                for p, q, mine, theirs in ((a, b, one, other), (b, a, other, one)):
                    there = {theirs[k] for k in alive[q]}
                    alive[p] = {
                        k
                        for k in alive[p]
                        if (mine[k][0], True) in there
                        or (mine[k][1] and (mine[k][0], False) in there)
                    }
        kept = [sorted(some) for some in alive]
        self.words = [[words[k] for k in some] for words, some in zip(self.words, kept)]
        self.groups = [
            (a, b, [x[k] for k in kept[a]], [y[k] for k in kept[b]]) for a, b, x, y in self.groups
        ]

    def pairs(self) -> list[tuple[int, int, list[list[int]]]]:
        """For both slots of each crossing: the words of the second that go with each word of the
        first.
        """
        found = []
        for a, b, one, other in self.groups:
            for p, q, mine, theirs in ((a, b, one, other), (b, a, other, one)):
                by: dict[tuple[str, bool], list[int]] = defaultdict(list)
                for k, key in enumerate(theirs):
                    by[key].append(k)
                found.append(
                    (p, q, [by[x, True] + (by[x, False] if shows else []) for x, shows in mine])
                )
        return found

    def equal(self) -> list[tuple[int, int, int, int]]:
        """The same word in two slots: not both."""
        found = []
        for p, q in combinations(range(len(self.slots)), 2):
            at = {word: k for k, word in enumerate(self.words[q])}
            found += [(p, k, q, at[word]) for k, word in enumerate(self.words[p]) if word in at]
        return found


def _run(letters: dict[Cell, str], start: Cell, step: Cell) -> list[Cell]:
    (r, c), (down, right) = start, step
    if (r - down, c - right) in letters:
        return []
    run = []
    while (r, c) in letters:
        run.append((r, c))
        r, c = r + down, c + right
    return run


def python(spec: Spec) -> int:
    board = Waffle(spec)
    fits: dict[int, list[tuple[int, list[int]]]] = defaultdict(list)
    for p, q, partners in board.pairs():
        fits[p].append((q, [sum(1 << k for k in some) for some in partners]))
    fixed = {cell: board.home[cell] for cell in board.cells}

    def search(alive: list[int], open_: list[int], chosen: dict[int, str]) -> int:
        if not open_:
            letters = Counter(chosen[slot][place] for slot, place in fixed.values())
            return letters == board.letters and len(set(chosen.values())) == len(chosen)
        slot = min(open_, key=lambda s: alive[s].bit_count())
        rest = [other for other in open_ if other != slot]
        used = Counter(chosen[s][place] for s, place in fixed.values() if s in chosen)
        if not used <= board.letters:
            return 0
        found, ways = 0, alive[slot]
        while ways:
            k = ways.bit_length() - 1
            ways ^= 1 << k
            after = alive.copy()
            for other, masks in fits[slot]:
                after[other] &= masks[k]
            if all(after[other] for other in rest):
                found += search(after, rest, {**chosen, slot: board.words[slot][k]})
        return found

    return search(
        [(1 << len(words)) - 1 for words in board.words], list(range(len(board.slots))), {}
    )


def sat(spec: Spec) -> int:
    from pysat.card import CardEnc, EncType

    board = Waffle(spec)
    if not all(board.words):
        return 0
    top, words = _numbered(board)
    clauses = [*words, *([-a, -b] for group in words for a, b in combinations(group, 2))]
    clauses += [
        [-words[p][k], *(words[q][j] for j in some)]
        for p, q, fits in board.pairs()
        for k, some in enumerate(fits)
    ]
    clauses += [[-words[p][k], -words[q][j]] for p, k, q, j in board.equal()]
    visible = top
    by_letter: dict[str, list[int]] = defaultdict(list)
    for cell in board.cells:
        slot, place = board.home[cell]
        at: dict[str, list[int]] = defaultdict(list)
        for literal, word in zip(words[slot], board.words[slot]):
            at[word[place]].append(literal)
        for letter, literals in at.items():
            top += 1
            by_letter[letter].append(top)
            clauses += [[-literal, top] for literal in literals] + [[-top, *literals]]
    for letter, number in board.letters.items():
        if len(by_letter[letter]) < number:
            return 0
        count = CardEnc.equals(by_letter[letter], number, top_id=top, encoding=EncType.seqcounter)
        top = max(top, count.nv)
        clauses += count.clauses
    return common.sat(clauses, visible)


def _numbered(board: Waffle) -> tuple[int, list[list[int]]]:
    """A literal for each word of each slot, from 1."""
    top, words = 0, []
    for some in board.words:
        words.append(list(range(top + 1, top + 1 + len(some))))
        top += len(some)
    return top, words


def _letters(board: Waffle, words: list[list[Any]]) -> dict[str, list[Any]]:
    """For each letter, the words that bring it, once for each cell that they bring it to."""
    found: dict[str, list[Any]] = defaultdict(list)
    for slot, place in board.home.values():
        for literal, word in zip(words[slot], board.words[slot]):
            found[word[place]].append(literal)
    return found


def z3(spec: Spec) -> int:
    from z3 import Bool, Implies, Not, Or, PbEq

    board = Waffle(spec)
    if not all(board.words):
        return 0
    words = [[Bool(f"w{literal}") for literal in group] for group in _numbered(board)[1]]

    def state(solver: Any) -> None:
        solver.add([PbEq([(literal, 1) for literal in group], 1) for group in words])
        for p, q, fits in board.pairs():
            solver.add(
                [
                    Implies(words[p][k], Or([words[q][j] for j in some]))
                    for k, some in enumerate(fits)
                ]
            )
        solver.add([Or(Not(words[p][k]), Not(words[q][j])) for p, k, q, j in board.equal()])
        brings = _letters(board, words)
        solver.add(
            [
                PbEq([(literal, 1) for literal in brings[x]], number)
                for x, number in board.letters.items()
            ]
        )

    return common.z3([literal for group in words for literal in group], state)


def cp_sat(spec: Spec) -> int:
    from ortools.sat.python.cp_model import CpModel

    board = Waffle(spec)
    if not all(board.words):
        return 0
    model = CpModel()
    words = [[model.new_bool_var("") for _ in some] for some in board.words]
    for group in words:
        model.add_exactly_one(group)
    for p, q, fits in board.pairs():
        for k, some in enumerate(fits):
            model.add_bool_or([words[p][k].negated(), *(words[q][j] for j in some)])
    for p, k, q, j in board.equal():
        model.add_at_most_one(words[p][k], words[q][j])
    brings = _letters(board, words)
    for letter, number in board.letters.items():
        model.add(sum(brings[letter]) == number)
    return common.cp_sat(model)


def asp(spec: Spec) -> int:
    board = Waffle(spec)
    if not all(board.words):
        return 0
    facts = "".join(
        f"word({p},{k})." for p, some in enumerate(board.words) for k in range(len(some))
    )
    for p, q, fits in board.pairs():
        facts += "".join(
            f":- is({p},{k}){''.join(f', not is({q},{j})' for j in some)}."
            for k, some in enumerate(fits)
        )
    facts += "".join(f":- is({p},{k}), is({q},{j})." for p, k, q, j in board.equal())
    for number, (slot, place) in enumerate(board.home.values()):
        facts += "".join(
            f'brings({number},{slot},{k},"{word[place]}").'
            for k, word in enumerate(board.words[slot])
        )
    facts += "".join(f'wanted("{letter}",{number}).' for letter, number in board.letters.items())
    rules = (
        "1 { is(S,K) : word(S,K) } 1 :- word(S,_). :- wanted(L,N), not N { at(C,L) : "
        "brings(C,S,K,L) } N."
    )
    return common.asp(facts + rules + "at(C,L) :- is(S,K), brings(C,S,K,L). #show is/2.")


ENCODINGS = {
    "python": ("exact-cover", python),
    "sat": ("sat", sat),
    "asp": ("asp", asp),
    "z3": ("z3", z3),
    "cp-sat": ("cp-sat", cp_sat),
}
