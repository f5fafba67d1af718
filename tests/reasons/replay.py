"""Explanations judged from outside: their JSON is replayed on the boards of `replay_boards`.

    python -m tests.reasons.replay SPEC…

Each step is held to the solution, to what was known before it, to the rules and reasons that it
names, and to the definition of its pattern. `easier` are placements to which patterns of lower
classes lead by themselves: with them, the step could be done without.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

import puzzlekit
from tests.reasons.replay_boards import (
    STAR,
    Board,
    Candidates,
    GivenUp,
    Group,
    Literal,
    Proof,
    Run,
    board_of,
    cell_of,
    grid,
)

JsonStep = Mapping[str, Any]
Fact = tuple[Literal, bool]

CLASSES = ("single", "locked", "set", "chain", "trial")
LINES = ("row", "column")
ONLY_PLACE = ("last place", "hidden single", "naked single")
COVERED = (
    *("pointing", "claiming", "locked", "packed", "n in n", "X-wing", "swordfish", "jellyfish"),
    *(f"{form} {size}" for form in ("naked", "hidden") for size in ("pair", "triple", "quad")),
)
BY_PREMISES = (
    *("no place nearby", "no place left", "small loop", "search"),
    *("difference", "rest of a group"),
)
SUMS = ("only combination", "combinations", "small sum", "one cell of a sum")
CHAINS = (
    *("look ahead", "short chain", "turbot fish", "X-chain"),
    *("XY-wing", "XY-chain", "chain", "trial"),
)
SIZES = {
    "pair": 2,
    "triple": 3,
    "quad": 4,
    "X-wing": 2,
    "swordfish": 3,
    "jellyfish": 4,
}
LONGEST_CHAIN = 6  # lines between its assumption and its contradiction


@dataclass
class Report:
    """What was replayed, and what is wrong."""

    patterns: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    easier: list[str] = field(default_factory=list)
    given_up: int = 0


def facts_of(entries: Iterable[Mapping[str, Any]]) -> list[Fact]:
    """Read facts; that a star does not hold is a fact about the star."""
    facts: list[Fact] = []
    for entry in entries:
        cell, value, is_true = cell_of(entry["index"]), entry["value"], entry["holds"]
        if value == "false":
            value, is_true = STAR, not is_true
        facts.append(((cell, value), is_true))
    return facts


def replay(board: Board, steps: Sequence[JsonStep], solution: set[Literal]) -> Report:
    """Return what is wrong with the steps of a puzzle."""
    report = Report()
    candidates = Candidates(board, board.givens)
    for step in steps:
        report.patterns[step["pattern"]] += 1
        judge = StepJudge(board, candidates, step)
        problems = list(judge.wrong_facts(solution))
        for look in (judge.wrong_pattern, judge.wrong_premises):
            try:
                problems += look()
            except GivenUp:
                report.given_up += 1
        label = f"step {step['number']} ({step['pattern']})"
        report.problems += [f"{label}: {problem}" for problem in problems]
        report.easier += [f"{label}: {each}" for each in easier(candidates, step["class"])]
        for literal, is_true in judge.new:
            candidates.learn(literal, is_true)
    missing = solution - candidates.true
    if missing:
        report.problems.append(f"the steps do not place {sorted(missing)[:3]}")
    return report


class StepJudge:
    """What is wrong with a step, as the board is."""

    def __init__(self, board: Board, candidates: Candidates, step: JsonStep) -> None:
        self.board = board
        self.candidates = candidates
        self.step = step
        self.pattern: str = step["pattern"]
        self.placed = facts_of(step["placed"])
        self.struck = facts_of(step["struck"])
        self.new = [*self.placed, *self.struck]

    def wrong_facts(self, solution: set[Literal]) -> Iterator[str]:
        """Yield facts that are wrong or old, and reasons that nobody told."""
        if not self.new:
            yield "nothing is new"
        for literal, is_true in self.new:
            if (literal in solution) != is_true:
                yield f"{literal} is wrong by the solution"
            if not self.candidates.is_open(literal):
                yield f"{literal} is not new"
        for literal, is_true in facts_of(self.step["reasons"]):
            if not self.candidates.knows(literal, is_true):
                yield f"the reason {literal} {is_true} is not known"

    def wrong_premises(self) -> Iterator[str]:
        """Yield facts that do not follow from the rules and reasons that the step names."""
        reasons = Candidates(self.board)
        for literal, is_true in facts_of(self.step["reasons"]):
            (reasons.true if is_true else reasons.struck).add(literal)
        groups, runs = self.named_rules()
        for literal, is_true in self.new:
            opposite = reasons.copy()
            (opposite.struck if is_true else opposite.true).add(literal)
            if not Proof(groups, runs).refutes(opposite):
                yield f"{literal} {is_true} does not follow from its rules and reasons"

    def named_rules(self) -> tuple[list[Group], list[Run]]:
        """Return the groups and the runs that the step names, and the groups of cells."""
        names = {(rule["rule"], rule["where"]) for rule in self.step["rules"]}
        places = {where for _, where in names}
        cells = [group for group in self.board.groups if group.direction == "cell"]
        named = [
            group
            for group in self.board.groups
            if group.direction != "cell" and group.name in places
        ]
        return [*cells, *named], [run for run in self.board.runs if (run.rule, run.name) in names]

    # Patterns -------------------------------------------------------------------------------------

    def wrong_pattern(self) -> list[str]:
        """Return what is against the definition of the pattern."""
        if self.pattern in ONLY_PLACE:
            return list(self._wrong_single())
        if self.pattern in COVERED and not self.is_derived():
            return list(self._wrong_cover())
        if self.pattern in ("no other place", "full"):
            return list(self._wrong_count())
        if self.pattern in SUMS:
            return list(self._wrong_sum())
        if self.pattern in CHAINS:
            return list(ChainJudge(self).problems())
        if self.pattern == "either way":
            return list(ChainJudge(self).problems_either_way())
        if self.pattern in (*BY_PREMISES, *COVERED):
            return []  # by their premises alone
        return [f"the pattern {self.pattern} is not known here"]

    def is_derived(self) -> bool:
        """Return whether a card is derived from several groups."""
        cards = [*self.step["base"], *self.step["cover"]]
        return any(not card["value"] and card["card_type"] != "cell" for card in cards)

    def cards(self, role: str) -> tuple[list[Group], list[str]]:
        """Return the groups of the base or of the cover, and how they differ from the board."""
        groups: list[Group] = []
        problems = []
        for card in self.step[role]:
            group = self.board.by_name.get((card["name"], card["value"]))
            if group is None:
                problems.append(f"{role}: there is no {card['name']} with {card['value']}")
                continue
            groups.append(group)
            places = {literal for literal, _ in facts_of(card["facts"])}
            if places != self.candidates.open(group):
                difference = sorted(places ^ self.candidates.open(group))
                problems.append(f"{role}: {group.name} has other open places: {difference}")
            bounds = max(0, self.candidates.needed(group)), self.candidates.allowed(group)
            if bounds != (card["needed"], card["allowed"]):
                problems.append(f"{role}: {group.name} needs and allows {bounds}")
        return groups, problems

    def _wrong_single(self) -> Iterator[str]:
        groups, problems = self.cards("base")
        yield from problems
        if len(groups) != 1 or len(self.placed) != 1:
            yield "a single has a group and a place"
            return
        (group,), (literal, _) = groups, self.placed[0]
        if self.candidates.open(group) != {literal}:
            yield f"{group.name} has more than one place"
        is_cell = group.direction == "cell"
        others = [cell for cell, _ in group.literals if cell != literal[0]]
        is_last = not is_cell and all(map(self.candidates.value, others))
        expected = "naked single" if is_cell else "last place" if is_last else "hidden single"
        if self.pattern != expected:
            yield f"this is a {expected}"

    def _wrong_count(self) -> Iterator[str]:
        groups, problems = self.cards("base" if self.pattern == "no other place" else "cover")
        yield from problems
        facts = {fact for group in groups for fact in self.candidates.forced(group)}
        if facts != set(self.new):
            yield f"the groups say {sorted(facts)}"

    def _wrong_cover(self) -> Iterator[str]:
        base, of_base = self.cards("base")
        cover, of_cover = self.cards("cover")
        yield from (*of_base, *of_cover)
        outside, problem = excluded(self.candidates, base, cover)
        if problem:
            yield problem
        struck = {literal for literal, is_true in self.struck if not is_true}
        if struck != outside:
            yield f"struck differs from the cover outside of the base: {sorted(struck ^ outside)}"
        after = self.candidates.copy()
        after.struck |= outside
        for (cell, value), is_true in self.placed:
            if not is_true or len(after.open(self.board.by_name[name(cell), ""])) != 1:
                yield f"{value} is not the last value of {cell}"
        if not is_named_right(self.pattern, base, cover):
            yield "the base and the cover are not of this pattern"

    def _wrong_sum(self) -> Iterator[str]:
        _, runs = self.named_rules()
        if len(runs) != 1:
            yield f"it names {len(runs)} sums"
            return
        (run,) = runs
        unsupported = self.candidates.unsupported(run)
        struck = {literal for literal, is_true in self.struck if not is_true}
        if self.pattern == "one cell of a sum":
            if len([cell for cell in run.cells if self.candidates.value(cell) is None]) != 1:
                yield f"{run.name} has more than one open cell"
            return
        if not struck <= unsupported:
            yield f"the combinations of {run.name} allow {sorted(struck - unsupported)}"
        sets = {frozenset(each.values()) for each in self.candidates.fillings(run)}
        if self.pattern == "only combination" and len(sets) != 1:
            yield f"{run.name} has {len(sets)} combinations"


class ChainJudge:
    """What is wrong with the lines of a chain."""

    def __init__(self, judge: StepJudge) -> None:
        self.judge = judge
        self.lines: Sequence[Mapping[str, Any]] = judge.step["lines"]

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with assumptions that lead to contradictions."""
        stack: list[Candidates] = [self.judge.candidates.copy()]
        assumed: list[Fact] = []
        for number, line in enumerate(self.lines):
            depth, facts = line["depth"], facts_of(line["facts"])
            if line["text"].startswith("Suppose"):
                del stack[depth + 1 :], assumed[depth:]
                stack.append(assuming(stack[depth], facts))
                assumed += facts
            elif line["text"].startswith("either"):
                if not self._is_contradictory(assuming(stack[-1], opposites(facts))):
                    yield f"line {number}: other places are open"
            elif facts:
                yield from self._follow(number, stack[-1], facts)
            elif not self._is_contradictory(stack[-1]):
                yield f"line {number} is no contradiction"
            else:
                stack.pop()
                literal, is_true = assumed.pop()
                stack[-1].learn(literal, not is_true)
        if len(stack) > 1 and not self._is_contradictory(stack[1]):
            yield "the last assumption is not refuted"
        first = facts_of(self.lines[0]["facts"])
        concluded = opposites(first)
        if not set(concluded) <= set(self.judge.new):
            yield f"the conclusion is not {concluded}"
        yield from self._misnamed()

    def problems_either_way(self) -> Iterator[str]:
        """Yield what is wrong with assumptions of which one is right."""
        branches: list[Candidates] = []
        assumed = set[Literal]()
        for number, line in enumerate(self.lines):
            facts = facts_of(line["facts"])
            if line["text"].startswith("Suppose"):
                branches.append(assuming(self.judge.candidates, facts))
                assumed |= {literal for literal, _ in facts}
            elif facts:
                yield from self._follow(number, branches[-1], facts)
        if not self.judge.is_derived():
            base, problems = self.judge.cards("base")
            yield from problems
            if len(base) != 1 or assumed != self.judge.candidates.open(base[0]):
                yield "the assumptions are not all that is open"
        for literal, is_true in self.judge.new[: len(self.judge.struck) or None]:
            if not all(branch.knows(literal, is_true) for branch in branches):
                yield f"{literal} {is_true} does not follow either way"

    def _is_contradictory(self, branch: Candidates) -> bool:
        """Return whether the rules of the step have no room left."""
        groups, runs = self.judge.named_rules()
        return is_contradictory(branch) or Proof(groups, runs).refutes(branch)

    def _follow(self, number: int, branch: Candidates, facts: Sequence[Fact]) -> Iterator[str]:
        for literal, is_true in facts:
            if not branch.knows(literal, is_true) and not is_forced(branch, literal, is_true):
                yield f"line {number}: {literal} {is_true} does not follow by one look"
        for literal, is_true in facts:
            branch.learn(literal, is_true)

    def _misnamed(self) -> Iterator[str]:
        """Yield that the chain is not of its pattern."""
        pattern, candidates = self.judge.pattern, self.judge.candidates
        is_nested = any(line["depth"] for line in self.lines)
        if (pattern == "trial") != (is_nested or len(self.lines) - 2 > LONGEST_CHAIN):
            yield f"{len(self.lines)} lines, with another inside: {is_nested}"
        facts = [fact for line in self.lines for fact in facts_of(line["facts"])]
        if pattern in ("turbot fish", "X-chain") and len({value for (_, value), _ in facts}) > 1:
            yield "it is about several values"
        if pattern in ("XY-wing", "XY-chain"):
            assumed = len(self.lines[0]["facts"])
            cells = {cell for (cell, _), _ in facts[assumed:]}
            if any(len(candidates.digits(cell)) != 2 for cell in cells):
                yield "a cell has not two values"
            if (pattern == "XY-wing") != (len(cells) == 2):
                yield f"it has {len(cells)} cells"


