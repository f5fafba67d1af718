"""Expressions: parsed by Python, held to a whitelist, rewritten so that unknowns may stand in them, run by Python.

Every operation becomes a call of the runtime (see `runtime.py`), which decides whether it works on plain values or builds a
condition, and which counts what is spent. Positions survive the rewriting, so an error points at the part that caused it.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any, Protocol

from puzzlekit.boards import Cell
from puzzlekit.clock import EXPRESSION
from puzzlekit.errors import InputError, Place
from puzzlekit.lang.expressions.values import ExpressionError, Size, shown
from puzzlekit.lang.expressions.whitelist import Refusal, Rewriter, targets
from puzzlekit.lang.yaml_loader import Text
from puzzlekit.limits import limits
from puzzlekit.model import SymbolicError

MARKER = EXPRESSION  # the name of their code
GRAMMAR = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "None", "True", "False"})
STRINGS = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
RESERVED = re.compile(rf"{STRINGS}|(?<![\w.])({'|'.join(sorted(set(keyword.kwlist) - GRAMMAR))})(?!\w)")
QUOTED = re.compile(STRINGS)
RUN_ERRORS = (
    *(ExpressionError, InputError, SymbolicError, TypeError, ValueError, LookupError, AttributeError),
    *(ArithmeticError, RecursionError, MemoryError),
)


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression. With `loops`, its value is a stream of (values of the loop variables, value).

    `names` are those that it reads from outside; `loop_names` are those that stand in its loops.
    """

    text: Text
    code: CodeType
    names: frozenset[str]
    loops: tuple[str, ...] | None
    loop_names: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()  # names of constants of the language

    def run(self, scope: Mapping[str, Any]) -> Any:
        """The value, with these names. A stream runs as it is read, so errors may come then: see `error_in`."""
        return eval(self.code, dict(scope))


class Names(Protocol):
    """The names of the language in which an expression is written."""

    @property
    def constants(self) -> Mapping[str, Any]:
        """The constants."""

    def unknown(self, name: str, known: Iterable[str]) -> tuple[str, str]:
        """What is said, with a hint, of a name that is not known."""


def compile_expression(text: Text, known: Iterable[str], split_loops: bool, names: Names) -> Expression | None:
    """Compile the text; None (with a problem noted in its source) where it breaks the whitelist or names what is unknown.

    `known` are all names that may stand in it, `names` those of the language. With `split_loops`, a top-level
    `… for x in …` keeps the values of its loop variables beside each value.
    """
    with warnings.catch_warnings():  # Python warns of what the whitelist refuses
        warnings.simplefilter("ignore")
        tree = _parsed(text)
        return None if tree is None else _compiled(text, tree, set(known), split_loops, names)


def _parsed(text: Text) -> ast.Expression | None:
    source = text.source
    if not text.text.strip():
        source.problem("an expression is missing here", text.node)
    elif len(text.text) > limits().rules.expression_characters:
        source.problem(f"an expression has at most {limits().rules.expression_characters:,} characters", text.node)
    elif (closing := _closes_too_much(text.text)) is not None:
        source.problem("this is not an expression: there is no ( for this )", text.place(closing))
    else:
        try:
            return ast.parse(_written(text), mode="eval")
        except SyntaxError as error:
            at = max(0, min((error.offset or 1) - 2, len(text.text) - 1))
            if "Exceeds the limit" in error.msg:
                source.problem("this number has too many digits", text.place(at))
                return None
            hint = "# begins a comment, also in an expression" if "#" in QUOTED.sub("", text.text) else ""
            source.problem(f"this is not an expression: {error.msg}", text.place(at), hint)
        except (RecursionError, MemoryError, ValueError):
            source.problem("this is not an expression: it is nested too deep or has too long a number", text.node)
    return None


def _closes_too_much(text: str) -> int | None:
    """Where a parenthesis closes the one that `_written` puts around the text."""
    depth = 0
    for at, char in enumerate(QUOTED.sub(lambda found: " " * len(found[0]), text)):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return at
    return None


