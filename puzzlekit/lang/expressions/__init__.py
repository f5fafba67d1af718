"""Expressions: parsed as Python, checked against a whitelist, rewritten for unknowns, and run.

Every operation becomes a call of `Interpreter`, which computes a value or builds a condition, and
counts the steps. Nodes keep their positions, so an error points at the text that caused it.
"""

from __future__ import annotations

import ast
import keyword
import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from types import CodeType, FrameType, TracebackType
from typing import Any, Protocol

from puzzlekit.boards import Cell, Size
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, SourcePos, Stopped
from puzzlekit.lang.expressions.code_cache import CodeCache, CompiledExpression
from puzzlekit.lang.expressions.values import ExpressionError, display_text
from puzzlekit.lang.expressions.whitelist import (
    LOAD,
    Refusal,
    Rewriter,
    locate,
    names_in,
    targets,
    tuple_of,
)
from puzzlekit.model import SymbolicError
from puzzlekit.source import STRINGS, Text

MOST_CHARACTERS = 20_000  # of an expression
UNKNOWN_NAMES = 20  # reported per expression
MARKER = "<expression>"  # the file name of their code
FULL_WIDTH = 0xFEE0  # from a letter of ASCII to its full-width form
GRAMMAR = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "None", "True", "False"}
)
WIDENED = frozenset(keyword.kwlist) - GRAMMAR
RESERVED = re.compile(rf"{STRINGS}|(?<![\w.])({'|'.join(sorted(WIDENED))})(?!\w)")
WORD = re.compile(r"\w+")
PARENTHESIS = re.compile(r"[()]")
# Python takes those of 1..n for a float and an attribute
TWO_DOTS = re.compile(r"(?<!\.)\.\.(?!\.)")
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
LOOP = re.compile(r"[\w)\]]\s+\w+(\s*,\s*\w+)*\s+in\s")  # what stands without its `for`
FOR = re.compile(r"\bfor\b")
ASSIGNED = re.compile(r"(?<![=!<>:])=(?!=)")
QUOTED = re.compile(STRINGS)
RUN_ERRORS = (
    ExpressionError,
    InputError,
    SymbolicError,
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
)
VALUES_SHOWN = 6  # with an error
EMPTY = frozenset({tuple, dict})  # collections that may be empty


