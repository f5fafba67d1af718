"""Small worlds that a type may be about: its data, what is worked out of it, its unknowns,
and the forms that it is held to.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.reference.grammar.world_forms import (
    BOARDS,
    CYCLES,
    DATA,
    EDGES,
    GUESSES,
    OTHER_BOARDS,
    PLACES,
    TEXTS,
    TILES,
    WORDS,
)
from tests.reference.grammar.writer import Templates, VariableArray
from tests.reference.plain.shapes import best_cycles, simple_cycles


@dataclass
class World:
    """What a type is about.

    `data` holds pairs of a declaration and what the spec gives, which may be nothing.
    """

    forms: list[str]
    data: dict[str, tuple[str, str]] = field(default_factory=dict)
    let: dict[str, str] = field(default_factory=dict)
    families: list[VariableArray] = field(default_factory=list)
    templates: Templates = field(default_factory=dict)


def _cells(source: Random, high: int, wide: int, signs: str) -> str:
    """The rows of a board as a block of text, with a cell at least."""
    while True:
        rows = ["".join(source.choice(signs) for _ in range(wide)) for _ in range(high)]
        if any(sign != "_" for row in rows for sign in row):
            return "|\n" + "".join(f"  {row}\n" for row in rows)


def _keys(block: str) -> tuple[str, ...]:
    rows = block.split()[1:]
    return tuple(
        f"cell({r}, {c})"
        for r, row in enumerate(rows, 1)
        for c, sign in enumerate(row, 1)
        if sign != "_"
    )


PLACEMENTS = [
    "placements(pieces, g)",
    "placements(pieces, g, reflect=True)",
    "placements(pieces, g, rotate=False, reflect=False)",
    "placements(pieces, g, reflect=False)",
    "placements(shapes=pieces, g=g, rotate=True, reflect=False)",
    "placements(pieces, g, rotate=False, reflect=True)",
    "placements(pieces, g, False, False)",
    "placements(pieces, hexagons(g))",
    "placements(pieces, hexagons(g), reflect=False)",
    "placements(pieces, triangles(g))",
    "placements(pieces, triangles(g), rotate=False)",
]
WAYS = [
    "'up'",
    "'right'",
    "'L'",
    "'<'",
    "'v'",
    "'s'",
    "'E'",
    "'up_left'",
    "'down_right'",
    "0",
    "2",
    "ways[1]",
]
RECTANGLES = ["rectangles(g, 2)", "rectangles(g, largest=2)", "rectangles(g=g, largest=1)"]


def numbers(source: Random) -> World:
    return World([])


def boards(source: Random) -> World:
    block = _cells(source, source.randint(2, 3), 2, "12..." + "_" * source.randint(0, 1))
    keys = _keys(block)
    return World(
        BOARDS,
        {
            "g": ("grid[int | None]", block),
            "box": ("size = 2x1", ""),
            "letters": ("grid[letter]", "|\n  ab\n  ca\n"),
        },
        {"b": "board(2, 3)", "q": "board(rows=3, columns=3)"},
        [VariableArray("shade", "cond", keys, "shade[c]", "bool for c in g.cells", 2)],
        {"plain cell": list(keys), "plain kint": ["len(g.given)"], "plain way": WAYS},
    )


def other_boards(source: Random) -> World:
    kind = source.choice(
        [
            "torus(2, 3)",
            "hex_board(2)",
            "hexagons(g)",
            "torus(3, 2)",
            "triangle_board(2)",
            "triangles(g)",
        ]
    )
    block = "|\n  _12\n  2_1\n  1._\n" if kind in ("hexagons(g)", "triangles(g)") else "|\n  ab\n"
    keys: dict[str, tuple[str, ...]] = {
        "torus(2, 3)": tuple(f"cell({r}, {c})" for r in (1, 2) for c in (1, 2, 3)),
        "torus(3, 2)": tuple(f"cell({r}, {c})" for r in (1, 2, 3) for c in (1, 2)),
        "hex_board(2)": tuple(
            f"cell({r}, {c})" for r, c in ((1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2))
        ),
        **dict.fromkeys(
            ("hexagons(g)", "triangles(g)"),
            tuple(f"cell({r}, {c})" for r, c in ((1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2))),
        ),
        "triangle_board(2)": tuple(f"cell({r}, {c})" for r, c in ((1, 3), (2, 2), (2, 3), (2, 4))),
    }
    board = kind.replace("torus(2, 3)", source.choice(["torus(2, 3)", "torus(rows=2, columns=3)"]))
    return World(
        OTHER_BOARDS,
        {"g": ("grid[symbol | None]", block)},
        {"b": board},
        [VariableArray("shade", "cond", keys[kind], "shade[c]", "bool for c in b.cells", 2)],
        {
            "plain cell": list(keys[kind]),
            "plain straight": ["'left'", "'r'", "'W'", "'>'", "1", "ways[3]"],
        },
    )


def edges(source: Random) -> World:
    high, wide, over = source.choice(
        [
            (1, 2, "edges"),
            (2, 3, "adjacent"),
            (2, 2, "adjacent"),
            (1, 1, "edges"),
            (2, 2, "touching"),
        ]
    )
    count = {
        "edges": {1: 4, 2: 7}.get(wide, 0),
        "adjacent": {3: 7, 2: 4}.get(wide, 0),
        "touching": 6,
    }[over]
    cells = [f"cell({r}, {c})" for r in range(1, high + 1) for c in range(1, wide + 1)]
    nodes = [f"b.corners[{i}]" for i in range(2 * wide + 2)] if over == "edges" else cells
    keys = tuple(f"every[{i}]" for i in range(count))
    return World(
        EDGES,
        {},
        {"b": f"board({high}, {wide})", "every": f"b.{over}"},
        [VariableArray("line", "cond", keys, "line[e]", f"bool for e in b.{over}", 2)],
        {"plain node": nodes, "plain cell": cells},
    )


def places(source: Random) -> World:
    return _places(source, PLACEMENTS, PLACES)


def areas(source: Random) -> World:
    return _places(
        source,
        RECTANGLES,
        [form for form in PLACES if not re.search(r"\.piece|p\.cells|\.of\(", form)],
    )


def _places(source: Random, made: list[str], forms: list[str]) -> World:
    field_ = source.choice(["|\n  ###\n  ##_\n", "|\n  ##\n  ##\n", "|\n  ####\n"])
    pieces = source.choice(
        [
            "\n  I: |\n    ##\n  O: |\n    #\n",
            "\n  L: |\n    #.\n    ##\n  I: |\n    ##\n",
            "\n  I: |\n    ##\n",
        ]
    )
    data = {
        "g": ("grid[symbol]", field_.replace("#", "x")),
        "pieces": ("map[symbol, shape]", pieces),
        "alone": ("shape", "|\n  ##\n  .#\n"),
    }
    return World(
        forms,
        data,
        {"places": source.choice(made)},
        [VariableArray("use", "cond", (), "use[p]", "bool for p in places", 2)],
    )


def tiles(source: Random) -> World:
    board = source.choice(["letters", "hexagons(letters)"])
    made = source.choice(
        [
            f"word_paths({board}, words, shortest=2)",
            f"word_paths({board}, words, king, 2)",
            f"word_paths({board}, words, rook, 2, 3)",
            f"word_paths({board}, words, moves=rook, shortest=2, longest=3)",
            f"word_paths({board}, words, moves='king', shortest=1)",
            f"word_paths({board}, words)",
        ]
    )
    return World(
        TILES,
        {
            "letters": ("grid[letter]", _cells(source, 2, 2, "abc")),
            "words": ("lexicon", "[ab, ca, abc, bac, aa, cab, b]"),
        },
        {"tiles": made},
        [VariableArray("use", "cond", (), "use[t]", "bool for t in tiles", 2)],
    )


def _arcs(source: Random, nodes: str) -> list[tuple[str, str]]:
    """A ring and other arcs.

    They have no cut into cycles, or each cycle is in a best cut: no other candidates are possible.
    """
    while True:
        others = [(source.choice(nodes), source.choice(nodes)) for _ in range(source.randint(3, 6))]
        arcs = [*zip(nodes, nodes[1:] + nodes[0]), *others]
        if len(best_cycles(arcs)) in (0, len(simple_cycles(arcs))):
            return arcs


def cycles(source: Random) -> World:
    nodes = source.choice(["123", "abc"])
    arcs = _arcs(source, nodes)
    shown = [f"({a!r}, {b!r})" if nodes == "abc" else f"({a}, {b})" for a, b in arcs]
    ring = shown[: len(nodes)]
    letters = [source.choice("ab") for _ in range(4)]
    target = source.sample(letters, 4)
    return World(
        CYCLES,
        {
            "start": ("grid[symbol]", f"|\n  {''.join(letters)}\n"),
            "to": ("{type: 'grid[symbol]', like: start}", f"|\n  {''.join(target)}\n"),
        },
        {
            "arcs": f'"[{", ".join(shown)}]"',
            "every": source.choice(
                ["simple_cycles(arcs)", "simple_cycles(arcs=arcs)", "best_cycles(arcs)"]
            ),
            "best": "best_cycles(arcs)",
            "moved": "(start[c], to[c]) for c in start.cells if start[c] != to[c]",
            "cut": "best_cycles(moved).cut",
        },
        [VariableArray("times", "int", (), "times[k]", "between(0, 1) for k in every", 2)],
        {"plain arc": ring},
    )


def words(source: Random) -> World:
    listed = source.choice(
        ["[ab, ba, cab, abc, aa, bac]", "|\n  cab\n  ab\n  bac\n  aa\n", "[b, a, ab, ca, bb]"]
    )
    some = source.choice(["('abba', 'baba', 'cabs')", "('ab', 'cc', 'ba')", "words.of_length(2)"])
    family = VariableArray(
        "w",
        "letter",
        ("0", "1", "2"),
        "w[i]",
        source.choice(["words.alphabet", "distinct('cab')"]) + " for i in range(3)",
        3,
    )
    word = VariableArray("v", "word", (), "v", some, 3)
    return World(
        WORDS,
        {"words": ("lexicon", listed)},
        {},
        [family, word],
        {
            "word": ["v", "('ab' if <cond> else v)"],
            "plain word": ["v"],
            "plain given_word": ["'ab'", "'ba'", "'cc'", "'abba'"],
        },
    )


def guesses(source: Random) -> World:
    return World(
        GUESSES,
        {
            "colours": ("marks", source.choice(["gyb", "ybb", "🟩🟨⬛", "bbb"])),
            "rows": ("list[marks]", source.choice(["[gbb, ggg]", "|\n  ybb\n  ggg\n", "[bbb]"])),
            "one": ("mark", source.choice("gyb")),
            "marking": ("choice(wordle, set) = wordle", source.choice(["", "set", "wordle"])),
            "words": ("lexicon", "[abc, cab, bca, aab, cbb, aac]"),
        },
        {"three": "words.of_length(3)"},
        [
            VariableArray("v", "word", (), "v", "three", 6),
            VariableArray(
                "w", "letter", ("0", "1", "2"), "w[i]", "distinct('abc') for i in range(3)", 3
            ),
        ],
        {
            "word": ["v"],
            "plain word": ["v"],
            "plain kmark": ["one", "colours[0]"],
            "marks": ["colours"],
        },
    )


def texts(source: Random) -> World:
    return World(
        TEXTS,
        {
            "line": ("text", source.choice(['"It\'s late, I say."', '"Ab, ab: cab!"', "ääni a b"])),
            "symbols": (
                "list[symbol]",
                source.choice(["x / y x", "[x, y, /, x]", "|\n  y\n  /\n  x\n"]),
            ),
        },
        {"letters": "{'x': 'a', 'y': 'b', 'l': 'c'}"},
        [
            VariableArray(
                "t",
                "letter",
                ("'x'", "'y'"),
                "t[s]",
                "distinct('abc') for s in distinct(s for s in symbols if s != '/')",
                3,
            )
        ],
    )


def data(source: Random) -> World:
    return World(
        DATA,
        {
            "a": ("int", source.choice(["2", "-1", "3"])),
            "on": ("bool = no", source.choice(["", "yes", "true", "false"])),
            "sign": ("letter = b", source.choice(["", "A", "c"])),
            "pick": ("choice(left, right) = left", source.choice(["", "right"])),
            "many": (
                "list[int]",
                source.choice(["[1, 2, 0]", "1 2 0", "|\n  2\n  1\n  1\n", "2, 0, 1"]),
            ),
            "nested": ("list[list[int]]", source.choice(["[[1, 2], [0, 1]]", "|\n  1 2\n  2 2\n"])),
            "pairs_of": (
                "list[tuple[symbol, int]]",
                source.choice(["|\n  a 1\n  b 2\n", "[[a, 0], [b, 2]]"]),
            ),
            "pair": ("tuple[int, letter]", source.choice(["2 a", "[1, b]", "0, c"])),
            "table": (
                "map[letter, int]",
                source.choice(["{a: 1, b: 2, c: 0}", "{a: 0, b: 1, c: 1}"]),
            ),
            "names": ("list[word]", source.choice(["[no, up]", "yes on", "ab ba"])),
            "maybe": ("int | None", source.choice(["", "1"])),
            "area": ("size = 2x3", source.choice(["", "1x2"])),
            "other": ("{type: int, default: 1, about: a number}", ""),
            "wide": ("int = 2", ""),
            "signs": (
                "grid[int | choice(q, x) | None]",
                source.choice(["|\n  1q.\n  x20\n", "|\n  0 . x\n  2 x 1\n"]),
            ),
            "sides": (
                "list[int | choice(q) | None]",
                source.choice(["1 q .", "[2, q, q]", "|\n  .\n  0\n  q\n"]),
            ),
            "mixed": ("map[letter, int | word]", source.choice(["{a: 1, b: ab}", "{a: no, b: 2}"])),
            "ways": (
                "list[list[cell]]",
                source.choice(["[r1c1 r1c2, [r2c2]]", "|\n  r2c1 r1c2\n  r1c1\n"]),
            ),
            "spots": (
                "map[letter, cell | int]",
                source.choice(["{a: r1c1, b: 2}", "{a: r2c3, b: r1c2}"]),
            ),
            "folded": (
                "{type: 'grid[letter]', columns: wide}",
                source.choice(["abca", "|\n  ab\n  ca\n"]),
            ),
        },
        {
            "m": "a + 1",
            "even": "'[i for i in range(4) if i % 2 == 0]'",
            "numbers": "i * i for i in range(3)",
        },
        [
            VariableArray(
                "z",
                "int",
                ("0", "1", "2"),
                "z[i]",
                "between(0, max(many)) for i in range(len(many))",
                3,
            )
        ],
    )


WORLDS: dict[str, Callable[[Random], World]] = {
    f.__name__: f
    for f in (
        numbers,
        boards,
        other_boards,
        edges,
        places,
        areas,
        tiles,
        cycles,
        words,
        guesses,
        texts,
        data,
    )
}
