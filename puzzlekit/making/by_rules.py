"""A generator for every type whose clues act one by one, or that says under `make` how its puzzles
are made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from shlex import quote
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Puzzle, Query, Solution
from puzzlekit.catalogue import is_known
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problems, Undecided, option, with_help
from puzzlekit.lang import Instance, PuzzleType, RandomChoices, making_of
from puzzlekit.making.clues import InterdependentClues, clue_table
from puzzlekit.making.designs import DesignMaker, laid_out
from puzzlekit.making.fields import Base, FieldCell, fields_text
from puzzlekit.making.generators import GeneratedSpec, Parameter, Tools, positive
from puzzlekit.making.maker import SYMMETRIES, Candidate, Maker
from puzzlekit.reasons import LEVELS, Rating
from puzzlekit.yaml_nodes import spec_text

TRIES = 20  # for one puzzle
CHUNKS = (4, 12)  # into which clues that were added are divided, to take them away
RATED = 10.0  # seconds for the steps to a solution


@dataclass(frozen=True)
class Level:
    """A wished difficulty: a level that a puzzle is rated, or scores.

    Attributes:
        name: As it is asked for.
        scores: The lowest and the highest score; None for a level.
    """

    name: str
    scores: tuple[float, float] | None = None

    def side(self, rating: Rating) -> int:
        """Return 0 for a puzzle of this level, -1 for one that is too easy, 1 for one that is too
        hard or not rated in time.
        """
        if rating.level is None:
            return 1
        if self.scores is not None:
            lowest, highest = self.scores
            return (rating.score > highest) - (rating.score < lowest)
        rank, wished_rank = LEVELS.index(rating.level), LEVELS.index(self.name)
        return (rank > wished_rank) - (rank < wished_rank)


def levels(text: str) -> tuple[Level, ...]:
    """Read levels, which puzzles have in turn. Raises InputError."""
    return tuple(map(_level, text.split(",")))


def _level(text: str) -> Level:
    """Read a level: a name, or the lowest and the highest score. Raises InputError."""
    if text in LEVELS:
        return Level(text)
    scores = re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})", text)
    if scores is None or int(scores[1]) > int(scores[2]):
        raise InputError(f"expected {', '.join(LEVELS)}, or scores such as 20..50, got {text}")
    return Level(text, (int(scores[1]), int(scores[2])))


def percent(text: str) -> int:
    """Read a share of a hundred. Raises InputError."""
    if not text.isdecimal() or not 0 < int(text) < 100:
        raise InputError(f"expected a number from 1 to 99, got {text}")
    return int(text)


def assignment(text: str) -> str:
    """Read a value of a field. Raises InputError."""
    if "=" not in text:
        raise InputError(f"expected FIELD=VALUE, got {text}")
    return text


@dataclass(frozen=True)
class GeneratedPuzzle:
    """A generated puzzle: its clues, its fields as text, its only solution, and its difficulty if a
    level is wished.
    """

    clues: dict[FieldCell, Any]
    fields: str
    solution: Solution
    rating: Rating | None = None


class RuleGenerator:
    """Generates puzzles with one solution: as few clues as leave no other.

    The clues are the fields whose members may be empty. All other fields are drawn, as the type
    says under `make`, or are those of one spec, which --size makes (as `puzzlekit new spec` does),
    or which --like names. With --level, clues are added to a puzzle that is too hard, until it has
    the level.
    """

    OPTIONS: tuple[Parameter, ...] = (
        Parameter("size", "the rows and columns of the board", metavar="ROWSxCOLUMNS"),
        Parameter(
            "like", "a spec whose other fields all puzzles have", Path, metavar="SPEC", rival="size"
        ),
        Parameter(
            "set", "a field of all puzzles", assignment, metavar="FIELD=VALUE", repeated=True
        ),
        Parameter(
            "symmetry",
            "which places lose clues together; without it, only layouts are turned",
            choices=SYMMETRIES,
        ),
        Parameter(
            "density",
            "how many of a hundred cells are scattered: walls, seeds of regions",
            percent,
            metavar="N",
        ),
        Parameter(
            "minimal", "take away each clue that is not needed, also where a type leaves all", bool
        ),
        Parameter(
            "level",
            "how hard puzzles are, as rate tells: easy, medium, hard, expert, extreme, or scores "
            "as in 20..50; several in turn: easy,hard",
            levels,
        ),
        Parameter(
            "workers",
            "how many processes make rows of --out FILE.jsonl; by default all processors",
            positive,
        ),
    )

    def __init__(self, base: Base) -> None:
        self.base = base

    def begin(self, options: SimpleNamespace, tools: Tools) -> None:
        """Work out what the clues state."""
        self.tools, self.levels = tools, options.level or ()
        self.symmetry, self.density = options.symmetry, options.density
        type_ = self.base.type
        self.making = making_of(type_)
        if self.base.fixed:
            self.making = replace(self.making, layout=None)
        if options.minimal:
            self.making = replace(self.making, keep_all=())
        if self.density is not None and not self.making.scatters:
            raise InputError(
                f"{option('density')} {self.density}: no cells of {type_.name} are scattered, "
                f"or {option('like')} has them"
            )
        self._maker = self._fixed_maker()
        self.source = command_of(type_, options, tools.seed)

    def _fixed_maker(self) -> Maker | DesignMaker | None:
        """Return the maker of all puzzles; None if each layout needs a maker of its own."""
        if self.making.design is not None:
            return DesignMaker(self.base, self.making, self.symmetry, self.density)
        if self.making.layout is not None:
            return None
        try:
            return self._clue_maker(self.base.data, {})
        except InterdependentClues as error:
            type_ = self.base.type
            hint = (
                f"say under make: in {type_.source.path} how puzzles of {type_.name} are made: "
                "docs/making.md"
            )
            raise InterdependentClues(str(error), help=hint) from None

    def generate(self, options: SimpleNamespace, tools: Tools) -> Iterator[GeneratedSpec]:
        """Generate `options.count` puzzles, no two with the same fields."""
        self.begin(options, tools)
        seen = set[str]()
        for number in range(1, options.count + 1):
            puzzle = self.generated(number, seen)
            if puzzle is not None:
                seen.add(puzzle.fields)
                name = f"{self.base.type.name}-{tools.seed}-{number}"
                yield GeneratedSpec(name, self.spec(puzzle, number))

    def make(self, random: Random) -> Candidate | None:
        """Return a candidate with one solution; None if none was found in some time."""
        if self._maker is not None:
            return self._maker.make(random)
        layout = self.making.layout
        assert layout is not None, "a type without a design and a layout has one maker"
        choices = RandomChoices(random, self.symmetry or "rotate", self.density)
        laid = laid_out(layout, self.base.type, self.base.data, choices)
        return self._clue_maker({**self.base.data, **laid}, laid).make(random)

    def _clue_maker(self, data: Mapping[str, Any], laid: Collection[str]) -> Maker:
        """Return the maker of puzzles with these fields, of which some were laid out."""
        spots_type = self.making.clue_cells
        allowed: Mapping[str, Any] = {}
        if spots_type is not None:
            allowed = Instance(spots_type, data, checked=False).info
        table = clue_table(self.base.puzzle(data), laid, allowed)
        return Maker(table, self.symmetry or "none")

    def spec(self, puzzle: GeneratedPuzzle, number: int) -> str:
        """Return a puzzle as a spec."""
        type_ = self.base.type
        head: dict[str, Any] = {
            "puzzle": _name_of(type_),
            "title": f"{type_.title or type_.name} {self.tools.seed}-{number}",
            "source": self.source,
        }
        rating = puzzle.rating
        if rating is not None:
            head["generated_by"] = {
                "level": rating.level,
                "score": rating.score,
                "hardest": rating.hardest_patterns,
            }
        answer = next(iter(puzzle.solution.json().values()))
        return f"{spec_text(head)}{puzzle.fields}{_expected(answer)}"

    def generated(self, number: int, seen: Collection[str] = ()) -> GeneratedPuzzle | None:
        """Return the puzzle of a number, which follows from it and the seed; another one, if its
        fields were seen.
        """
        wished = self.levels[(number - 1) % len(self.levels)] if self.levels else None
        sides: list[int] = []
        without_candidate = 0
        for attempt in range(TRIES):
            random = Random(f"{self.tools.seed} {number} {attempt}")
            try:
                candidate = self.make(random)
            except Problems:  # what was drawn may allow no puzzle
                if attempt == TRIES - 1:
                    message = f"{self.base.type.name} {number}: none in {TRIES} tries"
                    self.tools.report(with_help(message, self._other_size()))
                    raise
                self.base.type.source.forget_problems()
                continue
            if candidate is None:
                without_candidate += 1
                continue
            puzzle = self._levelled(candidate, wished, random, sides)
            if puzzle is not None and puzzle.fields not in seen:
                return puzzle
        self._report_none(number, sides if wished else None, without_candidate == TRIES)
        return None

    def _report_none(self, number: int, sides: Sequence[int] | None, no_candidate: bool) -> None:
        """Report that no puzzle of a number was found.

        Args:
            number: The number.
            sides: For each candidate, whether it was too easy or too hard; None without a level.
            no_candidate: Whether there was no candidate in all attempts.
        """
        reason = ""
        if sides is not None:
            reason = f", {sides.count(-1)} too easy and {sides.count(1)} too hard"
        hint = ""
        if no_candidate:
            hint = self._other_size()
            if isinstance(self._maker, Maker):
                clue_fields = self._maker.table.fields
                same = [name for name in self.base.spec.nodes if name not in clue_fields]
                if same:
                    hint = (
                        f"all puzzles have the {' and '.join(same)} of one spec: "
                        f"{option('like')} names another one"
                    )
        name = self.base.type.name
        self.tools.report(with_help(f"{name} {number}: none in {TRIES} tries{reason}", hint))

    def _other_size(self) -> str:
        """Return what helps where nothing at all is found."""
        if self.base.fixed:
            return ""
        return (
            "the board may be too small for a puzzle, or too large to find one: "
            f"{option('size')} names another one"
        )

    def _levelled(
        self, candidate: Candidate, wished: Level | None, random: Random, sides: list[int]
    ) -> GeneratedPuzzle | None:
        """Return a puzzle of the wished level with the clues of a candidate, and perhaps more of
        its solution.

        Of a puzzle that is not of the level, its side of the level is added to `sides`.
        """
        puzzle = self._proven(candidate, candidate.clues)
        if puzzle is None or wished is None:
            return puzzle
        further = [spot for spot in candidate.all_clues if spot not in candidate.clues]
        random.shuffle(further)
        # The number of clues to add is found by bisection: with more of them a puzzle is easier.
        low, high = 0, len(further)
        added = further[:0]
        side = 0
        best: GeneratedPuzzle | None = None
        best_added = added
        while puzzle is not None and low <= high:
            rating = self.rated(puzzle)
            side = wished.side(rating)
            if side == 0:
                best = replace(puzzle, rating=rating)
                best_added = added
            if side > 0:
                low = len(added) + 1
            else:
                high = len(added) - 1
            added = further[: (low + high) // 2]
            puzzle = self._with(candidate, added)
        if best is None:
            sides.append(side)
            return None
        return self._without_idle(candidate, best, best_added, wished)

    def _without_idle(
        self,
        candidate: Candidate,
        best: GeneratedPuzzle,
        added: list[FieldCell],
        wished: Level,
    ) -> GeneratedPuzzle:
        """Take away clues that were added and that the level does not need, many at once and then
        fewer.
        """
        for chunks in CHUNKS:
            size = -(-len(added) // chunks)
            for start in reversed(range(0, len(added), size or 1)):
                fewer = added[:start] + added[start + size :]
                puzzle = self._with(candidate, fewer)
                if puzzle is None:
                    continue
                rating = self.rated(puzzle)
                if wished.side(rating) == 0:
                    best = replace(puzzle, rating=rating)
                    added = fewer
        return best

    def _with(self, candidate: Candidate, added: Collection[FieldCell]) -> GeneratedPuzzle | None:
        """Return the puzzle with some more clues of its solution."""
        spots = {*candidate.clues}
        for spot in added:
            spots.update(candidate.orbit(spot))
        all_clues = candidate.all_clues
        clues = {spot: clue for spot, clue in all_clues.items() if spot in spots}
        return self._proven(candidate, clues)

    def rated(self, puzzle: GeneratedPuzzle) -> Rating:
        """Return the difficulty; it is not `solved` if that takes long."""
        return self._puzzle(puzzle.fields).rate(RATED)

    def _puzzle(self, fields: str) -> Puzzle:
        """Return the puzzle of a spec that has these fields. Raises Problems."""
        return self.tools.puzzle(f"{spec_text({'puzzle': self.base.type.name})}{fields}")

    def _proven(self, candidate: Candidate, clues: dict[FieldCell, Any]) -> GeneratedPuzzle | None:
        """Return a puzzle that its type accepts and of which another backend finds one solution,
        too.

        Raises Stopped, and KeyboardInterrupt.
        """
        fields = fields_text(self.base, candidate.with_clues(clues))
        try:
            puzzle = self._puzzle(fields)
        except Problems as problems:
            self.tools.report(f"thrown away: {problems.problems[0].message}")
            return None
        run = puzzle.run(Query(limit=2, ordered=False))
        solutions = list(run)
        if isinstance(run.reason, Undecided):
            self.tools.report(f"thrown away: {run.reason}")
            return None
        run.raise_reason()
        if len(solutions) != 1:
            number = f"{len(solutions)} solutions, or more" if solutions else "no solution"
            self.tools.report(f"thrown away: solve finds {number}")
            return None
        return GeneratedPuzzle(clues, fields, solutions[0])


def _expected(answer: Any) -> str:
    """Return what the spec expects."""
    if isinstance(answer, list) and all(isinstance(row, str) for row in answer):
        return spec_text({"expect": {"solutions": 1, "answer": answer}})
    return f"expect:\n  solutions: 1\n  answer: {json.dumps(answer, ensure_ascii=False)}\n"


def _name_of(type_: PuzzleType) -> str:
    """Return the name of a type, or the path of its file if only that leads to it."""
    path = type_.source.path
    return type_.name if is_known(type_.name) or not Path(path).is_file() else path


def command_of(type_: PuzzleType, options: SimpleNamespace, seed: int) -> str:
    """Return the command that makes the same puzzles again."""
    words = ["puzzlekit generate", quote(_name_of(type_))]
    for name in ("size", "like"):
        value = getattr(options, name)
        if value:
            words.append(f"--{name} {quote(str(value))}")
    words += [f"--set {quote(setting)}" for setting in options.set]
    if options.symmetry:
        words.append(f"--symmetry {options.symmetry}")
    if options.density:
        words.append(f"--density {options.density}")
    if options.minimal:
        words.append("--minimal")
    if options.level:
        words.append(f"--level {','.join(level.name for level in options.level)}")
    words.append(f"--seed {seed}")
    return " ".join(words)