class Code:
    """The code of a checked expression.

    It is compiled when it first runs: most rules of a large type never do.
    """

    def __init__(self, tree: ast.Expression | None, compiled: CodeType | None = None) -> None:
        self._tree = tree
        self._compiled = compiled

    def compiled(self) -> CodeType:
        """Return the code."""
        tree = self._tree
        if tree is not None:  # another thread may compile it at the same time
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._compiled = compile(tree, MARKER, "eval")
            self._tree = None
        assert self._compiled is not None
        return self._compiled


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was checked.

    Attributes:
        text: The text, with its position in a file.
        code: The code.
        names: The names that it reads from outside.
        loops: The loop variables, if its loops were split off. Its value is then a stream of
            (values of the loop variables, value). None otherwise.
        loop_names: All names in these loops.
        over: The name that the outermost of these loops runs over; empty for another collection.
        constants: The names of the language's constants.
        read: The names that its text reads from outside, in the order of the text.
        texts: Names, themselves or (True) indexed, and the texts that it compares with them, with
            their columns (`position_at`).
    """

    text: Text
    code: Code
    names: frozenset[str]
    loops: tuple[str, ...] | None
    loop_names: frozenset[str] = frozenset()
    over: str = ""
    constants: frozenset[str] = frozenset()
    read: tuple[str, ...] = ()
    texts: tuple[tuple[str, bool, str, int], ...] = ()

    @property
    def start(self) -> SourcePos:
        """The position where its text begins."""
        return self.text.source.start(self.text.node)

    def position_at(self, column: int) -> SourcePos:
        """Return the position of a column of the code."""
        return _position(self.text, column)

    def has_no_turns(self, scope: Mapping[str, Any]) -> bool:
        """Return whether its loops were split off and run over an empty row or mapping."""
        collection = scope.get(self.over)
        return type(collection) in EMPTY and not collection

    def run(self, scope: Mapping[str, Any]) -> Any:
        """Return the value with these names. A stream may raise while it is read (`error_in`)."""
        return _evaluate(self.code.compiled(), scope)


class Names(Protocol):
    """The names of the language in which an expression is written (`library.Language`)."""

    constants: dict[str, Any]
    lost: str
    incomplete: bool

    def unknown(self, name: str, available: Iterable[str]) -> tuple[str, str]: ...
    def misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None: ...


def compile_expression(
    text: Text,
    available: Iterable[str],
    split_loops: bool,
    names: Names,
    cache: CodeCache | None = None,
) -> Expression | None:
    """Compile the text. On failure, note a problem in its source and return None.

    Args:
        text: The expression.
        available: All names that it may use.
        split_loops: Whether the value of a top-level `… for x in …` is a stream that has the values
            of the loop variables with each value.
        names: The names of the language.
        cache: The compiled expressions of the type; None for a type that has no cache.
    """
    available = set(available)
    if cache is not None:
        stored = cache.find(text.text, split_loops, available)
        if stored is not None:
            return _restored(text, stored, names)
    with warnings.catch_warnings():  # Python warns about code that the whitelist refuses
        warnings.simplefilter("ignore")
        tree = _parsed(text)
        if tree is None:
            return None
        expression = _compiled(text, tree, available, split_loops, names)
    if cache is not None and expression is not None:
        cache.add(text.text, split_loops, partial(_stored, expression))
    return expression


def _stored(expression: Expression) -> CompiledExpression:
    """Return what a cache stores of an expression."""
    return CompiledExpression(
        expression.loops,
        expression.loop_names,
        expression.over,
        expression.read,
        expression.texts,
        expression.code.compiled(),
    )


def _restored(text: Text, stored: CompiledExpression, language: Names) -> Expression:
    """Return the expression of a text from what a cache has stored of it."""
    return Expression(
        text,
        Code(None, stored.code),
        names=frozenset(stored.read),
        loops=stored.loops,
        loop_names=stored.loop_names,
        over=stored.over,
        constants=frozenset(language.constants),
        read=stored.read,
        texts=stored.texts,
    )


def _parsed(text: Text) -> ast.Expression | None:
    """Parse the text as Python. On failure, note a problem and return None."""
    source = text.source
    if not text.text.strip():
        source.problem("an expression is missing here", text.node)
        return None
    if len(text.text) > MOST_CHARACTERS:
        source.problem(f"an expression has at most {MOST_CHARACTERS:,} characters", text.node)
        return None
    unquoted = _unquoted(text.text)
    closing = _closing_too_much(unquoted)
    if closing is not None:
        message = "this is not an expression: this ) has no matching ("
        source.problem(message, text.position(closing))
        return None
    try:
        if TWO_DOTS.search(unquoted):
            raise SyntaxError("..")
        return ast.parse(_as_python(text), mode="eval")
    except SyntaxError as error:
        _note_syntax_error(text, unquoted, error)
    except (RecursionError, MemoryError, ValueError):
        source.problem(
            "this is not an expression: it is nested too deeply, or a number in it is too long",
            text.node,
        )
    return None


def _note_syntax_error(text: Text, unquoted: str, error: SyntaxError) -> None:
    """Note why Python does not parse the text, and what to write instead."""
    source = text.source
    for sign, cure in CURES:
        if match := sign.search(unquoted):
            written = match[0].strip()[:20].rstrip()
            message = f"{written} is not part of the language: {cure}"
            source.problem(message, text.position(match.start()))
            return
    if "'=='" in error.msg and (match := ASSIGNED.search(unquoted)):
        message = "= is not part of the language: write == to compare"
        source.problem(message, text.position(match.start()))
        return
    last = len(text.text) - 1
    offset = max(0, min((error.offset or 1) - 2, last))
    if "Exceeds the limit" in error.msg:
        source.problem("this number has too many digits", text.position(offset))
        return
    help = ""
    if "expected 'else'" in error.msg:
        help = "write implies(p, q) for if p, then q"
    elif unquoted.lstrip().startswith("for "):
        help = "a loop stands last: d[c] == 1 for c in g.cells"
    elif LOOP.search(unquoted) and not FOR.search(unquoted):
        help = "a loop begins with for: all_different(d[r]) for r in g.rows"
    elif "#" in unquoted:
        help = "# begins a comment, also in an expression"
    source.problem(f"this is not an expression: {error.msg}", text.position(offset), help)


def _unquoted(text: str) -> str:
    """Return the text with blanks in place of the texts in quotes."""
    return QUOTED.sub(lambda match: " " * len(match[0]), text)


def _closing_too_much(unquoted: str) -> int | None:
    """Return the offset of a ) that would close the ( that `_as_python` adds; None without one."""
    depth = 0
    for parenthesis in PARENTHESIS.finditer(unquoted):
        depth += 1 if parenthesis[0] == "(" else -1
        if depth < 0:
            return parenthesis.start()
    return None


def _as_python(text: Text) -> str:
    """Return the text as Python parses it: in parentheses, and with some words widened.

    A word that Python reserves, but this language does not (`from`), gets a full-width first
    letter. Python compares reserved words before it normalises names, so the word is a plain name,
    which has its usual letters again in the tree.
    """
    written = text.text
    if not WIDENED.isdisjoint(WORD.findall(written)):
        written = RESERVED.sub(_widened, written)
    return f"({written})"


def _widened(match: re.Match[str]) -> str:
    word = match[1]
    if not word:  # a text in quotes
        return match[0]
    return chr(ord(word[0]) + FULL_WIDTH) + word[1:]


def _compiled(
    text: Text, tree: ast.Expression, available: set[str], split_loops: bool, language: Names
) -> Expression | None:
    rewriter = Rewriter(available, language.misfit)
    loops = None
    loop_names = frozenset[str]()
    over = ""
    try:
        body = tree.body
        if split_loops and isinstance(body, ast.GeneratorExp):
            loops, loop_names = _names_of_loops(body)
            outermost = body.generators[0].iter
            over = outermost.id if isinstance(outermost, ast.Name) else ""
            tree.body = rewriter.expanded(_with_loop_values(body, loops), loops)
        else:
            tree.body = rewriter.rewrite(body)
    except Refusal as refusal:
        column = getattr(refusal.node, "col_offset", 1)
        text.source.problem(str(refusal), _position(text, column), refusal.help)
        return None
    except (RecursionError, MemoryError):
        text.source.problem("this expression is nested too deeply", text.node)
        return None
    if rewriter.unknown:
        if not language.incomplete:
            _note_unknown_names(text, rewriter.unknown, available, language)
        return None
    used = tuple(rewriter.used)
    return Expression(
        text,
        Code(tree),
        names=frozenset(used),
        loops=loops,
        loop_names=loop_names,
        over=over,
        constants=frozenset(language.constants),
        read=used,
        texts=tuple(rewriter.texts),
    )


def _names_of_loops(body: ast.GeneratorExp) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the variables of the loops, and all names in these loops."""
    variables: dict[str, None] = {}
    names = set()
    for loop in body.generators:
        variables |= dict.fromkeys(targets(loop.target))
        names |= names_in(loop)
    return tuple(variables), frozenset(names)


def _with_loop_values(body: ast.GeneratorExp, loops: tuple[str, ...]) -> ast.GeneratorExp:
    """Let a stream yield the values of its loop variables with each value."""
    variables = tuple_of(loops, LOAD, body.elt)
    body.elt = locate(ast.Tuple([variables, body.elt], LOAD), body.elt)
    return body


def _note_unknown_names(
    text: Text, unknown: Mapping[str, ast.Name], available: set[str], language: Names
) -> None:
    source = text.source
    for name, node in list(unknown.items())[:UNKNOWN_NAMES]:
        message, help = language.unknown(name, available)
        if language.lost and any(language.lost in problem.help for problem in source.problems):
            help = help.removesuffix(language.lost).removesuffix("; ")
        source.problem(message, _position(text, node.col_offset), help)


def sides_of(expression: Expression, values: Mapping[str, Any]) -> str:
    """Return the sides of a comparison of numbers that does not hold, as help.

    It is empty for any other expression. Of an `or`, the first operand is taken.
    """
    python = _as_python(expression.text)
    body = ast.parse(python, mode="eval").body
    if expression.loops is not None and isinstance(body, ast.GeneratorExp):
        body = body.elt
    if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.Or):
        body = body.values[0]
    if not isinstance(body, ast.Compare):
        return ""
    texts = []
    sides = [child for child in ast.iter_child_nodes(body) if isinstance(child, ast.expr)]
    for side in sides:
        # `_as_python` widens the first letter of some words: normalising makes it a usual one
        text = unicodedata.normalize("NFKC", ast.get_source_segment(python, side) or "")
        value = _value_of(side, values)
        if not isinstance(value, int) or isinstance(value, bool):
            return ""
        if str(value) != text:
            texts.append(f"{text} is {value}")
    return f"here {' and '.join(dict.fromkeys(texts))}" if texts else ""


