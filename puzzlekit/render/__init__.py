"""Draw puzzles and solutions: one scene, and one pen for each medium.

- The package `scene` says what a board and its layers are. `build` evaluates the picture of a type,
  which is that of `default_picture` if the type states none, and `make_layers` makes layers of its
  values; `picture` makes boards and tables of single values.
- Text: `plane` notes what stands at each place of a scene, `terminal` and `triangle_lines` write it
  as lines, `layout` puts boards, tables and lines together.
- SVG: `svg_shapes` knows where places are, `svg_layers` draws each layer, `svg` whole pictures.
- Files: `page` makes HTML of pictures and their text; `document` lays out `sections` of what is
  `printed` as PDF, by `typeset`, which makes PNG, too. `theme` has all looks.
"""