def opposites(facts: Iterable[Fact]) -> list[Fact]:
    """Return the opposite of each fact."""
    return [(literal, not is_true) for literal, is_true in facts]


def assuming(candidates: Candidates, facts: Iterable[Fact]) -> Candidates:
    """Return candidates with an assumption."""
    branch = candidates.copy()
    for literal, is_true in facts:
        branch.learn(literal, is_true)
    return branch


def is_contradictory(branch: Candidates) -> bool:
    """Return whether a group has too many, or too few."""
    if any(map(branch.is_violated, branch.board.groups)):
        return True
    return any(next(branch.fillings(run), None) is None for run in branch.board.runs)


def is_forced(branch: Candidates, literal: Literal, is_true: bool) -> bool:
    """Return whether a group or a run says that a literal is true or is not."""
    groups = branch.board.groups_of[literal]
    if any((literal, is_true) in branch.forced(group) for group in groups):
        return True
    runs = [run for run in branch.board.runs if literal[0] in run.cells]
    if is_true:
        cell, _ = literal
        rest = {(cell, value) for value in branch.board.values[cell]} - {literal}
        return any(rest <= branch.struck | branch.unsupported(run) for run in runs)
    return any(literal in branch.unsupported(run) for run in runs)


def excluded(
    candidates: Candidates, base: Sequence[Group], cover: Sequence[Group]
) -> tuple[set[Literal], str]:
    """Return what a base inside of a cover excludes, and why it is no such pattern."""
    places = Counter(literal for group in base for literal in candidates.open(group))
    covered = Counter(literal for group in cover for literal in candidates.open(group))
    needed, allowed = sum(map(candidates.needed, base)), sum(map(candidates.allowed, cover))
    outside = {literal for literal in covered if covered[literal] > places[literal]}
    if needed != allowed:
        return outside, f"the base needs {needed}, and the cover allows {allowed}"
    if any(count > 1 for count in places.values()):
        return outside, "cards of the base overlap"
    if not set(places) <= set(covered):
        return outside, f"outside of the cover are {sorted(set(places) - set(covered))}"
    return outside, ""


