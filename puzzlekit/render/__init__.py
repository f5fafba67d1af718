"""How answers are drawn: one picture, one pen for each medium."""

from puzzlekit.render.lattice import chosen
from puzzlekit.render.picture import Line, Spot, board, tiles, upper, value

__all__ = ["Line", "Spot", "board", "chosen", "tiles", "upper", "value"]
