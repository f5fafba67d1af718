"""Expressions: parsed by Python, held to a whitelist, rewritten so that unknowns may stand in them, run by Python.

Every operation becomes a call of the runtime (see `runtime.py`), which decides whether it works on plain values or builds a
condition, and which counts what is spent. Positions survive the rewriting, so an error points at the part that caused it.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any

from puzzlekit.errors import InputError, Place, nearest
from puzzlekit.lang.source import Text

MARKER = "<expression>"
LONGEST = 20_000  # characters in an expression
GRAMMAR = {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "None", "True", "False"}

BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}
REFUSED = {
    "Lambda": "lambda is not part of the language",
    "NamedExpr": "assignment is not part of the language",
    "JoinedStr": "f-strings are not part of the language",
    "Await": "await is not part of the language",
    "Yield": "yield is not part of the language",
    "YieldFrom": "yield is not part of the language",
    "Starred": "* before a value is not part of the language",
    "Pow": "** is not part of the language",
    "Div": "/ is not part of the language: // divides whole numbers",
    "Is": "is is not part of the language: compare with ==",
    "IsNot": "is not is not part of the language: compare with !=",
}


class ExpressionError(Exception):
    """What is wrong with an expression while it is run; the place is found from the traceback."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression. With `loops`, its value is a stream of (values of the loop variables, value)."""

    text: Text
    code: CodeType
    names: frozenset[str]
    loops: tuple[str, ...] | None

    def run(self, scope: Mapping[str, Any]) -> Any:
        """The value, with these names. A stream runs as it is read, so errors may come then: see `place_of`."""
        return eval(self.code, dict(scope))


class _Refusal(Exception):
    def __init__(self, node: ast.AST, message: str, hint: str = "") -> None:
        self.node, self.hint = node, hint
        super().__init__(message)


def compile_expression(text: Text, known: Iterable[str], split_loops: bool = False) -> Expression | None:
    """Compile the text; None (with a problem noted in its source) where it breaks the whitelist or names what is unknown.

    With `split_loops`, a top-level `… for x in …` keeps the values of its loop variables beside each value.
    """
    source = text.source
    if len(text.text) > LONGEST:
        source.problem(f"an expression has at most {LONGEST} characters", text.node)
        return None
    written = f"({_spell(text.text)})"
    try:
        tree = ast.parse(written, mode="eval")
    except SyntaxError as error:
        offset = max(0, min((error.offset or 1) - 2, len(text.text) - 1))
        source.problem(f"this is not an expression: {error.msg}", text.place(max(offset, 0)))
        return None
    except (RecursionError, MemoryError, ValueError):
        source.problem("this is no expression: it is nested too deep or has a number that is too long", text.node)
        return None
    if not text.text.strip():
        source.problem("an expression is missing here", text.node)
        return None
    rewriter = _Rewriter(set(known))
    loops = None
    try:
        body: ast.expr = tree.body
        if split_loops and isinstance(body, ast.GeneratorExp):
            loops = tuple(dict.fromkeys(name for generator in body.generators for name in _targets(generator.target)))
            values = ast.Tuple([ast.Name(name, ast.Load()) for name in loops], ast.Load())
            body.elt = ast.copy_location(ast.Tuple([values, body.elt], ast.Load()), body.elt)
        tree.body = rewriter.visit(body)
        code = compile(ast.fix_missing_locations(tree), MARKER, "eval")
    except _Refusal as refusal:
        source.problem(str(refusal), text.place(_offset(written, refusal.node)), refusal.hint)
        return None
    except (RecursionError, MemoryError):
        source.problem("this expression is nested too deep", text.node)
        return None
    for name, node in rewriter.unknown:
        source.problem(f"{name} is not known here", text.place(_offset(written, node)), nearest(name, sorted(rewriter.known)))
    return None if rewriter.unknown else Expression(text, code, frozenset(rewriter.used), loops)


def _spell(text: str) -> str:
    """Let a name that Python reserves, but this language does not (`from`), stand in an expression.

    Python compares reserved words before it folds letters of one shape, so the same word in wide letters is a plain name,
    and is folded to the usual letters in the tree.
    """
    reserved = "|".join(sorted(set(keyword.kwlist) - GRAMMAR))
    words = re.compile(rf"'[^']*'|\"[^\"]*\"|(?<![\w.])({reserved})(?!\w)")
    return words.sub(lambda m: chr(ord(m[1][0]) + 0xFEE0) + m[1][1:] if m[1] else m[0], text)


def _offset(written: str, node: ast.AST) -> int:
    """The offset in the text at which a node begins; Python counts bytes, from the parenthesis that was put before."""
    column = getattr(node, "col_offset", 1)
    return max(0, len(written.encode()[:column].decode(errors="ignore")) - 1)


