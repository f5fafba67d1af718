"""Encodings of boards as text, of which links consist. They know neither types nor the language.

An encoding turns the values of a layer into text and back. `ENCODINGS` says for each name what is
encoded how, and which places the values belong to.
"""

from __future__ import annotations

from dataclasses import dataclass

from puzzlekit.encodings.base import UNKNOWN, Cursor, Encoding, EncodingError, Extent
from puzzlekit.encodings.digits import Bank, Border, Decimal, Packed, Sums, TwoSums
from puzzlekit.encodings.folded import Dots, FourCell, Trees
from puzzlekit.encodings.runs import PIPES, TATAMI, Arrow, Balance, Base36, Castle, Number10, Number16, NumbersAndArrows, Signs


@dataclass(frozen=True)
class Layer:
    """What a layer of a link encodes.

    Attributes:
        encoding: How values are written.
        places: What the values belong to: `cells`, `corners`, `rim` (cells, with a row above and a
            column to the left), `dots` (centres, edges and corners of cells), `edges`, `rooms`,
            `sides` (lines), `pairs` (two for each line), `runs` (as many as a line may have),
            `number`, `letters` or `pieces`.
        fields: How many fields it may fill.
    """

    encoding: Encoding
    places: str
    fields: tuple[int, ...] = (1,)


ENCODINGS = {
    "four_cell": Layer(FourCell(), "cells"),
    "four_cell_corners": Layer(FourCell(), "corners"),
    "number10": Layer(Number10(), "cells"),
    "number16": Layer(Number16(), "cells"),
    "circle": Layer(Packed(3, 3), "cells"),
    "bits": Layer(Packed(2, 5), "cells"),
    "trees": Layer(Trees(), "cells"),
    "base36": Layer(Base36(), "cells"),
    "three_signs": Layer(Signs("g", TATAMI), "cells"),
    "pipes": Layer(Signs("h", PIPES), "cells"),
    "numbers_and_arrows": Layer(NumbersAndArrows(), "cells"),
    "arrow": Layer(Arrow(), "cells"),
    "castle": Layer(Castle(), "cells", (3,)),
    "balance": Layer(Balance(), "cells", (2,)),
    "two_sums": Layer(TwoSums(), "rim", (1, 2)),
    "dots": Layer(Dots(), "dots"),
    "border": Layer(Border(), "edges"),
    "rooms": Layer(Number16(), "rooms"),
    "outside": Layer(Number16(), "sides", (2, 4)),
    "outside_pairs": Layer(Number16(), "pairs", (4,)),
    "outside_runs": Layer(Number16(), "runs", (2,)),
    "sums": Layer(Sums(), "sides", (2,)),
    "count": Layer(Decimal(), "number"),
    "alphabet": Layer(Decimal(), "letters"),
    "bank": Layer(Bank(), "pieces"),
}

__all__ = ["ENCODINGS", "UNKNOWN", "Cursor", "Encoding", "EncodingError", "Extent", "Layer"]