def is_named_right(pattern: str, base: Sequence[Group], cover: Sequence[Group]) -> bool:
    """Return whether a base and a cover have the form that a pattern's name means."""
    of_base = {group.direction for group in base}
    of_cover = {group.direction for group in cover}
    values = {group.value for group in (*base, *cover)}
    if pattern == "pointing":
        return of_base == {"box"} and len(cover) == 1 and of_cover <= {*LINES}
    if pattern == "claiming":
        return len(base) == 1 and of_base <= {*LINES} and len(cover) == 1
    if pattern in ("locked", "packed"):
        return len(base) == 1
    if pattern == "n in n":
        return len(base) > 1 and len(of_base) == len(of_cover) == 1 and of_base != of_cover
    size = SIZES[pattern.split()[-1]]
    if len(base) != size or len(cover) != size:
        return False
    if pattern.startswith("naked"):
        return of_base == {"cell"} and len({group.name for group in cover}) == 1
    if pattern.startswith("hidden"):
        return of_cover == {"cell"} and len({group.name for group in base}) == 1
    return {*of_base, *of_cover} == {*LINES} and len(of_base) == 1 and len(values) == 1


# Patterns of lower classes ------------------------------------------------------------------------


def easier(candidates: Candidates, class_name: str) -> Iterator[str]:
    """Yield what patterns of lower classes place, also after their eliminations."""
    searches = (singles, locked, sets)[: CLASSES.index(class_name)]
    known = candidates.copy()
    size = -1
    while size != len(known.true) + len(known.struck):
        size = len(known.true) + len(known.struck)
        for search in searches:
            name_and_facts = next(search(known), None)
            if name_and_facts is None:
                continue
            pattern, facts = name_and_facts
            placed = sorted(literal for literal, is_true in facts if is_true)
            if placed:
                yield f"{pattern} places {placed}"
                return
            for literal, is_true in facts:
                known.learn(literal, is_true)
            break