def place_of(expression: Expression, traceback: TracebackType | None) -> Place:
    """The place of the innermost part of the expression that was running when an error came."""
    column = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == MARKER:
            positions = list(code.co_positions())
            column = positions[traceback.tb_lasti // 2][2]
        traceback = traceback.tb_next
    text = expression.text
    if column is None:
        return text.source.start(text.node)
    written = f"({_spell(text.text)})".encode()
    return text.place(max(0, len(written[:column].decode(errors="ignore")) - 1))


def _targets(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple):
        return [name for part in target.elts for name in _targets(part)]
    raise _Refusal(target, "a loop variable is a name, or names in a row")


class _Rewriter(ast.NodeTransformer):
    """Hold a tree to the whitelist and turn its operations into calls of the runtime."""

    def __init__(self, known: set[str]) -> None:
        self.known = known
        self.used: set[str] = set()
        self.unknown: list[tuple[str, ast.AST]] = []
        self.bound: list[str] = []

    def generic_visit(self, node: ast.AST) -> ast.AST:
        kind = type(node).__name__
        raise _Refusal(node, REFUSED.get(kind, f"{kind} is not part of the language"))

    def _visit(self, node: ast.expr) -> ast.expr:
        visited: ast.expr = self.visit(node)
        return visited

    def _call(self, node: ast.AST, function: str, *arguments: ast.expr) -> ast.expr:
        return ast.copy_location(ast.Call(ast.Name(function, ast.Load()), list(arguments), []), node)

    def _later(self, node: ast.expr) -> ast.expr:
        """The node as a function without arguments, so that it is worked out only if it is wanted."""
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.copy_location(ast.Lambda(nothing, node), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id.startswith("_"):
            raise _Refusal(node, "a name that starts with _ is not part of the language")
        if node.id not in self.bound:
            self.used.add(node.id)
            if node.id not in self.known:
                self.unknown.append((node.id, node))
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if node.value is None or node.value is Ellipsis or isinstance(node.value, str | bool | int):
            return node
        raise _Refusal(node, f"a {type(node.value).__name__} is not part of the language", "numbers here are whole")

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        return ast.copy_location(ast.Tuple([self._visit(part) for part in node.elts], ast.Load()), node)

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.copy_location(ast.List([self._visit(part) for part in node.elts], ast.Load()), node)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        return ast.copy_location(ast.Set([self._visit(part) for part in node.elts]), node)

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        if any(key is None for key in node.keys):
            raise _Refusal(node, "** is not part of the language")
        keys: list[ast.expr | None] = [self._visit(key) for key in node.keys if key is not None]
        return ast.copy_location(ast.Dict(keys, [self._visit(value) for value in node.values]), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        operator = BINARY.get(type(node.op))
        if operator is None:
            kind = type(node.op).__name__
            raise _Refusal(node, REFUSED.get(kind, "this operator is not part of the language"))
        return self._call(node, "_binary", ast.Constant(operator), self._visit(node.left), self._visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        operand = self._visit(node.operand)
        match node.op:
            case ast.Not():
                return self._call(node, "_not", operand)
            case ast.USub():
                return self._call(node, "_binary", ast.Constant("-"), ast.Constant(0), operand)
            case ast.UAdd():
                return operand
            case _:
                raise _Refusal(node, "~ is not part of the language: not turns a condition round")

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = "_and" if isinstance(node.op, ast.And) else "_or"
        return self._call(node, name, *(self._later(self._visit(value)) for value in node.values))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        parts = []
        sides = [node.left, *node.comparators]
        for operation, left, right in zip(node.ops, sides, sides[1:]):
            operator = COMPARE.get(type(operation))
            if operator is None:
                raise _Refusal(node, REFUSED[type(operation).__name__])
            parts.append(self._call(node, "_compare", ast.Constant(operator), self._visit(left), self._visit(right)))
        return parts[0] if len(parts) == 1 else self._call(node, "_and", *map(self._later, parts))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        then, otherwise = self._visit(node.body), self._visit(node.orelse)
        return self._call(node, "_choose", self._visit(node.test), self._later(then), self._later(otherwise))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.slice, ast.Slice):
            ends = (node.slice.lower, node.slice.upper, node.slice.step)
            key = self._call(node, "_slice", *(ast.Constant(None) if end is None else self._visit(end) for end in ends))
        else:
            key = self._visit(node.slice)
        return self._call(node, "_index", self._visit(node.value), key)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr.startswith("_"):
            raise _Refusal(node, f".{node.attr} is not part of the language: names do not start with _")
        return self._call(node, "_attribute", self._visit(node.value), ast.Constant(node.attr))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            raise _Refusal(node, "only a function with a name can be called")
        keywords = []
        for word in node.keywords:
            if word.arg is None:
                raise _Refusal(node, "** is not part of the language")
            keywords.append(ast.keyword(word.arg, self._visit(word.value)))
        arguments = [self._visit(node.func), *(self._visit(argument) for argument in node.args)]
        return ast.copy_location(ast.Call(ast.Name("_call", ast.Load()), arguments, keywords), node)

    def _comprehension(self, node: Any) -> Any:
        before = len(self.bound)
        generators = []
        for generator in node.generators:
            if generator.is_async:
                raise _Refusal(node, "async is not part of the language")
            iterable = self._call(generator.iter, "_iterate", self._visit(generator.iter))
            names = _targets(generator.target)
            if any(name.startswith("_") for name in names):
                raise _Refusal(generator.target, "a name that starts with _ is not part of the language")
            self.bound += names
            tests = [self._call(test, "_test", self._visit(test)) for test in generator.ifs]
            generators.append(ast.comprehension(generator.target, iterable, tests, 0))
        if isinstance(node, ast.DictComp):
            new: ast.expr = ast.DictComp(self._visit(node.key), self._visit(node.value), generators)
        else:
            new = type(node)(self._visit(node.elt), generators)
        del self.bound[before:]
        return ast.copy_location(new, node)

    visit_GeneratorExp = visit_ListComp = visit_SetComp = visit_DictComp = _comprehension  # noqa: N815


def error_in(expression: Expression, error: BaseException, unknowns: bool = True) -> None:
    """Note an error of running an expression as a problem at the part that caused it."""
    place = place_of(expression, error.__traceback__)
    message, hint = str(error), ""
    match error:
        case ExpressionError():
            hint = error.hint
        case KeyError():
            message = f"there is nothing at {error.args[0] if error.args else 'this key'}"
        case ZeroDivisionError():
            message = "this divides by zero"
        case RecursionError():
            message = "this is nested too deep"
        case InputError():
            pass
        case TypeError() | ValueError() | IndexError() | AttributeError():
            message = message[:200]
        case _:
            raise error
    expression.text.source.problem(message or type(error).__name__, place, hint)
