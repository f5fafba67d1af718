"""Expressions: parsed as Python, checked against a whitelist, rewritten for unknowns, and run.

Every operation becomes a call of `Interpreter`, which computes a value or builds a
condition, and counts the steps. Nodes keep their positions, so an error points at the part that
caused it.
"""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any, Protocol

from puzzlekit.boards import Cell, Size
from puzzlekit.errors import InputError, SourcePos, Stopped
from puzzlekit.lang.expressions.values import ExpressionError, display_text
from puzzlekit.lang.expressions.whitelist import Refusal, Rewriter, targets
from puzzlekit.model import SymbolicError
from puzzlekit.source import STRINGS, Text

MOST_CHARACTERS = 20_000  # of an expression
UNKNOWN_NAMES = 20  # reported per expression
MARKER = "<expression>"  # the file name of their code
GRAMMAR = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "None", "True", "False"}
)
RESERVED = re.compile(
    rf"{STRINGS}|(?<![\w.])({'|'.join(sorted(set(keyword.kwlist) - GRAMMAR))})(?!\w)"
)
TWO_DOTS = re.compile(
    r"(?<!\.)\.\.(?!\.)"
)  # Python takes those of 1..n for a float and an attribute
# what other languages write, and what to write instead; only looked for where Python does not parse
CURES = [
    (re.compile(sign), cure)
    for sign, cure in (
        (r"<=>|<->", "write iff(p, q)"),
        (r"\biff\b(?!\s*\()", "write iff(p, q)"),
        (r"\bimplies\b(?!\s*\()", "write implies(p, q)"),
        (r"[=-]+>", "write implies(p, q), or >= for at least"),
        (r"\bthen\b", "write implies(p, q) for if p, then q"),
        (r"&&", "write and"),
        (r"\|\|", "write or"),
        (r"<>|≠", "write !="),
        (r"===", "write =="),
        (r"≤", "write <="),
        (r"≥", "write >="),
        (r"=!", "write !="),
        (r"!(?!=)", "write not"),
        (r"\b[1-9][0-9]*[x×][0-9]+\b", "write (3, 3) for 3x3"),
        (
            TWO_DOTS.pattern,
            "write between(1, 4) for the values of an unknown, range(1, 5) for a loop",
        ),
        (r"^\s*if\b[^:]*:", "write implies(p, q) for if p: q"),
    )
]
# a sign of assignment, which is only looked for where Python takes the text for one
ASSIGNED = re.compile(r"(?<![=!<>:])=(?!=)")
QUOTED = re.compile(STRINGS)
RUN_ERRORS = (
    *(
        ExpressionError,
        InputError,
        SymbolicError,
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
    ),
    *(ArithmeticError, RecursionError, MemoryError),
)


