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
