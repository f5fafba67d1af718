"""The few places where an expression of the language is not the same text in Python are rewritten
in its syntax tree.
"""

import ast
from functools import cache
from types import CodeType
from typing import Any

OPERATORS: dict[type, str] = {ast.Add: "_plus", ast.Mult: "_times", ast.Sub: "_minus"}
DECIDED_EARLY = ("any", "all")  # their loop stops as soon as they are decided


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _later(value: ast.expr) -> ast.Lambda:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(none, value)


class Rewriter(ast.NodeTransformer):
    def visit_List(self, node: ast.List) -> Any:
        self.generic_visit(node)
        return ast.Tuple(node.elts, node.ctx)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        self.generic_visit(node)
        return _call("_row", ast.GeneratorExp(node.elt, node.generators))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        self.generic_visit(node)
        return _call("_row", node)

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.generic_visit(node)
        node.iter = _call("_row", node.iter)
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        signs = ast.Tuple([ast.Constant(type(sign).__name__) for sign in node.ops], ast.Load())
        return _call("_chain", signs, node.left, *map(_later, node.comparators))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        return _call(name, node.left, node.right) if name else node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        key = node.slice
        if isinstance(key, ast.Slice):
            key = _call(
                "_slice", *(part or ast.Constant(None) for part in (key.lower, key.upper, key.step))
            )
        return _call("_at", node.value, key)

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "at":
            parts = dict(zip(("key", "default"), node.args)) | {
                str(k.arg): k.value for k in node.keywords
            }
            return _call(
                "_default", *map(self.visit, (node.func.value, parts["key"], parts["default"]))
            )
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "implies":
            parts = (
                {"p": None, "q": None}
                | dict(zip("pq", node.args))
                | {k.arg: k.value for k in node.keywords}
            )
            p, q = (self.visit(parts[part]) for part in "pq")
            return ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), p), q])
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("through", "of"):
            return _call(
                f"_{node.func.attr}", self.visit(node.func.value), *map(self.visit, node.args)
            )
        if name in DECIDED_EARLY and node.args and isinstance(node.args[0], ast.GeneratorExp):
            return ast.Call(node.func, [self.generic_visit(node.args[0])], [])
        return self.generic_visit(node)


@cache
def compiled(text: str) -> CodeType:
    """An expression, as Python runs it."""
    return _finished(_parsed(text))


@cache
def compiled_with(text: str, names: tuple[str, ...]) -> tuple[CodeType, bool]:
    """A declaration: code that gives pairs of an index and a domain; and whether it has a loop."""
    tree = _parsed(text)
    loop = isinstance(tree.body, ast.GeneratorExp)
    if isinstance(tree.body, ast.GeneratorExp):
        index = [ast.Name(name, ast.Load()) for name in names]
        key = index[0] if len(index) == 1 else ast.Tuple(index, ast.Load())
        tree.body.elt = ast.Tuple([key, tree.body.elt], ast.Load())
    return _finished(tree), loop


@cache
def compiled_rule(text: str) -> CodeType:
    """A rule: code that gives its conditions, one for each turn of its loop,
    as they are asked for.
    """
    tree = _parsed(text)
    if isinstance(tree.body, ast.GeneratorExp):
        tree.body = Rewriter().generic_visit(tree.body)  # no row is made of it
        return compile(ast.fix_missing_locations(tree), "<rule>", "eval")
    tree.body = ast.Tuple([tree.body], ast.Load())
    return _finished(tree)


def _parsed(text: str) -> ast.Expression:
    return ast.parse(f"(\n{text}\n)", mode="eval")


def _finished(tree: ast.Expression) -> CodeType:
    return compile(ast.fix_missing_locations(Rewriter().visit(tree)), "<expression>", "eval")
