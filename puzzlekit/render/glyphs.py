"""The characters of the terminal's pen: junctions of lines, and signs."""

from __future__ import annotations

from collections.abc import Sequence

LIGHT, HEAVY, DOUBLE = 1, 2, 3  # the weights of lines

# by the weights of the arms: up * 27 + right * 9 + down * 3 + left
JUNCTIONS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
DOUBLES = " ═║╝══╚╩║╗║╣╔╦╠╬"  # by the sum of double arms: left 1, up 2, right 4, down 8
SLANTS = {(1, 1): "╲", (1, -1): "╱"}

SIGNS = {
    "white_circle": "○",
    "grey_circle": "◍",
    "black_circle": "●",
    "dot": "•",
    "star": "★",
    "bulb": "☼",
    "mine": "✱",
    "tree": "♣",
    "tent": "▲",
    "ship": "◆",
    "queen": "♛",
    "triangle": "△",
    "cross": "✕",
    "less": "<",
    "greater": ">",
    "half_up_left": "◤",
    "half_up_right": "◥",
    "half_down_right": "◢",
    "half_down_left": "◣",
    "up": "↑",
    "up_right": "↗",
    "right": "→",
    "down_right": "↘",
    "down": "↓",
    "down_left": "↙",
    "left": "←",
    "up_left": "↖",
    **{digit: digit for digit in "0123456789"},
}
UPRIGHT = {"less": "∧", "greater": "∨"}  # between a cell and the one below it


def junction(arms: Sequence[int]) -> str:
    """Return the character where lines of these weights meet: up, right, down, left.

    >>> junction((0, 1, 1, 0)), junction((2, 1, 2, 1)), junction((0, 3, 0, 3))
    ('┌', '╂', '═')
    """
    if DOUBLE in arms and all(arm in (0, DOUBLE) for arm in arms):
        return DOUBLES[sum((arm > 0) * part for arm, part in zip(arms, (2, 4, 8, 1)))]
    up, right, down, left = (LIGHT if arm == DOUBLE else arm for arm in arms)
    return JUNCTIONS[27 * up + 9 * right + 3 * down + left]


def sign(name: str, beside: bool = True) -> str:
    """Return the character of a sign; `beside` is false between a cell and the one below it."""
    return SIGNS[name] if beside else UPRIGHT.get(name, SIGNS[name])
