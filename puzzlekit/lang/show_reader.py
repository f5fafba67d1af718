"""Reads `show` of a type: the pictures, each of layers from expressions, and printed values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.errors import nearest
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.puzzle_type import Picture, PictureLayer, PuzzleType, ShowEntry
from puzzlekit.source import is_empty, several

ARROWS = ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left")
SIGNS = (
    "white_circle",
    "grey_circle",
    "black_circle",
    "dot",
    "star",
    "bulb",
    "mine",
    "tree",
    "tent",
    "ship",
    "queen",
    "triangle",
    "cross",
    "less",
    "greater",
    "half_up_left",
    "half_up_right",
    "half_down_right",
    "half_down_left",
    *ARROWS,
    *"0123456789",
)

# the layers, and the variants that each may have
LAYERS: Mapping[str, tuple[str, ...]] = {
    "shade": (),
    "text": ("middle", "corner", "small", "between"),
    "borders": (),
    "cages": ("cells", "clues"),
    "split": (),
    "outside": ("top", "left", "right", "bottom"),
    "lines": (),
    "diagonals": (),
    "signs": SIGNS,
    "paths": ("round", "bulb", "arrow"),
    "pieces": (),
}
VARIANTS_ONLY = frozenset({"outside"})
BELOW = "below"
OPTIONS = ("board", "title", "coordinates", BELOW)
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}

Compile = Callable[[Node, str], Expression | None]


def read_show(
    type_: PuzzleType, node: Node | None, declared: Collection[str], expression: Compile
) -> None:
    """Read what a type shows, and its pictures.

    Args:
        type_: The type, whose other sections have been read.
        node: The value of `show`; None without one.
        declared: The names of the type.
        expression: Compiles a node, which its second argument names in messages.
    """
    _ShowReader(type_, expression).read(node, declared)


class _ShowReader:
    """Reads `show` into a type."""

    def __init__(self, type_: PuzzleType, expression: Compile) -> None:
        self.type_ = type_
        self.source = type_.source
        self.expression = expression
        self.families = [variables.name for variables in type_.unknowns]

    def read(self, node: Node | None, declared: Collection[str]) -> None:
        visible = [
            ShowEntry(variables.name)
            for variables in self.type_.unknowns
            if not variables.auxiliary
        ]
        if node is None or is_empty(node):
            self.type_.show = visible
        elif isinstance(node, ScalarNode):
            self._read_name(node, visible, declared)
        else:
            for name, key, value in self.source.entries(node, "show"):
                self._read_entry(name, key, value)
            self._add_drawn(visible)

    def _read_name(
        self, node: ScalarNode, visible: Sequence[ShowEntry], declared: Collection[str]
    ) -> None:
        """Read `show: name`, where the name is that of unknowns or of a definition."""
        definitions = [definition.name for definition in self.type_.definitions]
        name = str(node.value)
        if name in self.families:
            self.type_.show = [ShowEntry(name)]
        elif name in definitions:
            self.type_.show = [*visible, ShowEntry(name, self.expression(node, "show"))]
        elif name not in declared or name in self.type_.fields:
            names = [*self.families, *definitions]
            self.source.unknown_key(name, node, "there is no unknown", names)

    def _read_entry(self, name: str, key: ScalarNode, node: Node) -> None:
        if name == "picture":
            self.type_.pictures = tuple(self._pictures(node))
            return
        if name in self.families:
            self.type_.show.append(ShowEntry(name, None, self._colour(name, node)))
            return
        if isinstance(node, MappingNode):
            help = nearest(name, ["picture"])
            if help.startswith("did"):
                self.source.problem(f"show has no key {name}", key, help)
                return
        expression = self.expression(node, f"show {name}")
        if expression:
            self.type_.show.append(ShowEntry(name, expression))

    def _add_drawn(self, visible: Sequence[ShowEntry]) -> None:
        """Add the unknowns that pictures draw; all of them if nothing else is shown."""
        type_ = self.type_
        names = {entry.name for entry in type_.show}
        if not names:
            type_.show = list(visible)
            return
        drawn: set[str] = set()
        for picture in type_.pictures:
            for expression in picture.expressions:
                drawn |= expression.names
        drawn_entries = [entry for entry in visible if entry.name in drawn - names]
        type_.show = drawn_entries + type_.show

    def _colour(self, name: str, node: Node) -> Expression | None:
        """Return the colours of an unknown, if it has some."""
        colour = None
        for option, key, value in self.source.entries(node, f"show {name}"):
            if option == "colour":
                colour = self.expression(value, f"the colours of {name}")
            else:
                self.source.unknown_key(option, key, "there is no option", ["colour"])
        return colour

    def _pictures(self, node: Node) -> Iterator[Picture]:
        """Yield the pictures that `picture` states: a mapping of layers, or a list of mappings.

        The layers of a picture that states only `below` are inferred.
        """
        for picture_node in several(node):
            picture = self._picture(picture_node)
            keys = []
            if isinstance(picture_node, MappingNode):
                keys = [key.value for key, _ in picture_node.value]
            if keys != [BELOW]:
                yield picture

    def _picture(self, node: Node) -> Picture:
        source = self.source
        layers: list[PictureLayer] = []
        board, title, coordinates = None, "", False
        if is_empty(node):
            message = "expected layers for the picture, got nothing"
            source.problem(message, node, f"the layers are {', '.join(LAYERS)}")
        for name, key, value in source.entries(node, "picture"):
            if name == "board":
                board = self.expression(value, "the board of the picture")
            elif name == "title":
                title = " ".join((source.text_of(value, "title") or "").split())
            elif name == "coordinates":
                text = source.text_of(value, name)
                if text is not None and text not in TRUTHS:
                    source.problem("expected yes or no for coordinates", value)
                coordinates = TRUTHS.get(text or "no", False)
            elif name == BELOW:
                self.type_.below = (*(self.type_.below or ()), *self._below(value))
            elif name in LAYERS:
                layers += self._layers(name, value)
            else:
                source.unknown_key(name, key, "there is no layer", [*LAYERS, *OPTIONS])
        return Picture(tuple(layers), board, title, coordinates)

    def _below(self, node: Node) -> Iterator[ShowEntry]:
        """Yield what is printed below the picture of the puzzle alone."""
        entries: list[tuple[str, Node]] = []
        if isinstance(node, MappingNode):
            entries += [(name, value) for name, _, value in self.source.entries(node, BELOW)]
        elif not is_empty(node):
            entries += [(str(value.value).strip(), value) for value in several(node)]
        for name, value in entries:
            expression = self.expression(value, BELOW)
            if expression is None:
                continue
            if expression.names.isdisjoint(self.families):
                yield ShowEntry(name, expression)
            else:
                message = f"expected a value of the data for {BELOW}, got unknowns"
                self.source.problem(message, value, f"write it under show: {name}: …")

    def _layers(self, layer: str, node: Node) -> Iterator[PictureLayer]:
        """Yield layers of one name: one for each expression, perhaps of a variant."""
        variants = LAYERS[layer]
        if isinstance(node, MappingNode):
            for name, key, value in self.source.entries(node, layer):
                if name in variants:
                    yield from self._variant(layer, name, value)
                else:
                    message = f"{layer} has no part"
                    self.source.unknown_key(name, key, message, list(variants))
        elif layer in VARIANTS_ONLY and isinstance(node, ScalarNode):
            message = f"{layer} has parts: {', '.join(variants)}"
            self.source.problem(message, node, f"write {layer}: {{{variants[0]}: …}}")
        else:
            yield from self._variant(layer, "", node)

    def _variant(self, layer: str, variant: str, node: Node) -> Iterator[PictureLayer]:
        """Yield a layer for each expression of a list, or for the only one."""
        subject = f"{layer}, {variant}" if variant else layer
        for expression_node in several(node):
            expression = self.expression(expression_node, subject)
            if expression:
                yield PictureLayer(layer, variant, expression)
