"""Draw solutions: one picture model, and one renderer for each medium."""

from puzzlekit.render.page import Sheet, embedded, page
from puzzlekit.render.picture import Figure, Group, Line, Part, Spot, board, chosen, rows, upper, value
from puzzlekit.render.svg import drawing

__all__ = [
    "Figure",
    "Group",
    "Line",
    "Part",
    "Sheet",
    "Spot",
    "board",
    "chosen",
    "drawing",
    "embedded",
    "page",
    "rows",
    "upper",
    "value",
]