def singles(candidates: Candidates) -> Iterator[tuple[str, set[Fact]]]:
    """Yield what groups say by themselves."""
    for group in candidates.board.groups:
        facts = set(candidates.forced(group))
        if facts:
            yield f"{group.name} {group.value}", facts


def locked(candidates: Candidates) -> Iterator[tuple[str, set[Fact]]]:
    """Yield what follows from a group inside of another one, and from the sums of runs."""
    for group in candidates.board.groups:
        places = candidates.open(group)
        if candidates.needed(group) != 1 or len(places) < 2:
            continue
        for link in candidates.board.groups_of[min(places)]:
            outside = candidates.open(link) - places
            if candidates.allowed(link) == 1 and outside and places <= candidates.open(link):
                yield f"{group.name} in {link.name}", {(each, False) for each in outside}
    for run in candidates.board.runs:
        unsupported = candidates.unsupported_by_sum(run)
        if unsupported:
            yield run.name, {(literal, False) for literal in unsupported}


def sets(candidates: Candidates) -> Iterator[tuple[str, set[Fact]]]:
    """Yield naked and hidden sets, of two to four; fish are of the class of chains."""
    for name_of_pool, base_pool, cover_pool in pools(candidates.board):
        covers = {literal: group for group in cover_pool for literal in group.literals}
        open_base = [
            group
            for group in base_pool
            if candidates.needed(group) == 1 and 2 <= len(candidates.open(group)) <= 4
        ]
        links = {
            group.name + group.value: {covers[literal] for literal in candidates.open(group)}
            for group in open_base
        }
        for size in (2, 3, 4):
            for base in combinations(open_base, size):
                cover = set().union(*(links[group.name + group.value] for group in base))
                if len(cover) != size:
                    continue
                outside, problem = excluded(candidates, base, list(cover))
                if outside and not problem:
                    yield f"{size} in {name_of_pool}", {(each, False) for each in outside}


