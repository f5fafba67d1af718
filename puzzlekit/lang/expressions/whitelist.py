"""Checks expressions against a whitelist of syntax and rewrites them as interpreter calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

EXPRESSION_LEVELS = 100  # of nesting

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
    "Slice": "a slice cannot be combined with other indexes in [ ]",
    "Pow": "** is not part of the language: write a * a",
    "Div": "/ is not part of the language: write //, which divides whole numbers",
    "MatMult": "@ is not part of the language",
    "LShift": "<< is not part of the language",
    "RShift": ">> is not part of the language",
    "BitOr": "| is not part of the language: write or",
    "BitXor": "^ is not part of the language",
    "BitAnd": "& is not part of the language: write and",
    "Is": "`is` is not part of the language: write ==",
    "IsNot": "`is not` is not part of the language: write !=",
}
LITERAL_NUMBER = 10**100
CONTEXTS = (ast.Load(), ast.Store())
Misfit = Callable[
    [str, int, Iterable[str]], tuple[str, str] | None
]  # of a call: its name, arguments and words
Comprehension = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp


class Refusal(Exception):
    """A part of an expression that is not part of the language."""

    def __init__(self, node: ast.AST, message: str, help: str = "") -> None:
        self.node, self.help = node, help
        super().__init__(message)


def targets(target: ast.expr) -> list[str]:
    """Return the names that the target of a loop binds. Raises Refusal."""
    if isinstance(target, ast.Name):
        if target.id.startswith("_"):
            raise Refusal(target, "a name that starts with _ is not part of the language")
        return [target.id]
    if isinstance(target, ast.Tuple):
        return [name for part in target.elts for name in targets(part)]
    raise Refusal(target, "expected a name or a tuple of names as the loop variable")


class Rewriter:
    """Checks a tree against the whitelist and turns its operations into calls of the interpreter.

    Attributes:
        used: The outside names that the expression reads.
        unknown: Those of them that are not known, with the node of their first use.
        texts: Outside names, themselves or (True) indexed, each with a text that is compared with
            them by == or !=, and its column.
    """

    def __init__(self, known: set[str], misfit: Misfit) -> None:
        self.known = known
        self.misfit = misfit
        self.used: dict[str, None] = {}
        self.unknown: dict[str, ast.Name] = {}
        self.texts: list[tuple[str, bool, str, int]] = []
        self._bound: list[str] = []
        self._depth = 0
        self._calls = 0  # those that loops do not repeat
        self._weight = 0  # items of the displays in the innermost comprehension

    def rewrite(self, node: ast.expr) -> ast.expr:
        """Return the node as calls of the interpreter. Raises Refusal."""
        self._depth += 1
        most = EXPRESSION_LEVELS
        if self._depth > most:
            raise Refusal(
                node,
                f"an expression can be nested at most {most} levels deep",
                "use sum([…]) to add many values",
            )
        made = self._rewritten(node)
        self._depth -= 1
        return made

    def _rewritten(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Constant():
                return _constant(node)
            case ast.Tuple(elts) | ast.List(elts):
                return self._display(node, elts)
            case ast.Set(elts):
                return self._call(node, "_set", self._display(node, elts))
            case ast.Dict(keys, values):
                return self._dictionary(node, keys, values)
            case ast.BinOp(left, op, right):
                sign = ast.Constant(self._sign(node, op))
                return self._call(node, "_binary", sign, self.rewrite(left), self.rewrite(right))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp(op, parts):
                name = "_and" if isinstance(op, ast.And) else "_or"
                first, *later = map(self.rewrite, parts)
                return self._call(node, name, first, *map(self._later, later))
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp(test, then, otherwise):
                sides = (self._later(self.rewrite(side)) for side in (then, otherwise))
                return self._call(node, "_choose", self.rewrite(test), *sides)
            case ast.Subscript(value, key):
                return self._call(node, "_index", self.rewrite(value), self._key(key))
            case ast.Attribute(value, name):
                if name.startswith("_"):
                    raise Refusal(
                        node, f".{name[:40]} is not part of the language: names do not start with _"
                    )
                return self._call(node, "_attribute", self.rewrite(value), ast.Constant(name))
            case ast.Call():
                return self._call_once(node) if self._invariant(node) else self._function(node)
            case ast.GeneratorExp() | ast.ListComp():
                return self._call(node, "_row", self.stream(node))
            case ast.SetComp():
                return self._call(node, "_set", self.stream(node))
            case ast.DictComp():
                return self._call(node, "_dict", self.stream(node))
            case _:
                kind = type(node).__name__
                raise Refusal(node, REFUSED.get(kind, f"{kind} is not part of the language"))

    def stream(self, node: Comprehension) -> ast.GeneratorExp:
        """Return a comprehension as a generator; that of a dictionary yields pairs."""
        before, outer = len(self._bound), self._weight
        made: list[ast.comprehension] = []
        weighed = []
        for loop in node.generators:
            if loop.is_async:
                raise Refusal(loop.target, "async is not part of the language")
            iterable = self.rewrite(loop.iter)
            if not made:
                outer, self._weight = self._weight, 0
            weight = ast.Constant(1)
            weighed.append(weight)
            self._bound += targets(loop.target)
            tests = [self._call(test, "_test", self.rewrite(test)) for test in loop.ifs]
            made.append(
                ast.comprehension(
                    loop.target, self._call(loop.iter, "_iterate", iterable, weight), tests, 0
                )
            )
        if isinstance(node, ast.DictComp):
            pair = ast.Tuple([self.rewrite(node.key), self.rewrite(node.value)], ast.Load())
            item: ast.expr = ast.copy_location(pair, node.key)
        else:
            item = self.rewrite(node.elt)
        for weight in weighed:
            weight.value = 1 + self._weight // 4
        self._weight = outer
        del self._bound[before:]
        return ast.copy_location(ast.GeneratorExp(item, made), node)

    def expanded(self, node: ast.GeneratorExp, loops: Sequence[str]) -> ast.expr:
        """Return a comprehension over `_expand`, which runs the loops and yields their values."""
        made = self.stream(node)
        values, targets = (
            ast.Tuple([ast.Name(name, context) for name in loops], context) for context in CONTEXTS
        )
        alone = ast.copy_location(ast.GeneratorExp(values, made.generators), node)
        expansion = ast.comprehension(
            targets, self._call(node, "_expand", self._later(alone)), [], 0
        )
        return ast.copy_location(ast.GeneratorExp(made.elt, [expansion]), node)

    def _call(self, node: ast.AST, function: str, *arguments: ast.expr) -> ast.expr:
        return ast.copy_location(
            ast.Call(ast.Name(function, ast.Load()), list(arguments), []), node
        )

    def _later(self, node: ast.expr) -> ast.expr:
        """Return the node as a function without arguments, which delays its evaluation."""
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.copy_location(ast.Lambda(nothing, node), node)

    def _name(self, node: ast.Name) -> ast.expr:
        if node.id.startswith("_"):
            raise Refusal(node, "a name that starts with _ is not part of the language")
        if node.id not in self._bound:
            self.used[node.id] = None
            if node.id not in self.known:
                self.unknown.setdefault(node.id, node)
        return node

    def _display(self, node: ast.expr, parts: Iterable[ast.expr]) -> ast.expr:
        row = [self.rewrite(part) for part in parts]
        self._weight += len(row)
        return ast.copy_location(ast.Tuple(row, ast.Load()), node)

    def _dictionary(
        self, node: ast.expr, keys: list[ast.expr | None], values: list[ast.expr]
    ) -> ast.expr:
        pairs: list[ast.expr] = []
        for key, value in zip(keys, values):
            if key is None:
                raise Refusal(value, "** is not part of the language")
            pairs.append(ast.copy_location(ast.Tuple([key, value], ast.Load()), key))
        return self._call(node, "_dict", self._display(node, pairs))

    def _sign(self, node: ast.BinOp, operator: ast.operator) -> str:
        if type(operator) not in BINARY:
            raise Refusal(node, REFUSED[type(operator).__name__])
        return BINARY[type(operator)]

    def _unary(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Invert):
            raise Refusal(node, "~ is not part of the language: write not")
        operand = self.rewrite(node.operand)
        if isinstance(node.op, ast.Not):
            return self._call(node, "_not", operand)
        sign = "-" if isinstance(node.op, ast.USub) else "+"
        return self._call(node, "_binary", ast.Constant(sign), ast.Constant(0), operand)

    def _compare(self, node: ast.Compare) -> ast.expr:
        for operation, left, right in zip(
            node.ops, (node.left, *node.comparators), node.comparators
        ):
            if type(operation) not in COMPARE:
                raise Refusal(node, REFUSED[type(operation).__name__])
            if isinstance(operation, ast.Eq | ast.NotEq):
                self._note_text(left, right)
                self._note_text(right, left)
        signs = [ast.Constant(COMPARE[type(operation)]) for operation in node.ops]
        sides = [self.rewrite(side) for side in (node.left, *node.comparators)]
        if len(signs) == 1:
            return self._call(node, "_compare", signs[0], *sides)
        rest = [part for sign, side in zip(signs, sides[1:]) for part in (sign, self._later(side))]
        return self._call(node, "_chain", sides[0], *rest)

    def _note_text(self, side: ast.expr, text: ast.expr) -> None:
        of = (
            side.value
            if isinstance(side, ast.Subscript) and not isinstance(side.slice, ast.Slice)
            else side
        )
        if (
            isinstance(of, ast.Name)
            and of.id not in self._bound
            and isinstance(text, ast.Constant)
            and isinstance(text.value, str)
        ):
            self.texts.append((of.id, of is not side, text.value, text.col_offset))

    def _key(self, key: ast.expr) -> ast.expr:
        if isinstance(key, ast.Slice):
            ends = (key.lower, key.upper, key.step)
            parts = (ast.Constant(None) if end is None else self.rewrite(end) for end in ends)
            return self._call(key, "_slice", *parts)
        if isinstance(key, ast.Tuple):
            return ast.copy_location(
                ast.Tuple([self._key_part(part) for part in key.elts], ast.Load()), key
            )
        return self._key_part(key)

    def _key_part(self, part: ast.expr) -> ast.expr:
        return (
            part
            if isinstance(part, ast.Constant) and part.value is Ellipsis
            else self.rewrite(part)
        )

    def _invariant(self, node: ast.Call) -> bool:
        """Return whether a call is repeated by a loop, but reads none of its variables."""
        bound = set(self._bound)
        return bool(bound) and not any(
            isinstance(part, ast.Name) and part.id in bound for part in ast.walk(node)
        )

    def _call_once(self, node: ast.Call) -> ast.expr:
        self._calls += 1
        number, outer, self._bound = ast.Constant(self._calls), self._bound, []
        made = self._later(self._function(node))
        self._bound = outer
        return self._call(node, "_once", ast.Name("_results", ast.Load()), number, made)

    def _function(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            named = (
                isinstance(node.func, ast.Call)
                and isinstance(node.func.func, ast.Name)
                and node.func.func.id in self.known
            )
            raise Refusal(
                node,
                "only a named function can be called",
                "" if named else "a loop stands last: all(… for x in …)",
            )
        if isinstance(node.func, ast.Name) and node.func.id == "implies":
            parts = dict(zip("pq", node.args)) | {
                str(word.arg): word.value for word in node.keywords
            }
            if parts.keys() == {"p", "q"} and len(node.args) + len(node.keywords) == 2:
                return self._implies(node, parts["p"], parts["q"])
        words = []
        for word in node.keywords:
            if word.arg is None:
                raise Refusal(word.value, "** is not part of the language")
            if word.arg.startswith("_"):
                raise Refusal(word.value, "a name that starts with _ is not part of the language")
            words.append(ast.keyword(word.arg, self._argument(word.value)))
        if isinstance(node.func, ast.Name) and node.func.id not in self._bound:
            wrong = self.misfit(
                node.func.id, len(node.args), [word.arg for word in words if word.arg]
            )
            if wrong is not None:
                raise Refusal(node, *wrong)
        arguments = [self.rewrite(node.func), *(self._argument(argument) for argument in node.args)]
        return ast.copy_location(ast.Call(ast.Name("_call", ast.Load()), arguments, words), node)

    def _implies(self, node: ast.Call, *parts: ast.expr) -> ast.expr:
        """Return `implies(p, q)` as `not p or q`, which evaluates `q` only if `p` may hold."""
        self.rewrite(node.func)
        premise, conclusion = (self.rewrite(part) for part in parts)
        return self._call(node, "_or", self._call(node, "_not", premise), self._later(conclusion))

    def _argument(self, node: ast.expr) -> ast.expr:
        """Return an argument. A generator stays one, so that functions may stop early."""
        return self.stream(node) if isinstance(node, ast.GeneratorExp) else self.rewrite(node)


def _constant(node: ast.Constant) -> ast.expr:
    value = node.value
    if value is Ellipsis:
        raise Refusal(node, "... is only allowed as a part of an index")
    if value is not None and not isinstance(value, str | bool | int):
        raise Refusal(
            node, f"a {type(value).__name__} is not part of the language", "use whole numbers"
        )
    if isinstance(value, int) and value > LITERAL_NUMBER:
        raise Refusal(node, "this number has more than 100 digits")
    return node
