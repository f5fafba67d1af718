"""Draw puzzles and solutions: one scene, and one pen for each medium.

- `scene` says what a board and its layers are. `build` evaluates the picture of a type, and
  `make_layers` makes layers of its values; `picture` makes boards and tables of single values.
- Text: `plane` notes what stands at each place of a scene, `terminal` and `triangle_lines` write it
  as lines, `layout` puts boards, tables and lines together.
- SVG: `svg_shapes` knows where places are, `svg_layers` draws each layer, `svg` whole pictures.
- Files: `page` makes HTML of pictures and their text, `typeset` PDF and PNG. `theme` has all looks.
"""

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