def _value_of(node: ast.expr, values: Mapping[str, Any]) -> Any:
    """Evaluate a node of an expression with these values of its names."""
    rewritten = Rewriter({*values}, lambda *_: None).rewrite(node)
    return _evaluate(compile(ast.Expression(rewritten), MARKER, "eval"), values)


def _evaluate(code: CodeType, scope: Mapping[str, Any]) -> Any:
    return eval(code, {**scope, "_results": {}})  # of the calls that loops do not repeat


def _position(text: Text, column: int) -> SourcePos:
    """Return the position of a column of Python, which counts bytes and the added ( too."""
    before = _as_python(text).encode()[:column].decode(errors="ignore")
    return text.position(max(0, len(before) - 1))


def message_of(error: BaseException) -> tuple[str, str]:
    """Return the message and the help for an error of an expression.

    Raises:
        Stopped: The memory is used up.
    """
    match error:
        case ExpressionError():
            return str(error), error.help
        case KeyError(args=(key, *_)):
            return f"there is no key {display_text(key)}", ""
        case KeyError():
            return "there is no such key", ""
        case ZeroDivisionError():
            return "division by zero", ""
        case RecursionError():
            return "this is nested too deeply", ""
        case MemoryError():  # with more it may succeed
            raise Stopped("the rules need more memory than there is") from None
        case _:
            return str(error)[:200] or type(error).__name__, ""


