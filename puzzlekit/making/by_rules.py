"""A generator for every type whose clues act one by one, or that says under `make` how its puzzles
are made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from shlex import quote
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Query, Solution
from puzzlekit.catalogue import is_known
from puzzlekit.errors import InputError, Problems, with_help
from puzzlekit.lang import Instance, PuzzleType
from puzzlekit.lang.expressions.draws import RandomChoices
from puzzlekit.lang.making_section import making_of
from puzzlekit.making.clues import InterdependentClues, clue_table
from puzzlekit.making.designs import DesignMaker, laid_out
from puzzlekit.making.fields import Base, Clues, FieldCell, fields_text
from puzzlekit.making.generators import GeneratedSpec, Parameter, Tools, positive
from puzzlekit.making.maker import SYMMETRIES, Maker, Candidate
from puzzlekit.reasons.difficulty import LEVELS, Rating
from puzzlekit.yaml_nodes import spec_text

TRIES = 20  # for one puzzle
PARTS = (4, 12)  # into which clues that were added are divided, to take them away
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
        if self.scores is None:
            order = list(LEVELS)
            own, wished = order.index(rating.level), order.index(self.name)
            return (own > wished) - (own < wished)
        return (rating.score > self.scores[1]) - (rating.score < self.scores[0])


def levels(text: str) -> tuple[Level, ...]:
    """Read levels, which puzzles have in turn. Raises InputError."""
    return tuple(map(_level, text.split(",")))


def _level(text: str) -> Level:
    """Read a level: a name, or the lowest and the highest score. Raises InputError."""
    if text in LEVELS:
        return Level(text)
    found = re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})", text)
    if found is None or int(found[1]) > int(found[2]):
        raise InputError(f"expected {', '.join(LEVELS)}, or scores such as 20..50, got {text}")
    return Level(text, (int(found[1]), int(found[2])))


def percent(text: str) -> int:
    """Read a share of a hundred. Raises InputError."""
    if not text.isdecimal() or not 0 < int(text) < 100:
        raise InputError(f"expected a number from 1 to 99, got {text}")
    return int(text)


@dataclass(frozen=True)
class GeneratedPuzzle:
    """A puzzle that was made: its clues, its fields as text, its only solution, and its difficulty
    if a level is wished.
    """

    clues: dict[FieldCell, Any]
    fields: str
    solution: Solution
    rating: Rating | None = None


class RuleGenerator:
    """Make puzzles with one solution: as few clues as leave no other.

    The clues are the fields whose parts may be empty. All other fields are drawn, as the type says
    under `make`, or are those of one spec, which --size makes (as `puzzlekit new spec` does), or
    which --like names. With --level, clues are added to a puzzle that is too hard, until it has the
    level.
    """

    OPTIONS: tuple[Parameter, ...] = (
        Parameter("size", "the rows and columns of the board", metavar="ROWSxCOLUMNS"),
        Parameter(
            "like", "a spec whose other fields all puzzles have", Path, metavar="SPEC", rival="size"
        ),
        Parameter("set", "a field of all puzzles", metavar="FIELD=VALUE", repeated=True),
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
            "how hard puzzles are, as rate tells: easy, medium, hard, or scores as in 20..50; several in turn: easy,hard",
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
        making = making_of(self.base.type)
        self.making = replace(making, layout=None) if self.base.fixed else making
        if options.minimal:
            self.making = replace(self.making, keep_all=())
        if self.density is not None and not self.making.scatters:
            raise InputError(
                f"--density {self.density}: no cells of {self.base.type.name} are scattered, or --like has them"
            )
        self._maker: Maker | DesignMaker | None = None
        if self.making.design is not None:
            self._maker = DesignMaker(self.base, self.making, self.symmetry, self.density)
        elif self.making.layout is None:
            try:
                self._maker = self._one_by_one(self.base.data, {})
            except InterdependentClues as error:
                kind = self.base.type
                help = f"say under make: in {kind.source.path} how puzzles of {kind.name} are made: docs/making.md"
                raise InterdependentClues(str(error), help=help) from None
        self.source = command_of(self.base.type, options, tools.seed)

    def generate(self, options: SimpleNamespace, tools: Tools) -> Iterator[GeneratedSpec]:
        """Generate `options.count` puzzles, no two with the same fields."""
        self.begin(options, tools)
        known = set[str]()
        for number in range(1, options.count + 1):
            found = self.generated(number, known)
            if found is not None:
                known.add(found.fields)
                yield GeneratedSpec(f"{self.base.type.name}-{tools.seed}-{number}", self.spec(found, number))

    def make(self, random: Random) -> Candidate | None:
        """Return a puzzle with one solution; None if none was found in some time."""
        if self._maker is not None:
            return self._maker.make(random)
        layout = self.making.layout
        assert layout is not None, "a type without a design and a layout has one maker"
        laid = laid_out(
            layout,
            self.base.type,
            self.base.data,
            RandomChoices(random, self.symmetry or "rotate", self.density),
        )
        return self._one_by_one({**self.base.data, **laid}, laid).make(random)

    def _one_by_one(self, data: Mapping[str, Any], laid: Collection[str]) -> Maker:
        """Return the maker of puzzles with these fields, of which some were laid out."""
        page = self.making.places
        places = Instance(page, data, checked=False).info if page is not None else {}
        return Maker(clue_table(self.base.puzzle(data), laid, places), self.symmetry or "none")

    def spec(self, found: GeneratedPuzzle, number: int) -> str:
        """Return a puzzle as a spec."""
        kind = self.base.type
        head: dict[str, Any] = {
            "puzzle": kind.name,
            "title": f"{kind.title or kind.name} {self.tools.seed}-{number}",
            "source": self.source,
        }
        if found.rating is not None:
            head["generated_by"] = {
                "level": found.rating.level,
                "score": found.rating.score,
                "tier": found.rating.tier,
            }
        return f"{spec_text(head)}{found.fields}{_expected(next(iter(found.solution.json().values())))}"

    def generated(self, number: int, seen: Collection[str] = ()) -> GeneratedPuzzle | None:
        """Return the puzzle of a number, which follows from it and the seed; another one, if its
        fields are known.
        """
        wished = self.levels[(number - 1) % len(self.levels)] if self.levels else None
        sides, tries, vain = list[int](), 0, 0
        fixed = self._maker if isinstance(self._maker, Maker) else None
        while tries < TRIES:
            random = Random(f"{self.tools.seed} {number} {tries}")
            tries += 1
            try:
                made = self.make(random)
            except Problems:  # what was drawn may allow no puzzle
                if tries == TRIES:
                    vain_tries = f"number {number}: none in {tries} tries"
                    self.tools.report(with_help(vain_tries, self._other_size()))
                    raise
                self.base.type.source.forget_problems()
                continue
            vain += made is None
            found = None if made is None else self._levelled(made, wished, random, sides)
            if found is not None and found.fields not in seen:
                return found
        why = f", {sides.count(-1)} too easy and {sides.count(1)} too hard" if wished else ""
        same = [
            name
            for name in self.base.spec.nodes
            if fixed and vain == tries and name not in fixed.table.fields
        ]
        help = (
            f"all puzzles have the {' and '.join(same)} of one spec: --like SPEC names another one"
            if same
            else ""
        )
        help = help or self._other_size() * (vain == tries)
        self.tools.report(with_help(f"number {number}: none in {tries} tries{why}", help))
        return None

    def _other_size(self) -> str:
        """Return what helps where nothing at all is found."""
        return (
            ""
            if self.base.fixed
            else "the board may be too small for a puzzle, or too large to find one: --size names another one"
        )

    def _levelled(
        self, made: Candidate, wished: Level | None, random: Random, sides: list[int]
    ) -> GeneratedPuzzle | None:
        """Return a puzzle of the wished level with the clues that were made, and perhaps more of
        its solution.
        """
        found = self._proven(made, made.clues)
        if found is None or wished is None:
            return found
        more = [spot for spot in made.all_clues if spot not in made.clues]
        random.shuffle(more)
        fewest, most = (
            0,
            len(more),
        )  # the number of clues that are added; with more of them a puzzle is easier
        added = more[:0]
        side, best, needed = 0, None, added
        while found is not None and fewest <= most:
            rating = self.rated(found)
            side = wished.side(rating)
            if side == 0:
                best, needed = replace(found, rating=rating), added
            fewest, most = (len(added) + 1, most) if side > 0 else (fewest, len(added) - 1)
            added = more[: (fewest + most) // 2]
            found = self._with(made, added)
        sides += [side] * (best is None)
        return best and self._without_idle(made, best, needed, wished)

    def _without_idle(
        self, made: Candidate, best: GeneratedPuzzle, added: list[FieldCell], wished: Level
    ) -> GeneratedPuzzle:
        """Take away clues that were added and that the level does not need, many at once and then
        fewer.
        """
        for parts in PARTS:
            size = -(-len(added) // parts)
            for start in reversed(range(0, len(added), size or 1)):
                fewer = added[:start] + added[start + size :]
                found = self._with(made, fewer)
                rating = found and self.rated(found)
                if found and rating and wished.side(rating) == 0:
                    best, added = replace(found, rating=rating), fewer
        return best

    def _with(self, made: Candidate, added: Collection[FieldCell]) -> GeneratedPuzzle | None:
        """Return the puzzle with some more clues of its solution."""
        spots = {*made.clues, *(other for spot in added for other in made.orbit(spot))}
        return self._proven(
            made, {spot: value for spot, value in made.all_clues.items() if spot in spots}
        )

    def rated(self, found: GeneratedPuzzle) -> Rating:
        """Return the difficulty; it is not `solved` if that takes long."""
        return self.tools.puzzle(
            f"{spec_text({'puzzle': self.base.type.name})}{found.fields}"
        ).rate(RATED)

    def _proven(self, made: Candidate, clues: dict[FieldCell, Any]) -> GeneratedPuzzle | None:
        """Return a puzzle that its type accepts and of which another backend finds one solution,
        too.
        """
        fields = self._fields(made, clues)
        try:
            puzzle = self.tools.puzzle(f"{spec_text({'puzzle': self.base.type.name})}{fields}")
        except Problems as problems:
            self.tools.report(f"thrown away: {problems.problems[0].message}")
            return None
        solutions = list(puzzle.run(Query(limit=2, ordered=False)))
        if len(solutions) != 1:
            self.tools.report(f"thrown away: solve finds {len(solutions)} solutions, or more")
            return None
        return GeneratedPuzzle(clues, fields, solutions[0])

    def _fields(self, made: Candidate, clues: Clues) -> str:
        """Return the fields of a spec with these clues."""
        return fields_text(self.base, made.with_clues(clues))


def _expected(answer: Any) -> str:
    """Return what the spec expects."""
    if isinstance(answer, list) and all(isinstance(row, str) for row in answer):
        return spec_text({"expect": {"solutions": 1, "answer": answer}})
    return f"expect:\n  solutions: 1\n  answer: {json.dumps(answer, ensure_ascii=False)}\n"


def command_of(type_: PuzzleType, options: SimpleNamespace, seed: int) -> str:
    """Return the command that makes the same puzzles again."""
    name = type_.name if is_known(type_.name) else type_.source.path
    told = [
        f" --{name} {quote(str(value))}"
        for name in ("size", "like")
        if (value := getattr(options, name))
    ]
    told += [f" --set {quote(setting)}" for setting in options.set]
    told += [f" --symmetry {options.symmetry}"] if options.symmetry else []
    told += [f" --density {options.density}"] if options.density else []
    told += [" --minimal"] if options.minimal else []
    told += [f" --level {','.join(one.name for one in options.level)}"] if options.level else []
    return f"puzzlekit generate {quote(name)}{''.join(told)} --seed {seed}"
