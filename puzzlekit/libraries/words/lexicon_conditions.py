"""Whether what stands in an expression is a word of a lexicon: known text, an unknown, or a row of letters."""

from __future__ import annotations

from typing import Any

from puzzlekit.lang.expressions.conditions import Conditions, is_row
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.values import ExpressionError, Family, shown
from puzzlekit.libraries.words.lexicon import Lexicon
from puzzlekit.model import Member, Table, Term


def in_lexicon(runtime: Conditions, item: Any, words: Lexicon) -> Any:
    """`item in words`, as a bool or a condition."""
    if isinstance(item, Term):
        _spells(runtime, item)
        every = runtime.kept.get(words)
        if every is None:
            every = runtime.kept[words] = frozenset(words)
        return Member(item, every)
    if isinstance(item, str):
        return item in words
    if not isinstance(item, Family) and not is_row(item):
        raise ExpressionError(f"expected a word to look up in a lexicon, got {shown(item)}")
    letters = runtime.items(item)
    for letter in letters:
        _spells(runtime, letter)
    if not runtime.symbolic(letters):
        return "".join(letters) in words
    rows = words.codes.get(len(letters))
    if rows is None:
        return False
    return Table(tuple(runtime.term(letter) for letter in letters), rows, (tuple(words.alphabet),) * len(letters))


def _spells(runtime: Conditions, value: Any) -> None:
    kinds = runtime.kinds.of(value)
    if kinds is not None and kinds.isdisjoint(TEXT):
        raise ExpressionError(f"expected a word of letters to look up in a lexicon, got {shown(value)}")