def pools(board: Board) -> Iterator[tuple[str, list[Group], list[Group]]]:
    """Yield groups of a base with the groups that may cover them."""
    of_name: dict[str, list[Group]] = {}
    for group in board.groups:
        if group.value and group.direction in (*LINES, "box"):
            of_name.setdefault(group.name, []).append(group)
    for group_name, groups in of_name.items():
        if len(groups) > 1:
            cells = [cell for cell, _ in groups[0].literals]
            of_cells = [board.by_name[name(cell), ""] for cell in cells]
            yield f"values of {group_name}", groups, of_cells
            yield f"cells of {group_name}", of_cells, groups


def name(cell: tuple[int, int]) -> str:
    return f"r{cell[0]}c{cell[1]}"


# Specs --------------------------------------------------------------------------------------------


def explained(type_name: str, spec: Mapping[str, Any]) -> list[JsonStep]:
    """Return the steps of a spec as JSON."""
    fields = {word: spec[word] for word in spec if word not in ("puzzle", "title", "source")}
    fields.pop("expect", None)
    explanation = puzzlekit.load(type_name, fields).explain()
    steps = [step.json() for step in explanation]
    assert explanation.status == "solved", explanation.status
    loaded: list[JsonStep] = json.loads(json.dumps(steps))
    return loaded


def solution_of(board: Board, spec: Mapping[str, Any]) -> set[Literal]:
    """Return the solution that a spec expects; without one, search for it."""
    answer = spec.get("expect", {}).get("answer")
    if answer is None:
        solved = Proof(board.groups, board.runs).completion(Candidates(board, board.givens))
        assert solved is not None, "there is no solution"
        return solved.true
    rows = grid(answer)
    literals = [
        ((r, c), {"#": STAR}.get(word, word))
        for r, row in enumerate(rows, 1)
        for c, word in enumerate(row, 1)
    ]
    return {literal for literal in literals if literal in board.groups_of}


def replay_spec(spec: Mapping[str, Any]) -> Report:
    """Explain a spec and return what is wrong with its steps."""
    board = board_of(spec["puzzle"], spec)
    return replay(board, explained(spec["puzzle"], spec), solution_of(board, spec))


def main(paths: Sequence[str]) -> None:
    total = Report()
    for path in paths:
        report = replay_spec(yaml.safe_load(Path(path).read_text()))
        total.patterns += report.patterns
        total.given_up += report.given_up
        steps = report.patterns.total()
        wrong = f"{len(report.problems)} problems, {len(report.easier)} easier"
        print(f"{path}: {steps} steps, {wrong}", *report.problems, *report.easier, sep="\n  ")
    print(f"{total.patterns.total()} steps, {total.given_up} proofs given up: {total.patterns}")


if __name__ == "__main__":
    main(sys.argv[1:])
