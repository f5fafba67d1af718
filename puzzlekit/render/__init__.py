"""Draw puzzles and solutions: one scene, and one pen for each medium."""

from puzzlekit.lang.picture_inference import pictures_of
from puzzlekit.render.build import drawn_unknowns, family_scene, scenes_of
from puzzlekit.render.page import Chapter, Sheet, chapter_parts, document, embedded, numbered, page, solutions_title
from puzzlekit.render.picture import board, legend, rows, shapes, value
from puzzlekit.render.scene import Group, Line, Part, Scene, Spot, Table
from puzzlekit.render.svg import drawing

__all__ = [
    "Chapter",
    "Group",
    "Line",
    "Part",
    "Scene",
    "Sheet",
    "Spot",
    "Table",
    "board",
    "chapter_parts",
    "document",
    "drawing",
    "drawn_unknowns",
    "embedded",
    "family_scene",
    "legend",
    "numbered",
    "page",
    "pictures_of",
    "rows",
    "scenes_of",
    "shapes",
    "solutions_title",
    "value",
]
