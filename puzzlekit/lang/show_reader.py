"""Reads `show` of a type: the pictures, each of layers from expressions, and what stands beside
them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.errors import nearest
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.puzzle_type import Picture, PictureLayer, PuzzleType, ShowEntry
from puzzlekit.source import is_empty, several

ARROWS = ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left")
SIGNS = (
    *(
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
    ),
    *("triangle", "cross", "less", "greater"),
    *("half_up_left", "half_up_right", "half_down_right", "half_down_left"),
    *ARROWS,
    *"0123456789",
)

# the layers, and the parts that each may have
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
PARTS_ONLY = frozenset({"outside"})
BELOW = "below"
OPTIONS = ("board", "title", "coordinates", BELOW)
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}

Compile = Callable[[Node, str], Expression | None]


def read_show(
    type_: PuzzleType, node: Node | None, declared: Collection[str], expression: Compile
) -> None:
    """Read what a type shows, and its pictures.

    Args:
        made: The type, of which all else is read.
        node: The value of `show`; None without one.
        declared: The names of the type.
        expression: Compiles a node; the text says in messages what it is.
    """
    _ShowReader(type_, expression).read(node, declared)


class _ShowReader:
    """Reads `show` into a type."""

    def __init__(self, made: PuzzleType, expression: Compile) -> None:
        self.made = made
        self.source = made.source
        self.expression = expression
        self.families = [unknowns.name for unknowns in made.unknowns]

    def read(self, node: Node | None, declared: Collection[str]) -> None:
        made, families = self.made, self.families
        defined = [definition.name for definition in made.definitions]
        visible = [ShowEntry(unknowns.name) for unknowns in made.unknowns if not unknowns.auxiliary]
        if node is None or is_empty(node):
            made.show = visible
        elif isinstance(node, ScalarNode):
            if node.value in families:
                made.show = [ShowEntry(node.value)]
            elif node.value in defined:
                made.show = [*visible, ShowEntry(node.value, self.expression(node, "show"))]
            elif node.value not in declared or node.value in made.fields:
                self.source.unknown_key(
                    str(node.value), node, "there is no unknown", [*families, *defined]
                )
        else:
            for key, at, value in self.source.entries(node, "show"):
                if key == "picture":
                    made.pictures = tuple(self._pictures(value))
                elif key in families:
                    made.show.append(ShowEntry(key, None, self._colour(key, value)))
                elif isinstance(value, MappingNode) and (
                    help := nearest(key, ["picture"])
                ).startswith("did"):
                    self.source.problem(f"show has no key {key}", at, help)
                elif compiled := self.expression(value, f"show {key}"):
                    made.show.append(ShowEntry(key, compiled))
            listed = {shown.name for shown in made.show}
            drawn = {
                name
                for picture in made.pictures
                for part in picture.expressions
                for name in part.names
            }
            made.show[:0] = [
                shown
                for shown in visible
                if shown.name not in listed and (shown.name in drawn or not listed)
            ]

    def _colour(self, name: str, node: Node) -> Expression | None:
        """Return the colours of an unknown, if it has some."""
        colour = None
        for option, at, part in self.source.entries(node, f"show {name}"):
            if option == "colour":
                colour = self.expression(part, f"the colours of {name}")
            else:
                self.source.unknown_key(option, at, "there is no option", ["colour"])
        return colour

    def _pictures(self, node: Node) -> Iterator[Picture]:
        """Yield the pictures that `picture` states: a mapping of layers, or a list of such
        mappings.

        The layers of a picture that says only what stands below it are inferred.
        """
        for part in several(node):
            picture = self._picture(part)
            if not isinstance(part, MappingNode) or [key.value for key, _ in part.value] != [BELOW]:
                yield picture

    def _picture(self, node: Node) -> Picture:
        source, layers = self.source, list[PictureLayer]()
        board, title, coordinates = None, "", False
        if is_empty(node):
            source.problem(
                "expected layers for the picture, got nothing",
                node,
                f"the layers are {', '.join(LAYERS)}",
            )
        for key, place, value in source.entries(node, "picture"):
            if key == "board":
                board = self.expression(value, "the board of the picture")
            elif key == "title":
                title = " ".join((source.text_of(value, "title") or "").split())
            elif key == "coordinates":
                text = source.text_of(value, key)
                if text is not None and text not in TRUTHS:
                    source.problem("expected yes or no for coordinates", value)
                coordinates = TRUTHS.get(text or "no", False)
            elif key == BELOW:
                self.made.below = (*(self.made.below or ()), *self._below(value))
            elif key in LAYERS:
                layers += self._layers(key, value)
            else:
                source.unknown_key(key, place, "there is no layer", [*LAYERS, *OPTIONS])
        return Picture(tuple(layers), board, title, coordinates)

    def _below(self, node: Node) -> Iterator[ShowEntry]:
        """Yield what is printed below the picture of the puzzle alone."""
        if isinstance(node, MappingNode):
            named = [(key, value) for key, _, value in self.source.entries(node, BELOW)]
        else:
            named = [
                (str(item.value).strip(), item)
                for item in ([] if is_empty(node) else several(node))
            ]
        for name, value in named:
            compiled = self.expression(value, BELOW)
            if compiled is not None and not compiled.names.isdisjoint(self.families):
                help = f"write it under show: {name}: …"
                self.source.problem(
                    f"expected a value of the data for {BELOW}, got unknowns", value, help
                )
            elif compiled is not None:
                yield ShowEntry(name, compiled)

    def _layers(self, kind: str, node: Node) -> Iterator[PictureLayer]:
        """Yield the layers of one kind: one for each expression, of the whole or of a part."""
        parts = LAYERS[kind]
        if not isinstance(node, MappingNode):
            if kind in PARTS_ONLY and isinstance(node, ScalarNode):
                help = f"write {kind}: {{{parts[0]}: …}}"
                self.source.problem(f"{kind} has parts: {', '.join(parts)}", node, help)
                return
            yield from self._of(kind, "", node)
            return
        for key, place, value in self.source.entries(node, kind):
            if key in parts:
                yield from self._of(kind, key, value)
            else:
                self.source.unknown_key(key, place, f"{kind} has no part", list(parts))

    def _of(self, kind: str, part: str, node: Node) -> Iterator[PictureLayer]:
        for item in several(node):
            if compiled := self.expression(item, f"{kind}, {part}" if part else kind):
                yield PictureLayer(kind, part, compiled)