def _written(text: Text) -> str:
    """The text as Python reads it: in parentheses, and with names that Python reserves, but this language does not (`from`).

    Python compares reserved words before it folds letters of one shape, so the same word in wide letters is a plain name,
    and is folded to the usual letters in the tree.
    """
    return f"({RESERVED.sub(lambda m: chr(ord(m[1][0]) + 0xFEE0) + m[1][1:] if m[1] else m[0], text.text)})"


def _compiled(text: Text, tree: ast.Expression, known: set[str], split_loops: bool, language: Names) -> Expression | None:
    source, written = text.source, _written(text)
    rewriter = Rewriter(known)
    loops, loop_names = None, frozenset[str]()
    try:
        body = tree.body
        if split_loops and isinstance(body, ast.GeneratorExp):
            loops = tuple(dict.fromkeys(name for generator in body.generators for name in targets(generator.target)))
            parts = (node for loop in body.generators for node in ast.walk(loop))
            loop_names = frozenset(node.id for node in parts if isinstance(node, ast.Name))
            names = ast.Tuple([ast.Name(name, ast.Load()) for name in loops], ast.Load())
            body.elt = ast.copy_location(ast.Tuple([names, body.elt], ast.Load()), body.elt)
            tree.body = rewriter.expanded(body, loops)
        else:
            tree.body = rewriter.rewrite(body)
        code = compile(ast.fix_missing_locations(tree), MARKER, "eval")
    except Refusal as refusal:
        source.problem(str(refusal), text.place(_offset(written, getattr(refusal.node, "col_offset", 1))), refusal.hint)
        return None
    except (RecursionError, MemoryError):
        source.problem("this expression is nested too deep", text.node)
        return None
    for name, node in list(rewriter.unknown.items())[: limits().rules.unknown_names]:
        message, hint = language.unknown(name, known)
        source.problem(message, text.place(_offset(written, node.col_offset)), hint)
    constants = frozenset(language.constants)
    return None if rewriter.unknown else Expression(text, code, frozenset(rewriter.used), loops, loop_names, constants)


def _offset(written: str, column: int) -> int:
    """The offset in the text of a column of what is written; Python counts bytes, from the parenthesis that was put before."""
    return max(0, len(written.encode()[:column].decode(errors="ignore")) - 1)


def told(error: BaseException) -> tuple[str, str]:
    """What a person is told of an error of running an expression, and the hint."""
    match error:
        case ExpressionError():
            return str(error), error.hint
        case KeyError():
            return f"there is nothing at {shown(error.args[0]) if error.args else 'this key'}", ""
        case ZeroDivisionError():
            return "division by zero", ""
        case RecursionError() | MemoryError():
            return "this is nested too deep, or too large", ""
        case _:
            return str(error)[:200] or type(error).__name__, ""


def error_in(expression: Expression, error: BaseException) -> None:
    """Note an error of running an expression as a problem at the part that caused it, with the values that it had there."""
    message, hint = told(error)
    place, seen = _state(expression, error.__traceback__)
    hint = hint or (f"here {', '.join(f'{name} is {shown(value)}' for name, value in seen.items())}" if seen else "")
    expression.text.source.problem(message, place, hint)


def _state(expression: Expression, traceback: TracebackType | None) -> tuple[Place, dict[str, Any]]:
    """The place of the innermost part of the expression that was running, and the values of its names."""
    column = None
    seen: dict[str, Any] = {}
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_code.co_filename == MARKER:
            column = list(frame.f_code.co_positions())[traceback.tb_lasti // 2][2]
            outside = {name: frame.f_globals.get(name) for name in sorted(expression.names - expression.constants)}
            inside = {} if frame.f_locals is frame.f_globals else frame.f_locals
            seen |= {name: value for name, value in (outside | inside).items() if _tells(value, name in expression.names)}
        traceback = traceback.tb_next
    text = expression.text
    place = text.source.start(text.node) if column is None else text.place(_offset(_written(text), column))
    return place, dict(list(seen.items())[-6:])


def _tells(value: Any, outside: bool) -> bool:
    """Whether the value helps to see what went wrong: what a loop gives does, a row from outside is too long."""
    return isinstance(value, int | str | Size | Cell) or (isinstance(value, tuple) and not outside)
