"""A generator for every type whose clues act one by one, or that says under `make` how its puzzles
are made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from random import Random
from shlex import quote
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Puzzle, Query, Solution, rating_of_steps, refusal_of_size
from puzzlekit.backends import ConflictBudgetExceeded
from puzzlekit.boards import OF_SQUARES, SYMMETRIES, Grid, Symmetry
from puzzlekit.catalogue import is_known
from puzzlekit.clock import choose_clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problems, Undecided, option, with_help
from puzzlekit.lang import PuzzleType, RandomChoices, VariableArray, making_of
from puzzlekit.making.climbs import RATED
from puzzlekit.making.clue_numbers import ClueNumbers, clue_numbers
from puzzlekit.making.clues import InterdependentClues, clue_table
from puzzlekit.making.designs import DesignMaker, LayoutMaker, best_layout
from puzzlekit.making.fields import (
    Base,
    Clues,
    aligned_rows,
    clue_fields,
    fields_text,
    has_members,
    information,
    places_in,
)
from puzzlekit.making.flow_style import entry_text
from puzzlekit.making.generators import GeneratedSpec, Parameter, Tools, positive
from puzzlekit.making.leveller import Level, Leveller, TooEasy, TooHard, levels, levels_text
from puzzlekit.making.maker import Candidate, Maker
from puzzlekit.making.required_patterns import RequiredPatterns, required_patterns
from puzzlekit.making.symmetric_clues import clues_without_partner, require_removable_clues
from puzzlekit.making.taste import PreferenceProblems, Taste
from puzzlekit.making.variety import ALIKE, Outline, outline_of
from puzzlekit.reasons import Rating, harder_patterns
from puzzlekit.sentences import CluesWithoutPartner, and_list
from puzzlekit.yaml_nodes import spec_text

TRIES = 40  # for one puzzle
CLUE_SETS = 4  # of one solution that are tried for a level
CROWDED = 1.5  # times as many clues as are needed are too many to make a puzzle easier
PRINTED = "medium"  # the hardest level of puzzles for which no level is wished
EMPTY = "without a clue"
ALONE = "that what is scattered decides alone"
HOPELESS = 24  # candidates that are all too easy, or all too hard, after which no more are tried
SIDES = {"too easy": -1, "too hard": 1}
SIMILAR = 12  # tries in which a puzzle may be too much like another one; then the best one is taken


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
class PuzzleNumber:
    """Which of the puzzles of a seed is meant.

    Attributes:
        number: The number of the puzzle, from 1.
        attempt: The attempt that makes it, from 1, since earlier ones may fail or be left out.
    """

    number: int
    attempt: int = 1

    @property
    def text(self) -> str:
        """The number, and the attempt if it is not the first one: `7`, or `7.3`."""
        if self.attempt > 1:
            return f"{self.number}.{self.attempt}"
        return str(self.number)


def puzzle_number(text: str) -> PuzzleNumber:
    """Read the number of a puzzle, perhaps with an attempt: `7`, or `7.3`. Raises InputError."""
    match = re.fullmatch(r"([1-9][0-9]{0,6})(?:\.([1-9][0-9]?))?", text)
    if match is None or int(match[2] or 1) > TRIES:
        raise InputError(f"expected a number from 1, such as 7, or 7.3, got {text}")
    return PuzzleNumber(int(match[1]), int(match[2] or 1))


@dataclass(frozen=True)
class GeneratedPuzzle:
    """A generated puzzle.

    Attributes:
        number: Which of its seed it is.
        clues: Its clues.
        fields: Its fields as text.
        solution: Its only solution.
        frame: Its fields without clues that were drawn for it, such as regions; empty for none.
        rating: Its difficulty; None if no level is wished.
        is_empty: Whether nothing stands on its boards and in its lists.
    """

    number: PuzzleNumber
    clues: Clues
    fields: str
    solution: Solution
    frame: str = ""
    rating: Rating | None = None
    is_empty: bool = False

    @cached_property
    def outline(self) -> Outline:
        """The outline of its solution."""
        return outline_of(self.solution)

    def greatest_similarity(self, earlier: Iterable[GeneratedPuzzle]) -> float:
        """Return the similarity to the one of several puzzles that is most alike: 1 if it has the
        same frame.
        """
        outlines = []
        for puzzle in earlier:
            if self.frame and self.frame == puzzle.frame:
                return 1.0
            outlines.append(puzzle.outline)
        return self.outline.greatest_similarity(outlines)


@dataclass
class Misses:
    """What the candidates for a puzzle lacked.

    Attributes:
        counts: How many of them lacked something.
        sides: For each of a wrong level, -1 if it was too easy and 1 if it was too hard.
        clues: The numbers of clues of those that had more, or less, than were wished.
    """

    counts: Counter[str] = field(default_factory=Counter)
    sides: list[int] = field(default_factory=list)
    clues: list[int] = field(default_factory=list)

    def add_clues(self, number: int) -> None:
        """Count a candidate with another number of clues than was wished."""
        self.counts["with another number of clues"] += 1
        self.clues.append(number)

    def are_alike(self, candidates: int) -> bool:
        """Return whether all candidates were too easy, or all of them too hard."""
        return len(self.sides) >= candidates and len({*self.sides}) == 1

    @property
    def texts(self) -> list[str]:
        """What was lacking in words, such as `3 too easy`."""
        counts = self.counts.items()
        return [f"{count} {lack}" for lack, count in counts if count and lack != ALONE]


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
            "which places lose clues together: turned by 180 degrees (rotate), mirrored left to "
            "right (mirror), top to bottom (flip) or along a diagonal (diagonal), quarter turns "
            "(four), all of these (full), or none",
            metavar="NAME",
            choices=SYMMETRIES,
        ),
        Parameter(
            "number",
            "the first puzzle of the seed to make: 7, or 7.3 for its third attempt",
            puzzle_number,
            metavar="N",
        ),
        Parameter(
            "density",
            "how many of a hundred cells are scattered: walls, seeds of regions",
            percent,
            metavar="N",
        ),
        Parameter(
            "minimal",
            "take away each clue that is not needed, however hard that makes a puzzle, and also "
            "where a type leaves all",
            bool,
        ),
        Parameter(
            "level",
            "how hard puzzles are, as rate tells: easy, medium, hard, expert, extreme, or scores "
            "as in 20..50; several in turn: easy,hard, or six of each: easy:6,hard:6",
            levels,
        ),
        Parameter(
            "require",
            "a pattern that the steps to the solution need, such as X-wing, or several of which "
            "they need one: naked pair,naked triple",
            required_patterns,
            metavar="PATTERN",
            rival="level",
        ),
        Parameter(
            "clues",
            "how many clues a puzzle has: 24, or 24..28",
            clue_numbers,
            metavar="N",
        ),
        Parameter(
            "workers",
            "how many processes make rows of --out FILE.jsonl; by default all processors",
            positive,
        ),
    )

    def __init__(self, base: Base) -> None:
        self.base = base
        self.attempt = 0  # of the puzzle that is generated

    def state(self) -> str:
        """Return how many attempts were made; for another thread, while puzzles are generated."""
        return f"try {self.attempt} of {TRIES}" if self.attempt > 1 else ""

    def begin(self, options: SimpleNamespace, tools: Tools) -> None:
        """Work out what the clues state."""
        self.tools, self.levels = tools, options.level or ()
        type_ = self.base.type
        self.making = making_of(type_)
        self.wished_symmetry: Symmetry | None = None
        if options.symmetry != "none":
            self.wished_symmetry = options.symmetry
        self.symmetry = self._symmetry(options.symmetry)
        self.density = options.density
        self.wished_size: str | None = options.size
        self.clue_numbers: ClueNumbers | None = getattr(options, "clues", None)
        self.required: RequiredPatterns | None = getattr(options, "require", None)
        self.is_eased = not options.minimal and self.clue_numbers is None
        if self.base.fixed:
            self.making = replace(self.making, layout=None)
        if options.minimal:
            self.making = replace(self.making, keep_all=())
        if self.wished_symmetry is not None:
            require_removable_clues(
                self.wished_symmetry, type_, self.base.data, self.making.keep_all
            )
        if self.density is not None and not self.making.scatters:
            raise InputError(
                f"{option('density')} {self.density}: no cells of {type_.name} are scattered, "
                f"or {option('like')} has them"
            )
        names = clue_fields(type_, self.base.data)
        if self.clue_numbers is not None and names:
            self.clue_numbers.check_room(len(places_in(self.base.data, names)))
        self._maker = self._fixed_maker()
        self._last_laid: tuple[Mapping[str, Any], Maker] | None = None
        self.source = command_of(type_, options, tools.seed)

    def _symmetry(self, wished: Symmetry | None) -> Symmetry | None:
        """Return the symmetry that is wished, or else the one that the type says; None for none.

        Raises InputError.
        """
        symmetry = wished or self.making.symmetry
        boards = [board for board in self.base.data.values() if isinstance(board, Grid)]
        is_square = all(board.height == board.width for board in boards)
        if wished in OF_SQUARES and not is_square:
            raise InputError(f"{option('symmetry')} {wished} requires a square board")
        if not is_square and symmetry in OF_SQUARES:
            symmetry = "rotate"
        return symmetry

    def _fixed_maker(self) -> Maker | DesignMaker | LayoutMaker | None:
        """Return the maker of all puzzles; None if each layout needs a maker of its own."""
        layout = self.making.layout
        if self.making.design is not None:
            return DesignMaker(self.base, self.making, self.symmetry, self.density)
        if layout is not None:
            names = clue_fields(self.base.type, self.base.data)
            return None if names else LayoutMaker(self.base, layout, self.symmetry)
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
        """Generate `options.count` puzzles; their solutions differ, as far as the type allows."""
        self.begin(options, tools)
        earlier: list[GeneratedPuzzle] = []
        first = options.number or PuzzleNumber(1)
        following = range(first.number + 1, first.number + options.count)
        for number in (first, *map(PuzzleNumber, following)):
            puzzle = self.generated(number, earlier)
            if puzzle is not None:
                earlier.append(puzzle)
                self._report_asymmetry(puzzle)
                name = f"{self.base.type.name}-{tools.seed}-{number.number}"
                yield GeneratedSpec(name, self.spec(puzzle))

    def _report_asymmetry(self, puzzle: GeneratedPuzzle) -> None:
        """Report how many clues lack the symmetry that the command asks for."""
        symmetry = self.wished_symmetry
        if symmetry is None:
            return
        lone = clues_without_partner(symmetry, self.base.data, puzzle.clues.keys())
        if lone:
            name = f"{self.base.type.name} {puzzle.number.number}"
            wished = f"{option('symmetry')} {symmetry}"
            self.tools.report(str(CluesWithoutPartner(name, len(lone), len(puzzle.clues), wished)))

    def make(self, random: Random) -> Candidate | None:
        """Return a candidate with one solution; None if none was found in some time."""
        if self._maker is not None:
            return self._maker.make(random)
        layout = self.making.layout
        assert layout is not None, "a type without a design and a layout has one maker"
        choices = RandomChoices(random, self.symmetry or "rotate", self.density)
        laid = best_layout(layout, self.base, choices, Taste(self.making.prefer, random))
        if self._last_laid is None or self._last_laid[0] != laid:
            drawn = [name for name, field in laid.items() if has_members(field)]
            data = {**self.base.data, **laid}
            maker = self._clue_maker(data, drawn)
            self._last_laid = laid, maker
        _, maker = self._last_laid
        return maker.make(random)

    def _clue_maker(self, data: Mapping[str, Any], laid: Collection[str]) -> Maker:
        """Return the maker of puzzles with these fields, of which some were laid out."""
        allowed = information(self.making.clue_cells, data)
        possible_values = information(self.making.clue_values, data)
        table = clue_table(self.base.puzzle(data), laid, allowed, possible_values)
        making = self.making
        return Maker(
            table, self.symmetry or "none", making.keep_all, making.prefer, making.lasting_cells
        )

    def spec(self, puzzle: GeneratedPuzzle) -> str:
        """Return a puzzle as a spec."""
        type_ = self.base.type
        number = puzzle.number
        source = self.source
        if number != PuzzleNumber(1) or len(self.levels) > 1:
            source += f" --number {number.text}"
        type_title = type_.title or type_.name
        head: dict[str, Any] = {
            "puzzle": _name_of(type_),
            "title": f"{type_title} {self.tools.seed}-{number.number}",
            "source": source,
        }
        rating = puzzle.rating
        if rating is not None:
            head["generated_by"] = {
                "level": rating.level,
                "score": rating.score,
                "hardest": rating.hardest_patterns,
            }
        return f"{spec_text(head)}{puzzle.fields}{_expected(puzzle.solution)}"

    def generated(
        self, number: PuzzleNumber, earlier: Sequence[GeneratedPuzzle] = ()
    ) -> GeneratedPuzzle | None:
        """Return the puzzle of a number, which follows from it and the seed; another one, if it is
        too much like an earlier puzzle.
        """
        wished = self.levels[(number.number - 1) % len(self.levels)] if self.levels else None
        misses = Misses()
        candidates = 0
        alike: list[tuple[float, GeneratedPuzzle]] = []
        fields = {puzzle.fields for puzzle in earlier}
        for attempt in range(number.attempt, TRIES + 1):
            self.attempt = attempt
            candidate, random = self._attempt(number.number, attempt)
            if candidate is None:
                continue
            candidates += 1
            puzzle = self._wished(candidate, wished, random, misses)
            if puzzle is not None and puzzle.is_empty:
                misses.counts[EMPTY] += 1
                puzzle = None
            if puzzle is None and candidates >= HOPELESS and misses.are_alike(candidates):
                break
            if puzzle is None or puzzle.fields in fields:
                continue
            puzzle = replace(puzzle, number=PuzzleNumber(number.number, attempt))
            similarity = puzzle.greatest_similarity(earlier)
            if similarity <= ALIKE:
                return puzzle
            alike.append((similarity, puzzle))
            if len(alike) == SIMILAR:
                break
        if alike:
            return min(alike, key=itemgetter(0))[1]
        if candidates and misses.counts[ALONE] == candidates:
            raise InputError(
                f"{option('density')} {self.density}: what is scattered leaves no clue to a puzzle"
                f" of {self.base.type.name}",
                help="a smaller share leaves more of the board",
            )
        if wished is not None:
            for name, side in SIDES.items():
                misses.counts[name] = misses.sides.count(side)
        self._report_none(number.number, misses, attempt, candidates == 0)
        return None

    def _wished(
        self,
        candidate: Candidate,
        level: Level | None,
        random: Random,
        misses: Misses,
    ) -> GeneratedPuzzle | None:
        """Return a puzzle of a candidate that has what the options ask for; None if it lacks
        something, which is counted among the misses.
        """
        if self.density is not None and candidate.fields and not candidate.clues:
            misses.counts[ALONE] += 1
            return None
        numbers = self.clue_numbers
        fitted = candidate if numbers is None else numbers.fitted(candidate, random)
        if fitted is None:
            misses.add_clues(len(candidate.clues))
            return None
        if self.required is None:
            puzzle = self._levelled(fitted, level, random, misses.sides)
        else:
            puzzle = self._requiring(self.required, fitted, random)
            misses.counts[f"without need of {self.required.text}"] += puzzle is None
        if puzzle is None or numbers is None or numbers.fit(len(puzzle.clues)):
            return puzzle
        misses.add_clues(len(puzzle.clues))
        return None

    def _requiring(
        self, required: RequiredPatterns, candidate: Candidate, random: Random
    ) -> GeneratedPuzzle | None:
        """Return a puzzle with the solution of a candidate that needs a pattern."""

        def puzzle_of(clues: Clues) -> Puzzle:
            return self.base.puzzle(candidate.with_clues(clues))

        clues = required.clues(candidate, puzzle_of, random)
        puzzle = None if clues is None else self._proven(candidate, clues)
        return None if puzzle is None else replace(puzzle, rating=self.rated(puzzle))

    def _attempt(self, number: int, attempt: int) -> tuple[Candidate | None, Random]:
        """Return a candidate of an attempt, and its random numbers.

        Raises Problems of what was drawn in the last attempt, and those of `prefer` in any.
        """
        random = Random(f"{self.tools.seed} {number} {attempt - 1}")
        try:
            return self.make(random), random
        except PreferenceProblems:
            raise
        except Problems:  # what was drawn may allow no puzzle
            if attempt == TRIES:
                message = f"{self.base.type.name} {number}: none in {TRIES} tries"
                self.tools.report(with_help(message, self._other_size()))
                raise
            self.base.type.source.forget_problems()
            return None, random

    def _report_none(self, number: int, misses: Misses, attempts: int, no_candidate: bool) -> None:
        """Report that no puzzle of a number was found.

        Args:
            number: The number.
            misses: What the candidates lacked, with how many of them did.
            attempts: The number of the last attempt.
            no_candidate: Whether there was no candidate in all attempts.
        """
        reason = f", {and_list(misses.texts, None)}" if misses.texts else ""
        hint = self._other_level(misses.sides)
        if misses.clues:
            hint = f"the fewest clues were {min(misses.clues)}"
        if misses.counts[EMPTY]:
            hint = self._other_size()
        if no_candidate:
            hint = self._other_size()
            reason = self._refusal_of_size() or reason
            if isinstance(self._maker, Maker):
                clue_fields = self._maker.table.fields
                same = [name for name in self.base.spec.nodes if name not in clue_fields]
                if same:
                    hint = (
                        f"all puzzles have the {' and '.join(same)} of one spec: "
                        f"{option('like')} names another one"
                    )
        name = self.base.type.name
        self.tools.report(with_help(f"{name} {number}: none in {attempts} tries{reason}", hint))

    def _other_level(self, sides: Sequence[int]) -> str:
        """Return what helps where all candidates are on the same side of the level."""
        if len({*sides}) != 1:
            return ""
        too_easy = sides[0] == SIDES["too easy"]
        level = f"{option('level')} names {'an easier' if too_easy else 'a harder'} level"
        if self.base.fixed:
            return level
        return f"{level}, and {option('size')} a {'larger' if too_easy else 'smaller'} board"

    def _refusal_of_size(self) -> str:
        """Return why the type allows no board of the wished size; empty if that is not known."""
        usual = self.making.size
        if not self.wished_size or not usual or self.wished_size == usual:
            return ""
        refusal = refusal_of_size(self.base.type, self.wished_size, usual)
        return f": {refusal}" if refusal else ""

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

        def puzzle_of(clues: Clues) -> Puzzle:
            return self.base.puzzle(candidate.with_clues(clues))

        if wished is None:
            leveller = Leveller(candidate, puzzle_of, random)
            is_eased = self.is_eased and candidate.explainer is not None
            most = CROWDED * len(candidate.clues)
            clues = leveller.at_most(PRINTED, most) if is_eased else candidate.clues
            return self._proven(candidate, clues)
        fitting: Clues | None = None
        with suppress(ConflictBudgetExceeded):
            fitting = self._clues_of_level(candidate, puzzle_of, wished, random, sides)
        puzzle = None if fitting is None else self._proven(candidate, fitting)
        if puzzle is None:
            return None
        rating = self.rated(puzzle, wished)
        if wished.scores is None and rating.level != wished.name:
            sides.append(1)  # not rated in time
            return None
        return replace(puzzle, rating=rating)

    def _clues_of_level(
        self,
        candidate: Candidate,
        puzzle_of: Callable[[Clues], Puzzle],
        wished: Level,
        random: Random,
        sides: list[int],
    ) -> Clues | None:
        """Return clues of the solution of a candidate with which a puzzle has a level; None if
        there are none.

        Where few clues are too easy, others of the same solution are tried.

        Raises ConflictBudgetExceeded.
        """
        for _ in range(CLUE_SETS):
            leveller = Leveller(candidate, puzzle_of, random)
            try:
                return leveller.levelled(wished, is_hard_likely=1 in sides)
            except TooHard:
                sides.append(1)
                return None
            except TooEasy:
                if candidate.again is None or self.clue_numbers is not None:
                    break
            candidate = candidate.again()
        sides.append(-1)
        return None

    def rated(self, puzzle: GeneratedPuzzle, level: Level | None = None) -> Rating:
        """Return the difficulty; it is not `solved` if that takes long.

        Args:
            puzzle: The puzzle.
            level: Its level, if that is known.
        """
        loaded = self._puzzle(puzzle.fields)
        if level is None or level.scores is not None:
            return loaded.rate(RATED)
        return rating_of_steps(loaded, choose_clock(RATED), harder_patterns(level.name))

    def _puzzle(self, fields: str) -> Puzzle:
        """Return the puzzle of a spec that has these fields. Raises Problems."""
        return self.tools.puzzle(f"{spec_text({'puzzle': self.base.type.name})}{fields}")

    def _proven(self, candidate: Candidate, clues: Clues) -> GeneratedPuzzle | None:
        """Return a puzzle that its type accepts and of which another backend finds one solution,
        too.

        Raises Stopped, and KeyboardInterrupt.
        """
        data = candidate.with_clues(clues)
        fields = fields_text(self.base, data)
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
        frame = self._frame(candidate)
        is_empty = bool(candidate.fields) and not any(map(has_members, data.values()))
        return GeneratedPuzzle(
            PuzzleNumber(1), clues, fields, solutions[0], frame, is_empty=is_empty
        )

    def _frame(self, candidate: Candidate) -> str:
        """Return the text of the fields of a candidate that have no clues and were drawn for it."""
        before = self.base.data
        drawn = []
        for name, field_data in candidate.data.items():
            if name not in candidate.fields and field_data != before[name]:
                drawn.append(name)
        if not drawn:
            return ""
        frame = dict(before)
        for name in drawn:
            frame[name] = candidate.data[name]
        return fields_text(self.base, frame)


def _expected(solution: Solution) -> str:
    """Return what the spec expects: one solution, and its first unknown."""
    head = spec_text({"expect": {"solutions": 1}})
    name, answer = next(iter(solution.json().items()))
    rows = _board_rows(solution.output_or_array(name), answer)
    if rows is not None:
        return spec_text({"expect": {"solutions": 1, "answer": rows}})
    if isinstance(answer, bool):
        answer = str(answer).lower()
    return head + entry_text("answer", answer, "  ")


def _board_rows(value: Any, answer: Any) -> list[str] | None:
    """Return the lines of a board, given it as plain data, too; None if a value is no board."""
    is_board = isinstance(value, Grid) or (isinstance(value, VariableArray) and value.over_cells())
    if not is_board:
        return None
    rows = [["." if cell is None else str(cell) for cell in row] for row in answer]
    is_in_words = all(len(row) > 1 and not any(map(_has_blank, row)) for row in rows)
    are_characters = all(isinstance(row, str) for row in answer)
    if is_in_words or are_characters:
        return aligned_rows(rows)
    return None


def _has_blank(text: str) -> bool:
    return text.split() != [text]


def _name_of(type_: PuzzleType) -> str:
    """Return the name of a type, or the path of its file if only that leads to it."""
    path = type_.source.path
    if is_known(type_.name) or not Path(path).is_file():
        return type_.name
    return path


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
    for name in ("require", "clues"):
        wish = getattr(options, name, None)
        if wish is not None:
            words.append(f"--{name} {quote(wish.text)}")
    if options.level:
        words.append(f"--level {levels_text(options.level)}")
    words.append(f"--seed {seed}")
    return " ".join(words)
