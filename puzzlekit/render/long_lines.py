"""Folds long lines of text."""

from __future__ import annotations

import re

from rich.cells import cell_len

from puzzlekit.render.scene import Line, Spot

HANGING = 2  # blanks before what continues a line, beside those that the line begins with


def folded(line: Line, wide: int) -> list[Line]:
    """Return a line as lines of at most `wide` columns, broken at blanks where possible.

    Examples:
        >>> [line[0].text for line in folded([Spot("  one two three")], 10)]
        ['  one two ', '    three']
    """
    whole = "".join(spot.text for spot in line)
    if cell_len(whole) <= wide:
        return [line]
    indent = min(len(whole) - len(whole.lstrip()) + HANGING, wide // 2)
    longest = (wide - indent) // (1 if cell_len(whole) == len(whole) else 2)  # characters may be two columns wide
    lines: list[list[Spot]] = [[]]
    used = 0
    for spot in line:
        for text in [spot.text] if spot.colour else re.findall(rf"\s+|\S{{1,{longest}}}", spot.text):
            if used + cell_len(text) > wide and used > indent:
                lines.append([Spot(" " * indent)])
                used = indent
                if text.isspace():
                    continue
            last = lines[-1][-1] if lines[-1] else None
            if last is not None and not spot.colour and (last.colour, last.ink) == (spot.colour, spot.ink):
                lines[-1][-1] = spot._replace(text=last.text + text)
            else:
                lines[-1].append(spot._replace(text=text))
            used += cell_len(text)
    return list(lines)
