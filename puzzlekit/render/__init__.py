"""Draw puzzles and solutions: one scene, and a renderer for each medium.

- The package `scene` has boards and their layers. `build` evaluates the picture of a type, or that
  of `default_picture` if the type has none, and `make_layers` turns its values into layers;
  `picture` makes boards and tables of single values.
- Text: `character_grid` has the contents of a scene by point, `terminal` and `triangle_lines` write
  them as lines, `layout` puts boards, tables and lines together.
- SVG: `svg_shapes` has the coordinates of points, `svg_layers` draws each layer, `svg` whole
  pictures.
- Files: `html_page` and `web_document` make HTML of pictures and their text; `paper_document` lays
  out `sections` of `printed` pictures as PDF, by `typeset`, which makes PNG, too. `theme` has the
  colours and style sheets.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.render.build import (
        BoardPicture as BoardPicture,
        board_picture as board_picture,
        drawn_unknowns as drawn_unknowns,
        family_scene as family_scene,
        scenes_of as scenes_of,
        shows_unknowns as shows_unknowns,
    )
    from puzzlekit.render.default_picture import (
        as_section as as_section,
        fields_below as fields_below,
        holds_shapes as holds_shapes,
        inferred as inferred,
        pictures_of as pictures_of,
    )
    from puzzlekit.render.grouping import as_mapping as as_mapping
    from puzzlekit.render.html_page import (
        DocumentItem as DocumentItem,
        HtmlDocument as HtmlDocument,
        chapter_parts as chapter_parts,
        embedded as embedded,
        html_list as html_list,
        html_table as html_table,
        numbered as numbered,
        page as page,
        solutions_title as solutions_title,
    )
    from puzzlekit.render.layout import (
        draw as draw,
        folded as folded,
        plain_text as plain_text,
        text_lines as text_lines,
    )
    from puzzlekit.render.make_layers import point_of as point_of, table_entries as table_entries
    from puzzlekit.render.paper_document import Example as Example, pdf as pdf
    from puzzlekit.render.picture import (
        board as board,
        legend as legend,
        rows as rows,
        shapes as shapes,
        value_picture as value_picture,
    )
    from puzzlekit.render.qr import require_segno as require_segno
    from puzzlekit.render.sections import paper_size as paper_size
    from puzzlekit.render.steps_page import (
        PictureStep as PictureStep,
        lit_square as lit_square,
        stepwise as stepwise,
    )
    from puzzlekit.render.svg import CELL as CELL, drawing as drawing, inline as inline
    from puzzlekit.render.svg_layers import (
        overlay_elements as overlay_elements,
        scene_svg as scene_svg,
    )
    from puzzlekit.render.svg_shapes import (
        Frame as Frame,
        class_of as class_of,
        escape as escape,
        sign_svg as sign_svg,
    )
    from puzzlekit.render.svg_shared import shared as shared
    from puzzlekit.render.theme import STYLE as STYLE
    from puzzlekit.render.typeset import (
        lacked as lacked,
        png as png,
        require_typst as require_typst,
    )
    from puzzlekit.render.web_document import document as document
else:
    __getattr__ = door(
        __name__,
        {
            "build": (
                "BoardPicture",
                "board_picture",
                "drawn_unknowns",
                "family_scene",
                "scenes_of",
                "shows_unknowns",
            ),
            "default_picture": (
                "as_section",
                "fields_below",
                "holds_shapes",
                "inferred",
                "pictures_of",
            ),
            "grouping": ("as_mapping",),
            "html_page": (
                "DocumentItem",
                "HtmlDocument",
                "chapter_parts",
                "embedded",
                "html_list",
                "html_table",
                "numbered",
                "page",
                "solutions_title",
            ),
            "layout": ("draw", "folded", "plain_text", "text_lines"),
            "make_layers": ("table_entries", "point_of"),
            "paper_document": ("Example", "pdf"),
            "picture": ("board", "legend", "rows", "shapes", "value_picture"),
            "qr": ("require_segno",),
            "sections": ("paper_size",),
            "steps_page": ("PictureStep", "lit_square", "stepwise"),
            "svg": ("CELL", "drawing", "inline"),
            "svg_layers": ("overlay_elements", "scene_svg"),
            "svg_shapes": ("Frame", "class_of", "escape", "sign_svg"),
            "svg_shared": ("shared",),
            "theme": ("STYLE",),
            "typeset": ("lacked", "png", "require_typst"),
            "web_document": ("document",),
        },
    )