class Code:
    """The code of a checked expression. It is compiled when it first runs: most rules of a large
    type never do.
    """

    def __init__(self, tree: ast.Expression) -> None:
        self._tree: ast.Expression | None = tree
        self._compiled: CodeType | None = None

    def compiled(self) -> CodeType:
        """Return the code."""
        tree = self._tree
        if tree is not None:  # another thread may compile it at the same time
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _locate(tree, (1, 0, 1, 0))
                self._compiled = compile(tree, MARKER, "eval")
            self._tree = None
        assert self._compiled is not None
        return self._compiled


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was checked.

    Attributes:
        text: What was checked, with its place.
        code: The code.
        names: The names that it reads from outside.
        loops: The loop variables, if its loops were split off. Its value is then a stream of
            (values of the loop variables, value). None otherwise.
        loop_names: All names in these loops.
        constants: The names of the language's constants.
        read: The names that its text reads from outside, in the order of the text.
        texts: Names, themselves or (True) indexed, and the texts that it compares with them, with
            their places.
    """

    text: Text
    code: Code
    names: frozenset[str]
    loops: tuple[str, ...] | None
    loop_names: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()
    read: tuple[str, ...] = ()
    texts: tuple[tuple[str, bool, str, SourcePos], ...] = ()

    def run(self, scope: Mapping[str, Any]) -> Any:
        """Return the value with these names. A stream may raise while it is read (`error_in`)."""
        return _evaluate(self.code.compiled(), scope)


class Names(Protocol):
    """The names of the language in which an expression is written, as `library.Language` has them."""

    constants: dict[str, Any]
    lost: str
    incomplete: bool

    def unknown(self, name: str, available: Iterable[str]) -> tuple[str, str]: ...
    def misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None: ...


def compile_expression(
    text: Text, available: Iterable[str], split_loops: bool, names: Names
) -> Expression | None:
    """Compile the text. On failure, note a problem in its source and return None.

    Args:
        text: The expression.
        known: All names that it may use.
        split_loops: Whether the value of a top-level `… for x in …` is a stream that has the values
            of the loop variables with each value.
        names: The names of the language.
    """
    with warnings.catch_warnings():  # Python warns about code that the whitelist refuses
        warnings.simplefilter("ignore")
        tree = _parsed(text)
        return None if tree is None else _compiled(text, tree, set(available), split_loops, names)


def _parsed(text: Text) -> ast.Expression | None:
    source = text.source
    if not text.text.strip():
        source.problem("an expression is missing here", text.node)
    elif len(text.text) > MOST_CHARACTERS:
        source.problem(f"an expression has at most {MOST_CHARACTERS:,} characters", text.node)
    elif (closing := _closes_too_much(text.text)) is not None:
        source.problem(
            "this is not an expression: this ) has no matching (", text.position(closing)
        )
    else:
        bare = QUOTED.sub(lambda found: " " * len(found[0]), text.text)
        try:
            if TWO_DOTS.search(bare):
                raise SyntaxError("..")
            return ast.parse(_written(text), mode="eval")
        except SyntaxError as error:
            at = max(0, min((error.offset or 1) - 2, len(text.text) - 1))
            for sign, cure in CURES:
                if found := sign.search(bare):
                    part = found[0].strip()[:20].rstrip()
                    source.problem(
                        f"{part} is not part of the language: {cure}", text.position(found.start())
                    )
                    return None
            if "'=='" in error.msg and (found := ASSIGNED.search(bare)):
                source.problem(
                    "= is not part of the language: write == to compare",
                    text.position(found.start()),
                )
                return None
            if "Exceeds the limit" in error.msg:
                source.problem("this number has too many digits", text.position(at))
                return None
            if "expected 'else'" in error.msg:
                help = "write implies(p, q) for if p, then q"
            elif bare.lstrip().startswith("for "):
                help = "a loop stands last: d[c] == 1 for c in g.cells"
            else:
                help = (
                    "# begins a comment, also in an expression"
                    if "#" in QUOTED.sub("", text.text)
                    else ""
                )
            source.problem(f"this is not an expression: {error.msg}", text.position(at), help)
        except (RecursionError, MemoryError, ValueError):
            source.problem(
                "this is not an expression: it is nested too deeply, or a number in it is too long",
                text.node,
            )
    return None


def _closes_too_much(text: str) -> int | None:
    """Return the offset of a ) that would close the ( that `_written` adds; None without one."""
    depth = 0
    for at, char in enumerate(QUOTED.sub(lambda found: " " * len(found[0]), text)):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return at
    return None


def _written(text: Text) -> str:
    """Return the text as Python parses it: in parentheses, and with some words widened.

    A word that Python reserves, but this language does not (`from`), gets a full-width first
    letter. Python compares reserved words before it normalises names, so the word is a plain name,
    which has its usual letters again in the tree.
    """
    return f"({RESERVED.sub(lambda m: chr(ord(m[1][0]) + 0xFEE0) + m[1][1:] if m[1] else m[0], text.text)})"


def _compiled(
    text: Text, tree: ast.Expression, known: set[str], split_loops: bool, language: Names
) -> Expression | None:
    source, written = text.source, _written(text)
    rewriter = Rewriter(known, language.misfit)
    loops, loop_names = None, frozenset[str]()
    try:
        body = tree.body
        if split_loops and isinstance(body, ast.GeneratorExp):
            loops = tuple(
                dict.fromkeys(
                    name for generator in body.generators for name in targets(generator.target)
                )
            )
            parts = (node for loop in body.generators for node in ast.walk(loop))
            loop_names = frozenset(node.id for node in parts if isinstance(node, ast.Name))
            names = ast.Tuple([ast.Name(name, ast.Load()) for name in loops], ast.Load())
            body.elt = ast.copy_location(ast.Tuple([names, body.elt], ast.Load()), body.elt)
            tree.body = rewriter.expanded(body, loops)
        else:
            tree.body = rewriter.rewrite(body)
    except Refusal as refusal:
        source.problem(
            str(refusal),
            text.position(_offset(written, getattr(refusal.node, "col_offset", 1))),
            refusal.help,
        )
        return None
    except (RecursionError, MemoryError):
        source.problem("this expression is nested too deeply", text.node)
        return None
    unknown = [] if language.incomplete else list(rewriter.unknown.items())[:UNKNOWN_NAMES]
    for name, node in unknown:
        message, help = language.unknown(name, known)
        if language.lost and any(language.lost in problem.help for problem in source.problems):
            help = help.removesuffix(language.lost).removesuffix("; ")
        source.problem(message, text.position(_offset(written, node.col_offset)), help)
    constants = frozenset(language.constants)
    used = tuple(rewriter.used)
    places = (text.position(_offset(written, column)) for *_, column in rewriter.texts)
    texts = tuple(
        (name, indexed, wanted, place)
        for (name, indexed, wanted, _), place in zip(rewriter.texts, places)
    )
    return (
        None
        if rewriter.unknown
        else Expression(
            text, Code(tree), frozenset(used), loops, loop_names, constants, used, texts
        )
    )


def _locate(node: ast.AST, around: tuple[int, ...]) -> None:
    """Give nodes that were made the place of those around them, in half the time of
    `ast.fix_missing_locations`.
    """
    if "lineno" in node._attributes:
        own = node.__dict__
        if "lineno" in own:
            around = own["lineno"], own["col_offset"], own["end_lineno"], own["end_col_offset"]
        else:
            own["lineno"], own["col_offset"], own["end_lineno"], own["end_col_offset"] = around
    for name in node._fields:
        part = getattr(node, name, None)
        for each in part if type(part) is list else (part,):
            if isinstance(each, ast.AST):
                _locate(each, around)


def sides_of(expression: Expression, values: Mapping[str, Any]) -> str:
    """The sides of a comparison of numbers that does not hold, as help; empty for anything else."""
    written = _written(expression.text)
    body = ast.parse(written, mode="eval").body
    body = body.elt if expression.loops is not None and isinstance(body, ast.GeneratorExp) else body
    if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.Or):
        body = body.values[0]
    if not isinstance(body, ast.Compare):
        return ""
    told = []
    for side in (body.left, *body.comparators):
        # `_written` widens the first letter of some words; this makes it an ordinary one again
        text = unicodedata.normalize("NFKC", ast.get_source_segment(written, side) or "")
        rewritten = ast.fix_missing_locations(
            ast.Expression(Rewriter({*values}, lambda *_: None).rewrite(side))
        )
        value = _evaluate(compile(rewritten, MARKER, "eval"), values)
        if not isinstance(value, int) or isinstance(value, bool):
            return ""
        if str(value) != text:
            told.append(f"{text} is {value}")
    return f"here {' and '.join(dict.fromkeys(told))}" if told else ""


def _evaluate(code: CodeType, scope: Mapping[str, Any]) -> Any:
    return eval(code, {**scope, "_results": {}})  # of the calls that loops do not repeat


def _offset(written: str, column: int) -> int:
    """Return the offset in the text of Python's column, which counts bytes and the added ( too."""
    return max(0, len(written.encode()[:column].decode(errors="ignore")) - 1)


def message_of(error: BaseException) -> tuple[str, str]:
    """Return the message and the help for an error of an expression. Raises Stopped if memory is
    used up.
    """
    match error:
        case ExpressionError():
            return str(error), error.help
        case KeyError():
            return (
                f"there is no key {display_text(error.args[0])}"
                if error.args
                else "there is no such key",
                "",
            )
        case ZeroDivisionError():
            return "division by zero", ""
        case RecursionError():
            return "this is nested too deeply", ""
        case MemoryError():  # with more it may succeed
            raise Stopped("the rules need more memory than there is") from None
        case _:
            return str(error)[:200] or type(error).__name__, ""


def error_in(expression: Expression, error: BaseException) -> None:
    """Note an error as a problem at the part that raised it. The help shows values of its names."""
    message, help = message_of(error)
    place, seen = _state(expression, error.__traceback__)
    help = help or (
        f"here {', '.join(f'{name} is {display_text(value)}' for name, value in seen.items())}"
        if seen
        else ""
    )
    expression.text.source.problem(message, place, help)


def _state(
    expression: Expression, traceback: TracebackType | None
) -> tuple[SourcePos, dict[str, Any]]:
    """Return the place of the innermost running part of the expression, and values of its names."""
    column = None
    seen: dict[str, Any] = {}
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_code.co_filename == MARKER:
            column = list(frame.f_code.co_positions())[traceback.tb_lasti // 2][2]
            outside = {
                name: frame.f_globals.get(name)
                for name in sorted(expression.names - expression.constants)
            }
            inside = {} if frame.f_locals is frame.f_globals else frame.f_locals
            seen |= {
                name: value
                for name, value in (outside | inside).items()
                if _tells(value, name in expression.names)
            }
        traceback = traceback.tb_next
    text = expression.text
    place = (
        text.source.start(text.node)
        if column is None
        else text.position(_offset(_written(text), column))
    )
    return place, dict(list(seen.items())[-6:])


def _tells(value: Any, outside: bool) -> bool:
    """Return whether to show the value with an error. A row from outside is too long."""
    return isinstance(value, int | str | Size | Cell) or (isinstance(value, tuple) and not outside)
