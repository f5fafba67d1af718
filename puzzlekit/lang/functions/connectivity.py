"""Functions of graphs: connectedness, loops, paths and cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Corner, Cycle, Faces, Form, Grid, below, faces, simple_cycles
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.lang.data.collections import BOARD_SIDE
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text
from puzzlekit.lang.functions.arithmetic import Counting
from puzzlekit.lang.library import Functions
from puzzlekit.model import (
    Acyclic,
    Circuit,
    Component,
    Connected,
    Inside,
    Regions,
    Structure,
    Term,
    Value,
)

Pair = tuple[int, int]
Edges = Sequence[Pair]
# half of the moves: those to later cells
LATER = {"rook": ((0, 1), (1, 0)), "king": ((0, 1), (1, -1), (1, 0), (1, 1))}
LINK = 6  # steps per link or edge
CACHED = 20  # results of a function that are cached for calls with the same arguments
SEARCH = 300_000  # steps of a search through a board or graph
VALUE = 20  # steps to separate the cells of one label from others
WITHOUT_KEYS = (  # help
    "write the name of the unknowns without an index, or a mapping: {c: flag[c] for c in …}"
)


class Graphs(Functions):
    """Connectedness, loops, paths and cycles.

    Conditions and labels have keys: they are the unknowns of one name, a mapping or a board.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.counting = Counting(interpreter)
        # the moves and the cells of the last links, and their pairs: each check of a solution links
        # the same cells
        self._linked: tuple[str, list[Operand], list[Pair]] = "", [], []

    def connected(self, flags: Operand, links: Operand = None, moves: str = "rook") -> Condition:
        """Return whether the keys that are true are connected. No true key at all is connected.

        Args:
            flags: The conditions.
            links: The pairs of keys that are linked, or a mapping from such a pair to a condition;
                without it, cells are linked by their positions.
            moves: `rook` links cells that share a side, `king` also those that share a corner.
        """
        conditions = self._conditions(flags, "flags")
        nodes = list(conditions.values())
        if not isinstance(links, Mapping | VariableArray):
            return self._structure(Connected, nodes, self._links(conditions, links, moves))
        pairs = []
        for (first, second), flag in self._conditional_links(conditions, links):
            link: Condition = True
            if flag is not True:
                link = self.interpreter.joined((flag, nodes[first], nodes[second]), False)
            if link is True:
                pairs.append((first, second))
            elif link is not False:  # the link is one more node, between those that it joins
                pairs += [(first, len(nodes)), (second, len(nodes))]
                nodes.append(link)
        return self._structure(Connected, nodes, pairs)

    def regions(self, labels: Operand, links: Operand = None) -> Operand:
        """Return whether, for each label, the keys with it are connected. None is not a label."""
        by_value: dict[Any, dict[Any, Any]] = {}  # the keys that may have a label, with theirs
        for key, label in self._keyed(labels, "labels").items():
            if label is not None:
                for value in self.interpreter.possible(label):
                    by_value.setdefault(value, {})[key] = label
        conditions = []
        for value, keys in by_value.items():
            self.interpreter.spend(VALUE)
            flags = [self.interpreter.compare("==", label, value) for label in keys.values()]
            pairs = self._links(keys, links, "rook")
            conditions.append(self._structure(Connected, flags, pairs))
        return self.interpreter.joined(conditions, False)

    def region_sizes(self, labels: Operand, links: Operand = None) -> Operand:
        """Return for each key the number of keys in its region.

        Args:
            labels: The keys with their labels, or a row of keys, which all have the same label.
            links: The pairs of keys that are linked, or a mapping from such a pair to a condition;
                without it, cells are linked by their positions. Linked keys with equal labels
                belong to one region. The label None belongs to no region: its size is 0.
        """
        return self._cached(
            "region_sizes", (labels, links), lambda: self._region_sizes(labels, links)
        )

    def _region_sizes(self, labels: Operand, links: Operand) -> Mapping[Operand, Operand]:
        if isinstance(labels, Sequence) and not isinstance(labels, str | VariableArray):
            row = self.interpreter.require_fixed(tuple(labels), "a key")
            by_key: Mapping[Any, Any] = dict.fromkeys(row, True)
        else:
            by_key = self._keyed(labels, "labels")
        labelled = {key: label for key, label in by_key.items() if label is not None}
        unlabelled = dict.fromkeys((key for key in by_key if key not in labelled), 0)
        keys = list(labelled)
        pairs, joins = [], []
        for (first, second), flag in self._conditional_links(labelled, links):
            same = self.interpreter.compare("==", labelled[keys[first]], labelled[keys[second]])
            join = self.interpreter.joined((same, flag), False)
            if join is not False:
                pairs.append((first, second))
                joins.append(join)
        self.interpreter.spend(len(keys) + LINK * len(pairs))
        if any(isinstance(join, Term) for join in joins):
            terms = tuple(map(self.interpreter.term, joins))
            regions = Regions(terms, tuple(pairs), len(keys))
            sizes = {key: Component(regions, number) for number, key in enumerate(keys)}
            return {**sizes, **unlabelled}
        regions = Regions((), tuple(pairs), len(keys))
        return {**dict(zip(keys, regions.components(joins))), **unlabelled}

    def single_loop(self, line: Operand) -> Condition:
        """Return whether the edges that are true form one loop, which visits no node twice."""
        flags, _, edges = self._edges(line)
        return self._structure(Circuit, flags, edges)

    def single_path(self, line: Operand) -> Condition:
        """Return whether the edges that are true form one path, which visits no node twice.

        A path is a loop through one more node, which is joined to each node that has one true edge.
        """
        flags, nodes, edges = self._edges(line)
        flags_by_node: list[list[Any]] = [[] for _ in nodes]
        for flag, edge in zip(flags, edges):
            for node in edge:
                flags_by_node[node].append(flag)
        ends = [self.counting.exactly_one(tuple(around)) for around in flags_by_node]
        extra_edges = [(node, len(nodes)) for node in range(len(nodes))]
        loop = self._structure(Circuit, [*flags, *ends], [*edges, *extra_edges])
        has_two_ends = self.interpreter.compare("==", self.counting.sum(tuple(ends)), 2)
        return self.interpreter.joined((has_two_ends, loop), False)

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
        return self._structure(Circuit, [*flags, True], [*edges, (nodes[a], nodes[b])])

    def acyclic(self, line: Operand) -> Condition:
        """Return whether the edges that are true form no loop."""
        flags, _, edges = self._edges(line)
        return self._structure(Acyclic, flags, edges)

    def inside(self, line: Operand, place: Operand) -> Condition:
        """Return whether a place lies inside the line; a place on the line does not.

        It lies inside if an odd number of lines separates it from the left edge of the board.

        Args:
            line: The edges of the line: sides of cells, or pairs of neighbours.
            place: A cell or a corner.
        """
        point = self.interpreter.require_fixed(place, "a place")
        if not isinstance(point, Cell | Corner):
            raise ExpressionError(f"expected a cell or a corner, got {display_text(point)}")
        lattice: _Lattice = self._cached("inside", (line,), lambda: self._lattice(line))
        form = lattice.form
        if isinstance(point, Corner) and lattice.faces.count > 1 and point.form != form:
            corner = f"{display_text(point)} is a corner of {point.form}s"
            raise ExpressionError(f"{corner}, and the line is one of {form}s")
        face = lattice.face_of(point)
        edges = lattice.edges_of(point)
        self.interpreter.spend(len(edges))
        if not face:
            return False
        conditions = (lattice.is_inside(face), *map(self.interpreter.negate, edges))
        return self.interpreter.joined(conditions, False)

    def _lattice(self, line: Operand) -> _Lattice:
        """Return the nodes and the faces of a line. Raises ExpressionError."""
        flags, nodes, edges = self._edges(line)
        node_class, form = _kind_of_nodes(nodes)
        node_of = list(nodes)
        ends = [(node_of[first][:2], node_of[second][:2]) for first, second in edges]
        coordinates = zip(*(below(form, node[:2]) for node in nodes))
        if any(max(line) - min(line) > BOARD_SIDE + 1 for line in coordinates):
            raise ExpressionError(f"a line has at most {BOARD_SIDE} rows and columns")
        lattice_faces = faces(ends, form)
        self.interpreter.spend(LINK * lattice_faces.count)
        crossed_edges = {edge for *_, edge in lattice_faces.steps if edge >= 0}
        if len(crossed_edges) < len(ends):
            raise ExpressionError(
                "inside takes sides of cells, or edges between neighbours in a row or in a column",
                help="such as board.edges, or board.adjacent of a board of squares",
            )
        flags_by_node: dict[Any, list[Condition]] = {}
        for flag, pair in zip(flags, ends):
            for node in pair:
                flags_by_node.setdefault(node, []).append(flag)
        terms = tuple(map(self.interpreter.term, flags))
        inside = Inside(terms, tuple(edges), lattice_faces.steps, lattice_faces.count)
        interior: Inside | Sequence[Value] = inside
        if not any(isinstance(flag, Term) for flag in flags):
            interior = inside.components(flags)
        return _Lattice(node_class, form, flags_by_node, lattice_faces, interior)

    def simple_cycles(self, arcs: DataValue) -> tuple[Cycle, ...]:
        """Return every cycle along the arcs (from, to) that visits no node twice."""
        return simple_cycles(fixed_arcs(self.interpreter, arcs), self.interpreter.spend)

    def _cached(
        self, function: str, arguments: tuple[Operand, ...], compute: Callable[[], Operand]
    ) -> Operand:
        """Return what `compute` returns, which is cached for later calls with the same objects.

        Rules call these functions for each key: `region_sizes(labels)[c]`.
        """
        cache = self.interpreter.cached.setdefault(function, {})
        key = tuple(map(id, arguments))
        if key not in cache:
            if len(cache) >= CACHED:
                cache.clear()
            cache[key] = arguments, compute()  # with the arguments, so that their ids stay theirs
        return cache[key][1]

    def _structure(
        self, structure: Callable[..., Structure], flags: Sequence[Operand], pairs: Edges
    ) -> Condition:
        """Return a structure of a graph as a condition, or a bool if all flags are fixed."""
        self.interpreter.spend(len(flags) + LINK * len(pairs))
        if any(isinstance(flag, Term) for flag in flags):
            return structure(tuple(map(self.interpreter.term, flags)), tuple(pairs))
        return structure((), tuple(pairs)).met(flags)

    def _keyed(self, group: Operand, subject: str) -> Mapping[Operand, Operand]:
        match group:
            case VariableArray() if group.arity:
                members: Mapping[Any, Any] = group.members
            case Grid():
                members = group.values
            case Mapping():
                members = group
            case _:
                message = f"expected {subject} with keys, got {display_text(group)}"
                raise ExpressionError(message, help=WITHOUT_KEYS)
        self.interpreter.spend(len(members))
        return members

    def _conditions(self, group: Operand, subject: str) -> dict[Operand, Operand]:
        flags = self._keyed(group, subject)
        return dict(zip(flags, self.interpreter.as_conditions(tuple(flags.values()))))

    def _edges(self, line: Operand) -> tuple[list[Operand], dict[Operand, int], list[Pair]]:
        """Return the conditions of the edges, the numbers of the nodes, the nodes of each edge."""
        flags = self._conditions(line, "edges")
        nodes: dict[Any, int] = {}
        edges = []
        for key in flags:
            first, second = _pair(key, "an edge")
            first_number = nodes.setdefault(first, len(nodes))
            edges.append((first_number, nodes.setdefault(second, len(nodes))))
        return list(flags.values()), nodes, edges

    # links

    def _conditional_links(
        self, keys: Mapping[Operand, Operand], links: Operand
    ) -> list[tuple[Pair, Operand]]:
        """Return the linked pairs of keys, by number, with the condition of each."""
        if not isinstance(links, Mapping | VariableArray):
            return [(pair, True) for pair in self._links(keys, links, "rook")]
        numbers = _numbered(keys)
        pairs = []
        for link, flag in self._conditions(links, "links").items():
            first, second = _pair(link, "a link")
            if first in numbers and second in numbers:
                pairs.append(((numbers[first], numbers[second]), flag))
        return pairs

    def _links(self, keys: Mapping[Operand, Operand], links: Operand, moves: str) -> list[Pair]:
        """Return the linked pairs of keys, by number; a link to anything else is ignored."""
        if links is None:
            return self._links_by_position(keys, moves)
        numbers = _numbered(keys)
        pairs = []
        for link in self.interpreter.require_fixed(self.items(links), "a link"):
            first, second = _pair(link, "a link")
            if first in numbers and second in numbers:
                pairs.append((numbers[first], numbers[second]))
        return pairs

    def _links_by_position(self, keys: Mapping[Operand, Operand], moves: str) -> list[Pair]:
        """Return the pairs of cells, by number, that are a move apart."""
        if moves not in LATER:
            raise ExpressionError(f"expected king or rook as moves, got {display_text(moves)}")
        self._require_square_cells(keys)
        cells = list(keys)
        if self._linked[:2] != (moves, cells):
            numbers = _numbered(cells)
            neighbours = (
                (number, numbers.get((row + down, column + right)))
                for (row, column), number in numbers.items()
                for down, right in LATER[moves]
            )
            pairs = [(number, second) for number, second in neighbours if second is not None]
            self._linked = moves, cells, pairs
        return self._linked[2]

    def _require_square_cells(self, keys: Mapping[Operand, Operand]) -> None:
        """Raise ExpressionError unless the keys are cells that are linked as squares are."""
        for key in keys:
            if not isinstance(key, Cell):
                message = f"only cells are linked by position, got {display_text(key)}"
                raise ExpressionError(message, help="give the links: links=[(a, b), …]")
        for function, board in self.interpreter.unsquare_boards:
            if len(keys) > 1 and board.values.keys() >= keys.keys():
                raise ExpressionError(
                    f"cells are linked as squares here, but {function}(…) made a board of them"
                    " that links them otherwise",
                    help="give its links: links=b.adjacent, where b is that board",
                )


