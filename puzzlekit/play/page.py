"""A page to play a puzzle on: one HTML file that needs no network and does not tell the solution."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.resources import files
from itertools import combinations
from typing import Any

from puzzlekit.api import Puzzle, Query, Solution
from puzzlekit.api.boards import known_values
from puzzlekit.api.spec_progress import marks_of
from puzzlekit.clock import check
from puzzlekit.errors import InputError
from puzzlekit.libraries.words import Lexicon
from puzzlekit.model import Value, Variable
from puzzlekit.play.entries import Entry, entries_of, token_text
from puzzlekit.play.rules import rules_of
from puzzlekit.play.spoken import spoken
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons.places import cells_in
from puzzlekit.render.build import drawing_of
from puzzlekit.render.default_picture import pictures_of
from puzzlekit.render.layout import folded, plain_text, text_lines
from puzzlekit.render.svg import CELL
from puzzlekit.render.svg_layers import scene_svg
from puzzlekit.render.svg_shapes import Frame, class_of, escape, sign_svg
from puzzlekit.render.theme import STYLE
from puzzlekit.scene import Cages, Group, Line, Scene, Table, Text, centre

MOST = 2000  # solutions that a page recognises
CROSS = "×"  # at a place where nothing stands
NARROW = 44  # characters on the screen of a phone
DIGITS = 10  # of a hash: one wrong entry in a million million passes for a right one
Domains = Mapping[Variable, Sequence[Value]]
SCRIPTS = ("hash.js", "rules.js", "board.js")  # in their order on a page


def play_page(puzzle: Puzzle, backend: str = "auto", timeout: float | None = None) -> str:
    """Return a page to play a puzzle on.

    The page knows the solution only as salted hashes of what a player enters, so that it can say
    *solved*. It begins with the progress of the spec.

    Args:
        puzzle: The puzzle.
        backend: The backend that finds its solutions.
        timeout: Seconds for all solutions.

    Raises:
        InputError: The puzzle has no solution, or more than a page can recognise, or it cannot be
            entered.
        Stopped: The time is up.
    """
    run = puzzle.run(Query(limit=MOST + 1, ordered=False), backend, timeout)
    solutions = list(run)
    run.raise_reason()
    if not solutions:
        raise InputError(f"{puzzle.title} has no solution, so it cannot be played")
    if len(solutions) > MOST:
        raise InputError(
            f"{puzzle.title} has more than {MOST:,} solutions, more than a page recognises"
        )
    game = Game(puzzle)
    data = game.data(solutions[0]) | game.known(solutions)
    if marks := marks_of(puzzle):
        data["marks"] = game.standing(*known_values(puzzle.model, marks))
    return _page(
        puzzle, data, [scene_svg(scene, CELL, by_cell=True) for scene in game.scenes], game.signs()
    )


class Game:
    """A puzzle as it is played: its pictures, and what is entered.

    Attributes:
        puzzle: The puzzle.
        scenes: Its pictures without a solution.
        entries: What is entered.
        id: What tells it from others, and salts the hashes.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        instance = puzzle.instance
        pictures = [picture for picture in pictures_of(instance) if picture.expressions]
        self.puzzle = puzzle
        self.scenes = [drawing_of(instance, picture).scene(instance, None) for picture in pictures]
        self.entries = entries_of(instance, pictures)
        self.id = sha256(
            f"{puzzle.type.source.text}\n{puzzle.spec.source.text}".encode()
        ).hexdigest()[:16]

    def entered(self, solution: Solution) -> list[list[str]]:
        """Return what a player enters for a solution, for each entry."""
        return [entry.entered(self.puzzle.instance, solution.assignment) for entry in self.entries]

    def data(self, solution: Solution | None = None) -> dict[str, Any]:
        """Return what a script draws and takes input by.

        With a solution, entries have room for it, and given texts that are a part of it are fixed;
        without one, those are fixed that presolve finds to be the value there. Fixed is also what
        each rule by itself decides at clues. Raises InputError if the solution cannot be entered.
        """
        model = self.puzzle.model
        level = Presolve.FULL if solution is None else Presolve.LIGHT
        left: Domains = {}
        with suppress(Inconsistent):  # no solution: nothing is determined
            left = presolve(model, check, level).domains
        if solution is not None:
            self.entries = [
                entry.widened(entered)
                for entry, entered in zip(self.entries, self.entered(solution))
            ]
        decided = [_determined(entry, model.domains, left) for entry in self.entries]
        answer: Sequence[Sequence[str | None]] = (
            decided if solution is None else self.entered(solution)
        )
        given = [_given(scene) for scene in self.scenes]
        at_clues = [_at_clues(entry, given, own) for entry, own in zip(self.entries, decided)]
        return {
            "id": self.id,
            "title": self.puzzle.title,
            "cell": CELL,
            "scenes": [_scene(scene) for scene in self.scenes],
            "entries": [_entry(*each, self.scenes) for each in zip(self.entries, answer, at_clues)],
            "spelt": any(
                isinstance(value, Lexicon) for value in self.puzzle.instance.data.values()
            ),
            "check": rules_of(self.puzzle.model, self.entries),
            "pieces": [],
            "facts": None,
            "answers": [],
        }

    def known(self, solutions: Sequence[Solution]) -> dict[str, Any]:
        """Return how a script recognises these solutions, of which there are no others: by salted
        hashes.
        """
        answers = list(map(self.entered, solutions))
        if len(answers) == 1:
            return {
                "pieces": list(map(len, answers[0])),
                "facts": _facts(self.id, self.entries, answers[0]),
            }
        return {"answers": sorted({_hash(self.id, _whole(answer)) for answer in answers})}

    def standing(
        self, values: Mapping[Variable, Value], left: Domains | None = None
    ) -> list[list[str | list[str] | None]]:
        """Return a board in the making, for each entry, as a script enters it.

        At a place stands a text, None if nothing is known, a cross if nothing stands there, and a
        list of what may still stand there if it is `left`; of pieces only those that are known
        stand on it.

        Args:
            values: The unknowns that are known.
            left: The values that are not excluded, of unknowns of which some are.
        """
        boards: list[list[str | list[str] | None]] = []
        for entry in self.entries:
            if entry.kind == "pieces":
                known = self.groups(entry)
                boards.append(
                    [
                        " ".join(map(str, sorted(cells)))
                        for cells, v, *_ in known
                        if values.get(v) is True
                    ]
                )
            else:
                board = [
                    self._standing(entry, place, values, left or {})
                    for place in range(len(entry.places))
                ]
                for group in entry.linked:  # a cross says nothing beside what stands there
                    if any(board[place] not in (None, CROSS) for place in group):
                        board = [
                            None if place in group and text == CROSS else text
                            for place, text in enumerate(board)
                        ]
                boards.append(board)
        return boards

    def _standing(
        self, entry: Entry, place: int, values: Mapping[Variable, Value], left: Domains
    ) -> str | list[str] | None:
        variable = entry.unknowns[place] if entry.unknowns else None
        if variable is not None and entry.kind == "words":
            return str(values[variable]) if variable in values else None
        if variable is None or not entry.by_value:
            return None
        domain = self.puzzle.model.domains[variable]
        texts = [token_text(entry.tokens[token]) or CROSS for token in entry.by_value[place]]
        if variable in values:
            return texts[domain.index(values[variable])]
        return (
            [texts[domain.index(value)] for value in left[variable]] if variable in left else None
        )

    def groups(self, entry: Entry) -> list[tuple[frozenset[int], Variable, str, Any]]:
        """Return the unknowns that stand for a piece: the places of its cells, the unknown, its
        name and index.
        """
        number = {place: n for n, place in enumerate(entry.places)}
        found = []
        for name in entry.name.split(", "):
            for key, variable in self.puzzle.instance.families[name].members.items():
                cells = frozenset(
                    number.get(centre((cell.row, cell.column)), -1) for cell in cells_in(key)
                )
                if (
                    cells
                    and -1 not in cells
                    and set(self.puzzle.model.domains[variable]) <= {True, False}
                ):
                    found.append((cells, variable, name, key))
        return found

    def signs(self) -> Mapping[str, str]:
        """Return the drawings of the signs that are entered, in the middle of a square of side 1."""
        names = {
            what
            for entry in self.entries
            for token in entry.tokens
            for kind, what in token
            if kind == "sign"
        }
        return {name: sign_svg(name, 0, 0, 1, given=False) for name in sorted(names)}


