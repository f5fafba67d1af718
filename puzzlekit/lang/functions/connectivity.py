"""Functions of graphs: connectedness, loops, paths and cycles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell, Corner, Cycle, Form, Grid, faces, simple_cycles
from puzzlekit.boards.outlines import below
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text
from puzzlekit.lang.functions.arithmetic import Counting
from puzzlekit.lang.library import Functions
from puzzlekit.model import Acyclic, Circuit, Component, Connected, Inside, Regions, Structure, Term

Pair = tuple[int, int]
Edges = Sequence[Pair]
# half of the moves: those to later cells
LATER = {"rook": ((0, 1), (1, 0)), "king": ((0, 1), (1, -1), (1, 0), (1, 1))}
LINK = 6  # steps per link or edge
KEPT = 20  # results of a function that are kept for calls with the same arguments
SEARCH = 300_000  # steps of a search through a board or graph
VALUE = 20  # steps to separate the cells of one label from others


class Graphs(Functions):
    """Connectedness, loops, paths and cycles.

    Conditions and labels have keys: they are a family of unknowns, a mapping or a board.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.counting = Counting(interpreter)
        # the last cells that were linked, by moves, and their pairs: each check of a solution links
        # the same ones
        self._linked = "", list[Any](), list[Pair]()

    def connected(self, flags: Operand, links: Operand = None, moves: str = "rook") -> Condition:
        """Return whether the keys that are true are connected. No true key at all is connected.

        Args:
            flags: The conditions.
            links: The pairs of keys that are linked, or a mapping from such a pair to a condition;
                without it, cells are linked by their positions.
            moves: `rook` links cells that share a side, `king` also those that share a corner.
        """
        found = self._conditions(flags, "flags")
        nodes = list(found.values())
        if not isinstance(links, Mapping | VariableArray):
            return self._stated(nodes, self._links(found, links, moves), Connected)
        pairs = []
        for (one, other), flag in self._conditional_links(found, links):
            link = (
                self.interpreter.joined((flag, nodes[one], nodes[other]), False)
                if flag is not True
                else True
            )
            if link is True:
                pairs.append((one, other))
            elif link is not False:  # the link is one more node, between those that it joins
                pairs += [(one, len(nodes)), (other, len(nodes))]
                nodes.append(link)
        return self._stated(nodes, pairs, Connected)

    def regions(self, labels: Operand, links: Operand = None) -> Operand:
        """Return whether, for each label, the keys with it are connected. None is not a label."""
        found = self._keyed(labels, "labels")
        holding: dict[Any, dict[Any, Any]] = {}
        for key, label in found.items():
            for value in () if label is None else self.interpreter.possible(label):
                holding.setdefault(value, {})[key] = label
        parts = []
        for value, keys in holding.items():
            self.interpreter.spend(VALUE)
            flags = [self.interpreter.compare("==", label, value) for label in keys.values()]
            parts.append(self._stated(flags, self._links(keys, links, "rook"), Connected))
        return self.interpreter.joined(parts, False)

    def region_sizes(self, labels: Operand, links: Operand = None) -> Operand:
        """Return for each key the number of keys in its region.

        Args:
            labels: The keys with their labels, or a row of keys, which all have the same label.
            links: The pairs of keys that are linked, or a mapping from such a pair to a condition;
                without it, cells are linked by their positions. Linked keys with equal labels
                belong to one region. The label None belongs to no region: its size is 0.
        """
        return self._kept(
            "region_sizes", (labels, links), lambda: self._region_sizes(labels, links)
        )

    def _region_sizes(self, labels: Operand, links: Operand) -> Mapping[Operand, Operand]:
        if isinstance(labels, Sequence) and not isinstance(labels, str | VariableArray):
            every: Mapping[Any, Any] = dict.fromkeys(
                self.interpreter.require_fixed(tuple(labels), "a key"), True
            )
        else:
            every = self._keyed(labels, "labels")
        found = {key: label for key, label in every.items() if label is not None}
        keys, none = list(found), dict.fromkeys((key for key in every if key not in found), 0)
        pairs, joins = [], []
        for (one, other), flag in self._conditional_links(found, links):
            same = self.interpreter.compare("==", found[keys[one]], found[keys[other]])
            join = self.interpreter.joined((same, flag), False)
            if join is not False:
                pairs.append((one, other))
                joins.append(join)
        self.interpreter.spend(len(keys) + LINK * len(pairs))
        if any(isinstance(join, Term) for join in joins):
            whole = Regions(tuple(map(self.interpreter.term, joins)), tuple(pairs), len(keys))
            return {key: Component(whole, place) for place, key in enumerate(keys)} | none
        return dict(zip(keys, Regions((), tuple(pairs), len(keys)).components(joins))) | none

    def single_loop(self, line: Operand) -> Condition:
        """Return whether the edges that are true form one loop, which visits no node twice."""
        flags, _, edges = self._edges(line)
        return self._stated(flags, edges, Circuit)

    def single_path(self, line: Operand) -> Condition:
        """Return whether the edges that are true form one path, which visits no node twice.

        A path is a loop through one more node, which is joined to each node that has one true edge.
        """
        flags, nodes, edges = self._edges(line)
        at: list[list[Any]] = [[] for _ in nodes]
        for flag, edge in zip(flags, edges):
            for node in edge:
                at[node].append(flag)
        ends = [self.counting.exactly_one(tuple(around)) for around in at]
        beyond = [(node, len(nodes)) for node in range(len(nodes))]
        loop = self._stated([*flags, *ends], [*edges, *beyond], Circuit)
        return self.interpreter.joined(
            (self.interpreter.compare("==", self.counting.sum(tuple(ends)), 2), loop), False
        )

    def path(self, line: Operand, a: Operand, b: Operand) -> Condition:
        """Return whether the edges that are true form one path from node `a` to node `b`.

        It visits no node twice: an edge between its ends makes it a loop.
        """
        flags, nodes, edges = self._edges(line)
        for node in self.interpreter.require_fixed((a, b), "an end of a path"):
            if node not in nodes:
                raise ExpressionError(
                    f"the path cannot end at {display_text(node)}: no edge leads there"
                )
        if a == b:
            raise ExpressionError(
                f"a path has two ends, and both are {display_text(a)}",
                help="use single_loop(…) for a loop",
            )
        return self._stated([*flags, True], [*edges, (nodes[a], nodes[b])], Circuit)

    def acyclic(self, line: Operand) -> Condition:
        """Return whether the edges that are true form no loop."""
        flags, _, edges = self._edges(line)
        return self._stated(flags, edges, Acyclic)

    def inside(self, line: Operand, place: Operand) -> Condition:
        """Return whether a place lies inside the line; a place on the line does not.

        It lies inside if an odd number of lines separates it from the left edge of the board.

        Args:
            line: The edges of the line: sides of cells, or pairs of neighbours.
            place: A cell or a corner.
        """
        place = self.interpreter.require_fixed(place, "a place")
        if not isinstance(place, Cell | Corner):
            raise ExpressionError(f"expected a cell or a corner, got {display_text(place)}")
        kind, form, at, found, whole = self._kept("inside", (line,), lambda: self._lattice(line))
        if isinstance(place, Corner) and found.count > 1 and place.form != form:
            raise ExpressionError(
                f"{display_text(place)} is a corner of {place.form}s, and the line is one of {form}s"
            )
        if (
            type(place) is kind
        ):  # a node: outside if the line visits it, else where the face beside it lies
            face, near = (
                found.at(below(form, place[:2]) if kind is Corner else place),
                at.get(place[:2], ()),
            )
        else:
            up = int(
                kind is Cell
            )  # a corner is the upper left of a cell, so it is the centre of the face before
            face, near = found.at((place.row - up, place.column - up)), ()
        self.interpreter.spend(len(near))
        within = Component(whole, face) if isinstance(whole, Inside) else whole[face]
        return self.interpreter.joined(
            (within, *map(self.interpreter.negate, near)) if face else (False,), False
        )

    def _lattice(self, line: Operand) -> Operand:
        """Return the kind and the form of the line's nodes, the edges at each, the faces, and what
        lies inside.
        """
        flags, nodes, edges = self._edges(line)
        kinds = {(type(node), getattr(node, "form", "square")) for node in nodes}
        if len(kinds) > 1 or not {kind for kind, _ in kinds} <= {Cell, Corner}:
            raise ExpressionError(
                "inside takes a line between cells, or one between corners of one board"
            )
        kind: type
        form: Form
        kind, form = next(iter(kinds), (Cell, "square"))  # type: ignore[assignment]
        numbers = list(nodes)
        ends = [(numbers[one][:2], numbers[other][:2]) for one, other in edges]
        if any(
            max(number) - min(number) > BOARD_SIDE + 1
            for number in zip(*(below(form, node[:2]) for node in nodes))
        ):
            raise ExpressionError(f"a line has at most {BOARD_SIDE} rows and columns")
        found = faces(ends, form)
        self.interpreter.spend(LINK * found.count)
        if len({place for *_, place in found.steps if place >= 0}) < len(ends):
            help = "such as board.edges, or board.adjacent of a board of squares"
            raise ExpressionError(
                "inside takes sides of cells, or edges between neighbours in a row or in a column",
                help=help,
            )
        at: dict[Any, list[Any]] = {}
        for flag, pair in zip(flags, ends):
            for node in pair:
                at.setdefault(node, []).append(flag)
        terms = tuple(map(self.interpreter.term, flags))
        whole: Any = Inside(terms, tuple(edges), found.steps, found.count)
        if not any(isinstance(flag, Term) for flag in flags):
            whole = whole.components(flags)
        return kind, form, at, found, whole

    def simple_cycles(self, arcs: DataValue) -> tuple[Cycle, ...]:
        """Return every cycle along the arcs (from, to) that visits no node twice."""
        return simple_cycles(known_arcs(self.interpreter, arcs), self.interpreter.spend)

    def _kept(
        self, function: str, arguments: tuple[Operand, ...], found: Callable[[], Operand]
    ) -> Operand:
        """Return what `found` returns, which is kept for later calls with the same objects.

        Rules call these functions for each key: `region_sizes(labels)[c]`.
        """
        kept = self.interpreter.cached.setdefault(function, {})
        key = tuple(map(id, arguments))
        if key not in kept:
            if len(kept) >= KEPT:
                kept.clear()
            kept[key] = arguments, found()  # the arguments are kept, so that their ids stay theirs
        return kept[key][1]

    def _stated(
        self, flags: Sequence[Operand], pairs: Edges, kind: Callable[..., Structure]
    ) -> Condition:
        """Return the structure as a condition, or a bool if all flags are known."""
        self.interpreter.spend(len(flags) + LINK * len(pairs))
        if any(isinstance(flag, Term) for flag in flags):
            return kind(tuple(map(self.interpreter.term, flags)), tuple(pairs))
        return kind((), tuple(pairs)).met(flags)

    def _keyed(self, group: Operand, what: str) -> Mapping[Operand, Operand]:
        match group:
            case VariableArray() if group.arity:
                found: Mapping[Any, Any] = group.members
            case Grid():
                found = group.values
            case Mapping():
                found = group
            case _:
                help = "write the name of the unknowns without an index, or a mapping: {c: flag[c] for c in …}"
                raise ExpressionError(
                    f"expected {what} with keys, got {display_text(group)}", help=help
                )
        self.interpreter.spend(len(found))
        return found

    def _conditions(self, group: Operand, what: str) -> dict[Operand, Operand]:
        return {
            key: self.interpreter.condition(flag) for key, flag in self._keyed(group, what).items()
        }

    def _edges(self, line: Operand) -> tuple[list[Operand], dict[Operand, int], list[Pair]]:
        """Return the conditions of the edges, the numbers of the nodes, the nodes of each edge."""
        found = self._conditions(line, "edges")
        nodes: dict[Any, int] = {}
        edges = []
        for key in found:
            one, other = self._pair(key, "an edge")
            edges.append((nodes.setdefault(one, len(nodes)), nodes.setdefault(other, len(nodes))))
        return list(found.values()), nodes, edges

    def _pair(self, key: Operand, what: str) -> tuple[Operand, Operand]:
        if not isinstance(key, tuple) or isinstance(key, Cell) or len(key) != 2:
            raise ExpressionError(f"expected a pair of nodes as {what}, got {display_text(key)}")
        return key

    def _conditional_links(
        self, keys: Mapping[Operand, Operand], links: Operand
    ) -> list[tuple[Pair, Operand]]:
        """Return the linked pairs of keys, by number, with the condition of each."""
        if not isinstance(links, Mapping | VariableArray):
            return [(pair, True) for pair in self._links(keys, links, "rook")]
        number = {key: place for place, key in enumerate(keys)}
        pairs = [
            (self._pair(link, "a link"), flag)
            for link, flag in self._conditions(links, "links").items()
        ]
        return [
            ((number[a], number[b]), flag) for (a, b), flag in pairs if a in number and b in number
        ]

    def _links(self, keys: Mapping[Operand, Operand], links: Operand, moves: str) -> list[Pair]:
        """Return the linked pairs of keys, by number; a link to anything else is ignored."""
        if links is not None:
            number = {key: place for place, key in enumerate(keys)}
            pairs = [
                self._pair(link, "a link")
                for link in self.interpreter.require_fixed(self.items(links), "a link")
            ]
            return [
                (number[one], number[other])
                for one, other in pairs
                if one in number and other in number
            ]
        if moves not in LATER:
            raise ExpressionError(f"expected king or rook as moves, got {display_text(moves)}")
        for key in keys:
            if not isinstance(key, Cell):
                help = "give the links: links=[(a, b), …]"
                raise ExpressionError(
                    f"only cells are linked by position, got {display_text(key)}", help=help
                )
        for function, other in self.interpreter.unsquare_boards:
            if len(keys) > 1 and other.values.keys() >= keys.keys():
                message = f"cells are linked as squares here, but {function}(…) made a board of them that links them otherwise"
                raise ExpressionError(
                    message, help="give its links: links=b.adjacent, where b is that board"
                )
        if self._linked[:2] != (moves, [*keys]):
            number = {key: place for place, key in enumerate(keys)}
            near = (
                (place, number.get((row + down, column + right)))
                for (row, column), place in number.items()
                for down, right in LATER[moves]
            )
            self._linked = (
                moves,
                [*keys],
                [(place, other) for place, other in near if other is not None],
            )
        return self._linked[2]


def known_arcs(
    interpreter: Interpreter, arcs: DataValue
) -> tuple[tuple[DataValue, DataValue], ...]:
    """Return the arcs (from, to) of a graph and spend the steps of a search through it."""
    pairs: tuple[tuple[Any, Any], ...] = interpreter.require_fixed(interpreter.items(arcs), "an arc")
    if not all(type(pair) is tuple and len(pair) == 2 for pair in pairs):
        raise ExpressionError("expected a pair (from, to) as an arc")
    spend_search(interpreter)
    return pairs


def spend_search(interpreter: Interpreter) -> None:
    """Spend the fixed cost of a search through a board or graph."""
    interpreter.spend(SEARCH)
