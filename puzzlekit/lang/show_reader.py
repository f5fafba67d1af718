"""Reads `show` of a type: the pictures, each of layers from expressions, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.errors import nearest
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.puzzle_type import Picture, PictureLayer, PuzzleType, Shown
from puzzlekit.source import Source, is_empty

ARROWS = ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left")
SIGNS = (
    *("white_circle", "grey_circle", "black_circle", "dot", "star", "bulb", "mine", "tree", "tent", "ship", "queen"),
    *("triangle", "cross", "less", "greater"),
    *("half_up_left", "half_up_right", "half_down_right", "half_down_left"),
    *ARROWS,
    *"0123456789",
)

# the layers, and the parts that each may have
LAYERS: Mapping[str, tuple[str, ...]] = {
    "shade": (),
    "text": ("middle", "corner", "small"),
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


def read_show(made: PuzzleType, node: Node | None, declared: Collection[str], expression: Compile) -> None:
    """Read what a type shows, and its pictures.

    Args:
        made: The type, of which all else is read.
        node: The value of `show`; None without one.
        declared: The names of the type.
        expression: Compiles a node; the text says in messages what it is.
    """
    source, families = made.source, [unknowns.name for unknowns in made.unknowns]
    defined = [definition.name for definition in made.definitions]
    visible = [Shown(unknowns.name) for unknowns in made.unknowns if not unknowns.auxiliary]
    if node is None or is_empty(node):
        made.show = visible
    elif isinstance(node, ScalarNode):
        if node.value in families:
            made.show = [Shown(node.value)]
        elif node.value in defined:
            made.show = [*visible, Shown(node.value, expression(node, "show"))]
        elif node.value not in declared or node.value in made.fields:
            source.unknown_key(str(node.value), node, "there is no unknown", [*families, *defined])
    else:
        for key, at, value in source.entries(node, "show"):
            if key == "picture":
                made.pictures = read_pictures(source, value, expression)
                made.below = read_below(source, value, families, expression)
            elif key in families:
                made.show.append(Shown(key, None, _colour(source, key, value, expression)))
            elif isinstance(value, MappingNode) and (hint := nearest(key, ["picture"])).startswith("did"):
                source.problem(f"show has no key {key}", at, hint)
            elif compiled := expression(value, f"show {key}"):
                made.show.append(Shown(key, compiled))
        listed = {shown.name for shown in made.show}
        drawn = {name for picture in made.pictures for part in picture.expressions for name in part.names}
        made.show[:0] = [shown for shown in visible if shown.name not in listed and (shown.name in drawn or not listed)]


def _colour(source: Source, name: str, node: Node, expression: Compile) -> Expression | None:
    """Return the colours of an unknown, if it has some."""
    colour = None
    for option, at, part in source.entries(node, f"show {name}"):
        if option == "colour":
            colour = expression(part, f"the colours of {name}")
        else:
            source.unknown_key(option, at, "there is no option", ["colour"])
    return colour


def read_pictures(source: Source, node: Node, expression: Compile) -> tuple[Picture, ...]:
    """Return the pictures that `picture` states: a mapping of layers, or a list of such mappings.

    Args:
        source: Where problems are noted.
        node: The value of `picture`.
        expression: Compiles a node; the text says in messages what it is.
    """
    several = node.value if isinstance(node, SequenceNode) else [node]
    return tuple(_picture(source, part, expression) for part in several if not _is_only_below(part))


def _is_only_below(node: Node) -> bool:
    """Return whether a picture says only what stands below it, so that its layers are inferred."""
    return isinstance(node, MappingNode) and [key.value for key, _ in node.value] == [BELOW]


def read_below(source: Source, node: Node, unknowns: Collection[str], expression: Compile) -> tuple[Shown, ...] | None:
    """Return what the pictures under `picture` print below the puzzle alone; None if none of them says it.

    Args:
        source: Where problems are noted.
        node: The value of `picture`.
        unknowns: The names of the unknowns.
        expression: Compiles a node; the text says in messages what it is.
    """
    several = node.value if isinstance(node, SequenceNode) else [node]
    pairs = (pair for part in several if isinstance(part, MappingNode) for pair in part.value)
    stated = [value for key, value in pairs if key.value == BELOW]
    return tuple(shown for value in stated for shown in _below(source, value, unknowns, expression)) if stated else None


def _below(source: Source, node: Node, unknowns: Collection[str], expression: Compile) -> Iterator[Shown]:
    if isinstance(node, MappingNode):
        named = [(key, value) for key, _, value in source.entries(node, BELOW)]
    else:
        items = node.value if isinstance(node, SequenceNode) else [] if is_empty(node) else [node]
        named = [(str(item.value).strip(), item) for item in items]
    for name, value in named:
        compiled = expression(value, BELOW)
        if compiled is not None and not compiled.names.isdisjoint(unknowns):
            source.problem(f"expected a value of the data for {BELOW}, got unknowns", value, f"write it under show: {name}: …")
        elif compiled is not None:
            yield Shown(name, compiled)


def _picture(source: Source, node: Node, expression: Compile) -> Picture:
    layers: list[PictureLayer] = []
    board, title, coordinates = None, "", False
    if is_empty(node):
        source.problem("expected layers for the picture, got nothing", node, f"the layers are {', '.join(LAYERS)}")
    for key, place, value in source.entries(node, "picture"):
        if key == "board":
            board = expression(value, "the board of the picture")
        elif key == "title":
            title = " ".join((source.text_of(value, "title") or "").split())
        elif key == "coordinates":
            text = source.text_of(value, key)
            if text is not None and text not in TRUTHS:
                source.problem("expected yes or no for coordinates", value)
            coordinates = TRUTHS.get(text or "no", False)
        elif key == BELOW:
            continue  # which `read_below` reads
        elif key in LAYERS:
            layers += _layers(source, key, value, expression)
        else:
            source.unknown_key(key, place, "there is no layer", [*LAYERS, *OPTIONS])
    return Picture(tuple(layers), board, title, coordinates)


def _layers(source: Source, kind: str, node: Node, expression: Compile) -> Iterator[PictureLayer]:
    """Yield the layers of one kind: one for each expression, of the whole or of a part."""
    parts = LAYERS[kind]
    if not isinstance(node, MappingNode):
        if kind in PARTS_ONLY and isinstance(node, ScalarNode):
            source.problem(f"{kind} has parts: {', '.join(parts)}", node, f"write {kind}: {{{parts[0]}: …}}")
            return
        yield from _of(kind, "", node, expression)
        return
    for key, place, value in source.entries(node, kind):
        if key in parts:
            yield from _of(kind, key, value, expression)
        else:
            source.unknown_key(key, place, f"{kind} has no part", list(parts))


def _of(kind: str, part: str, node: Node, expression: Compile) -> Iterator[PictureLayer]:
    what = f"{kind}, {part}" if part else kind
    for item in node.value if isinstance(node, SequenceNode) else [node]:
        compiled = expression(item, what)
        if compiled is not None:
            yield PictureLayer(kind, part, compiled)