class _Lattice(NamedTuple):
    """The nodes of a line, and the faces between its edges.

    Attributes:
        node_class: The class of the nodes: cells or corners.
        form: The form of the cells.
        flags_by_node: The conditions of the edges of each node, by its row and column.
        faces: The faces.
        interior: The function of the edges whose components are whether each face lies inside the
            line; its value if the edges are fixed.
    """

    node_class: type
    form: Form
    flags_by_node: Mapping[Any, Sequence[Condition]]
    faces: Faces
    interior: Inside | Sequence[Value]

    def is_inside(self, face: int) -> Operand:
        """Return whether a face lies inside the line, as a bool or a condition."""
        if isinstance(self.interior, Inside):
            return Component(self.interior, face)
        return self.interior[face]

    def face_of(self, point: Cell | Corner) -> int:
        """Return the face at a node, or the face whose centre the point is."""
        if type(point) is self.node_class:
            position = point[:2]
            return self.faces.face_of(
                below(self.form, position) if type(point) is Corner else position
            )
        # a corner is the upper left of a cell: between nodes that are cells, it is the centre of
        # the face before
        up = int(self.node_class is Cell)
        return self.faces.face_of((point.row - up, point.column - up))

    def edges_of(self, point: Cell | Corner) -> Sequence[Condition]:
        """Return the conditions of the edges at a node: a node on the line is not inside it."""
        if type(point) is not self.node_class:
            return ()
        return self.flags_by_node.get(point[:2], ())