def beside(puzzle: Puzzle) -> str:
    """Return what a player needs beside the boards, as text: lists, clues in words, pieces."""
    first, *others = puzzle.parts() or [[]]
    lines = list[Line]()
    for part in others if isinstance(first, Scene | Group) else [first, *others]:
        lines += (
            text_lines([part], NARROW)
            if isinstance(part, Scene | Group | Table)
            else folded(part, NARROW)
        )
    return plain_text(lines).strip("\n")


def _determined(entry: Entry, domains: Domains, left: Domains) -> list[str | None]:
    """Return what stands at places whose unknowns have one value left; None at the others."""
    found: list[str | None] = [None] * len(entry.places)
    for place, (tokens, variable) in enumerate(zip(entry.by_value, entry.unknowns)):
        if variable is not None and len(values := left.get(variable, ())) == 1:
            found[place] = token_text(entry.tokens[tokens[domains[variable].index(values[0])]])
    return found


def _at_clues(
    entry: Entry, given: Sequence[Mapping[Any, Sequence[str]]], decided: Sequence[str | None]
) -> dict[int, str]:
    """Return what is decided at clues: their own texts, on whichever board they stand, or one thing
    at all of them.

    If only some are decided, that is a step of the solution.
    """
    if entry.kind != "cells":
        return {}
    own = {n: decided[n] for n, place in enumerate(entry.places) if place in given[entry.scene]}
    same = own if len(own) > 1 and len(set(own.values())) == 1 else {}
    texts = {
        n: text
        for n, text in enumerate(decided)
        if any(text in scene.get(entry.places[n], ()) for scene in given)
    }
    return {n: text for n, text in (same | texts).items() if text is not None}


