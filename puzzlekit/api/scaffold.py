"""A small type that works, to change into another one, and a spec of it."""

from __future__ import annotations

TYPE = """\
# A puzzle type. https://yaml.org is the notation; docs/language.md describes the sections.
# puzzlekit check {file} finds mistakes; puzzlekit new spec {file} makes a spec.
puzzle: {name}
title: {title}
# aliases: [other_name]       # other names by which the puzzle is found
# group: numbers              # puzzlekit list numbers
# tags: [latin]
about: >
  Tell the rules to somebody who does not know the puzzle. Here: fill the board so that every row
  and every column holds each number once.

# What a spec gives. `in` says what a value may be.
data:
  givens: {{type: "grid[int | None] in 1..n", \
about: "the numbers that are known, . for an empty cell"}}

# Conditions on the data. One that fails is an error of the spec.
require:
  the board is square: len(givens.rows) == len(givens.columns)

# Values that are computed from the data.
let:
  n: len(givens.rows)

# What is to be found, and the values that it may take.
variables:
  number[c]: between(1, n) for c in givens.cells

# What every solution keeps. People read the names, so write sentences.
rules:
  every row holds each number once: all_different(number[row]) for row in givens.rows
  every column holds each number once: all_different(number[column]) for column in givens.columns
  givens stay: number[c] == givens[c] for c in givens.given

# goals:
#   small: minimise(sum(number[c] for c in givens.rows[0]))

# What is drawn. puzzlekit show {file} prints the picture that is inferred without this.
show:
  picture:
    text: [givens, number]
"""

SPEC = """\
puzzle: {name}
givens: |
  1 . . .
  . . 3 .
  . 4 . .
  . . . 2
"""


def example_type(name: str, file: str) -> str:
    """Return the text of a type with this name.

    Its comments tell how commands are called with its file.
    """
    title = name.replace("_", " ").replace("-", " ").capitalize()
    return TYPE.format(name=name, title=title, file=file)


def example_spec(name: str) -> str:
    """Return the text of a spec of such a type."""
    return SPEC.format(name=name)