def _kind_of_nodes(nodes: Iterable[Operand]) -> tuple[type, Form]:
    """Return the class and the form of the nodes of a line. Raises ExpressionError."""
    kinds: set[tuple[type, Form]] = {
        (type(node), getattr(node, "form", "square")) for node in nodes
    }
    if not kinds:
        return Cell, "square"
    class_, form = kinds.pop()
    if kinds or class_ not in (Cell, Corner):
        raise ExpressionError(
            "inside takes a line between cells, or one between corners of one board"
        )
    return class_, form


def _pair(key: Operand, subject: str) -> tuple[Operand, Operand]:
    if not isinstance(key, tuple) or isinstance(key, Cell) or len(key) != 2:
        raise ExpressionError(f"expected a pair of nodes as {subject}, got {display_text(key)}")
    return key


def _numbered(keys: Iterable[Operand]) -> dict[Operand, int]:
    return {key: number for number, key in enumerate(keys)}


def fixed_arcs(
    interpreter: Interpreter, arcs: DataValue
) -> tuple[tuple[DataValue, DataValue], ...]:
    """Return the arcs (from, to) of a graph and spend the steps of a search through it."""
    pairs: tuple[tuple[Any, Any], ...] = interpreter.require_fixed(
        interpreter.items(arcs), "an arc"
    )
    are_pairs = all(type(pair) is tuple and len(pair) == 2 for pair in pairs)
    if not are_pairs:
        raise ExpressionError("expected a pair (from, to) as an arc")
    spend_search(interpreter)
    return pairs


def spend_search(interpreter: Interpreter) -> None:
    """Spend the fixed cost of a search through a board or graph."""
    interpreter.spend(SEARCH)