def error_in(expression: Expression, error: BaseException) -> None:
    """Note an error as a problem at the operation that raised it.

    Without other help, the problem shows values of the names that the expression reads.
    """
    message, help = message_of(error)
    position, values = _state(expression, error.__traceback__)
    if values and not help:
        texts = [f"{name} is {display_text(value)}" for name, value in values.items()]
        help = f"here {', '.join(texts)}"
    expression.text.source.problem(message, position, help)


def _state(
    expression: Expression, traceback: TracebackType | None
) -> tuple[SourcePos, dict[str, Any]]:
    """Return the position of the innermost operation that runs, and values of names."""
    text = expression.text
    position = text.source.start(text.node)
    values: dict[str, Any] = {}
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_code.co_filename == MARKER:
            positions = list(frame.f_code.co_positions())
            column = positions[traceback.tb_lasti // 2][2]
            position = text.source.start(text.node)
            if column is not None:
                position = _position(text, column)
            values |= _shown_values(expression, frame)
        traceback = traceback.tb_next
    return position, dict(list(values.items())[-VALUES_SHOWN:])


def _shown_values(expression: Expression, frame: FrameType) -> dict[str, Any]:
    """Return the values of names in a frame that are short enough to be shown with an error."""
    values: dict[str, Any] = {}
    for name in sorted(expression.names - expression.constants):
        values[name] = frame.f_globals.get(name)
    if frame.f_locals is not frame.f_globals:
        values |= frame.f_locals
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | str | Size | Cell)
        or (isinstance(value, tuple) and name not in expression.names)  # a row of the data is long
    }