def _hash(salt: str, text: str) -> str:
    return sha256(f"{salt}|{text}".encode()).hexdigest()[:DIGITS]


def _facts(salt: str, entries: Sequence[Entry], answer: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the hash of what stands at each place; of pieces those of each, and of each pair of
    its cells.
    """
    facts = []
    for number, (entry, entered) in enumerate(zip(entries, answer)):
        if entry.kind == "pieces":
            pairs = (f"{a}-{b}" for piece in entered for a, b in combinations(piece.split(), 2))
            facts.append(sorted(_hash(salt, f"{number}|{what}") for what in (*entered, *pairs)))
        else:
            facts.append(
                [_hash(salt, f"{number}|{place}|{text}") for place, text in enumerate(entered)]
            )
    return facts


def _whole(answer: Sequence[Sequence[str]]) -> str:
    return "\n".join("|".join(entered) for entered in answer)


def _scene(scene: Scene) -> Mapping[str, Any]:
    """Return what the script knows of a board: its cells, as row, column and coordinates."""
    ground = Frame(scene, CELL)
    cells = [[*centre(cell), *map(_rounded, ground.centre(cell))] for cell in scene.cells]
    cornered = any(layer.corner for layer in scene.of_type(Text)) or any(scene.of_type(Cages))
    known = {"cells": cells, "low": cornered, "said": spoken(scene)}
    if scene.form == "square":
        return known
    return {
        **known,
        "rings": [
            [_rounded(c) for point in ground.polygon(cell) for c in point] for cell in scene.cells
        ],
    }


def _rounded(number: float) -> float:
    return int(number) if number == int(number) else round(number, 1)


def _entry(
    entry: Entry, answer: Sequence[str | None], at_clues: Mapping[int, str], scenes: Sequence[Scene]
) -> Mapping[str, Any]:
    """Return what the script knows of an entry: places with their coordinates, tokens, what is
    fixed.
    """
    known: dict[str, Any] = {
        "name": entry.name.replace("_", " "),
        "kind": entry.kind,
        "scene": entry.scene,
    }
    if entry.kind == "words":
        known["places"] = entry.places
    else:
        ground = Frame(scenes[entry.scene], CELL)
        known["places"] = [_place(place, ground) for place in entry.places]
        if entry.kind == "sides":
            known["ends"] = [
                [_rounded(c) for end in ground.side(place) for c in end] for place in entry.places
            ]
    known["tokens"] = [
        [[kind, class_of(what) if kind == "shade" else what] for kind, what in token]
        for token in entry.tokens
    ]
    known["keys"] = list(map(token_text, entry.tokens))
    if entry.free:
        known["free"] = True
    elif any(may != tuple(range(len(entry.tokens))) for may in entry.open):
        known["open"] = entry.open
    if linked := entry.linked:
        known["linked"] = [[[place, entry.by_value[place]] for place in group] for group in linked]
    given = _given(scenes[entry.scene]) if entry.kind == "cells" else {}
    places = list(enumerate(() if entry.kind == "pieces" else entry.places))
    shown = {
        number: answer[number] for number, place in places if answer[number] in given.get(place, ())
    }
    only = {
        n: token_text(entry.tokens[by[0]])
        for n, by in enumerate(entry.by_value)
        if len(set(by)) == 1
    }
    if fixed := {**only, **at_clues, **shown}:
        known["fixed"] = fixed
    if shown:
        known["shown"] = list(shown)
    return known


def _given(scene: Scene) -> dict[Any, list[str]]:
    """Return the given texts of cells, as what stands there."""
    found: dict[Any, list[str]] = {}
    for layer in scene.of_type(Text):
        if layer.is_given:
            for cell, text in layer.texts.items():
                found.setdefault(centre(cell), []).append(
                    f"{'corner' if layer.corner else 'text'}:{text}"
                )
    return found


def _place(place: Any, ground: Frame) -> list[float]:
    """Return a place in half steps and its coordinates; of a pair, those of both ends."""
    ends = place if isinstance(place[0], tuple) else (place,)
    return [part for end in ends for part in (*end, *map(_rounded, ground.at(end)))]


def _page(
    puzzle: Puzzle,
    data: Mapping[str, Any],
    boards: Sequence[tuple[float, float, str]],
    signs: Mapping[str, str],
) -> str:
    style, *scripts = (
        files("puzzlekit.play").joinpath(part).read_text(encoding="utf-8")
        for part in ("board.css", *SCRIPTS)
    )
    joined = re.sub(r"^import .*\n|^export ", "", "\n".join(scripts), flags=re.MULTILINE)
    script = f'{joined}\nmount(document.querySelector("main"), JSON.parse(document.getElementById("puzzle").textContent));'
    known = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    drawn = "".join(
        f'<svg class="board" viewBox="0 0 {width:.0f} {height:.0f}" style="--wide:{width:.0f}">{text}'
        '<g class="entered"></g></svg>'
        for width, height, text in boards
    )
    defined = "".join(f'<g id="sign-{name}">{shape}</g>' for name, shape in signs.items())
    allowed = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    about = (
        f"<details open><summary>Rules</summary><p>{escape(puzzle.instance.about)}</p></details>"
        if puzzle.type.about
        else ""
    )
    text = f'<pre class="beside">{escape(needed)}</pre>' if (needed := beside(puzzle)) else ""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        f'script-src {allowed}"><title>{escape(puzzle.title)}</title><style>{STYLE}{style}</style></head>\n'
        f'<body><main class="play"><h1>{escape(puzzle.title)}</h1>{about}'
        f'<div class="boards">{drawn}</div>{text}</main>'
        f'<svg width="0" height="0" aria-hidden="true"><defs>{defined}</defs></svg>'
        f'<script type="application/json" id="puzzle">{known}</script>\n<script type="module">{script}</script></body></html>\n'
    )
