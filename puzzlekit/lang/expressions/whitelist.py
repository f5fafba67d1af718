"""Checks expressions against a whitelist of syntax and rewrites them as interpreter calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

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
LOAD = ast.Load()
CONTEXTS = (LOAD, ast.Store())
N = TypeVar("N", bound=ast.expr | ast.keyword)
# from the name, the number of arguments and the words of a call: the message and the help if the
# function does not take them
Misfit = Callable[[str, int, Iterable[str]], tuple[str, str] | None]
Comprehension = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp


class Refusal(Exception):
    """A part of an expression that is not part of the language."""

    def __init__(self, node: ast.AST, message: str, help: str = "") -> None:
        self.node = node
        self.help = help
        super().__init__(message)


def locate(node: N, around: Any) -> N:
    """Give a node the position of another.

    It takes a third of the time of `ast.copy_location`.
    """
    node.lineno = around.lineno
    node.col_offset = around.col_offset
    node.end_lineno = around.end_lineno
    node.end_col_offset = around.end_col_offset
    return node


def names_in(node: ast.AST) -> set[str]:
    """Return the names in a tree. It takes half the time of `ast.walk`."""
    names = set()
    nodes: list[Any] = [node]
    while nodes:
        inner = nodes.pop()
        if type(inner) is ast.Name:
            names.add(inner.id)
            continue
        for child in vars(inner).values():
            if isinstance(child, ast.AST):
                nodes.append(child)
            elif type(child) is list:
                nodes += [element for element in child if isinstance(element, ast.AST)]
    return names


def targets(target: ast.expr) -> list[str]:
    """Return the names that the target of a loop binds. Raises Refusal."""
    if isinstance(target, ast.Name):
        if target.id.startswith("_"):
            raise Refusal(target, "a name that starts with _ is not part of the language")
        return [target.id]
    if isinstance(target, ast.Tuple):
        return [name for element in target.elts for name in targets(element)]
    raise Refusal(target, "expected a name or a tuple of names as the loop variable")


class Rewriter:
    """Checks a tree against the whitelist and turns its operations into calls of the interpreter.

    Args:
        available: The names that the expression may read from outside.
        misfit: Returns why a function does not take the arguments of a call.

    Attributes:
        used: The outside names that the expression reads.
        unknown: Those of them that are not available, with the node of their first use.
        texts: Outside names, themselves or (True) indexed, each with a text that is compared with
            them by == or !=, and its column.
    """

    def __init__(self, available: set[str], misfit: Misfit) -> None:
        self.available = available
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
        if self._depth > EXPRESSION_LEVELS:
            raise Refusal(
                node,
                f"an expression can be nested at most {EXPRESSION_LEVELS} levels deep",
                "use sum([…]) to add many values",
            )
        rewritten = self._rewritten(node)
        self._depth -= 1
        return rewritten

    def _rewritten(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Constant():
                return _constant(node)
            case ast.Tuple() | ast.List():
                return self._display(node, node.elts)
            case ast.Set():
                return self._call(node, "_set", self._display(node, node.elts))
            case ast.Dict():
                return self._dictionary(node)
            case ast.Subscript():
                return self._call(node, "_index", self.rewrite(node.value), self._key(node.slice))
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call_once(node) if self._invariant(node) else self._function(node)
            case ast.GeneratorExp() | ast.ListComp():
                return self._call(node, "_row", self.stream(node))
            case ast.SetComp():
                return self._call(node, "_set", self.stream(node))
            case ast.DictComp():
                return self._call(node, "_dict", self.stream(node))
            case _:
                return self._operation(node)

    def _operation(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.BinOp():
                sign = ast.Constant(self._sign(node, node.op))
                sides = self.rewrite(node.left), self.rewrite(node.right)
                return self._call(node, "_binary", sign, *sides)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp():
                name = "_and" if isinstance(node.op, ast.And) else "_or"
                first, *later = map(self.rewrite, node.values)
                return self._call(node, name, first, *map(self._later, later))
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp():
                test = self.rewrite(node.test)
                then = self._later(self.rewrite(node.body))
                otherwise = self._later(self.rewrite(node.orelse))
                return self._call(node, "_choose", test, then, otherwise)
            case _:
                name = type(node).__name__
                raise Refusal(node, REFUSED.get(name, f"{name} is not part of the language"))

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr.startswith("_"):
            name = node.attr[:40]
            raise Refusal(node, f".{name} is not part of the language: names do not start with _")
        return self._call(node, "_attribute", self.rewrite(node.value), ast.Constant(node.attr))

    def stream(self, node: Comprehension) -> ast.GeneratorExp:
        """Return a comprehension as a generator; that of a dictionary yields pairs."""
        outer_bound = len(self._bound)
        outer_weight = self._weight
        loops: list[ast.comprehension] = []
        weights = []
        for loop in node.generators:
            if loop.is_async:
                raise Refusal(loop.target, "async is not part of the language")
            iterable = self.rewrite(loop.iter)
            if not loops:  # the first collection is evaluated once, outside the loops
                outer_weight = self._weight
                self._weight = 0
            weight = ast.Constant(1)
            weights.append(weight)
            self._bound += targets(loop.target)
            tests = [self._call(test, "_test", self.rewrite(test)) for test in loop.ifs]
            iteration = self._call(loop.iter, "_iterate", iterable, weight)
            loops.append(ast.comprehension(loop.target, iteration, tests, 0))
        if isinstance(node, ast.DictComp):
            pair = ast.Tuple([self.rewrite(node.key), self.rewrite(node.value)], LOAD)
            element: ast.expr = locate(pair, node.key)
        else:
            element = self.rewrite(node.elt)
        for weight in weights:
            weight.value = 1 + self._weight // 4
        self._weight = outer_weight
        del self._bound[outer_bound:]
        return locate(ast.GeneratorExp(element, loops), node)

    def expanded(self, node: ast.GeneratorExp, loops: Sequence[str]) -> ast.expr:
        """Return a comprehension over `_expand`, which runs the loops and yields their values."""
        stream = self.stream(node)
        values, targets = (tuple_of(loops, context, node) for context in CONTEXTS)
        turns = locate(ast.GeneratorExp(values, stream.generators), node)
        expansion = self._call(node, "_expand", self._later(turns))
        loop = ast.comprehension(targets, expansion, [], 0)
        return locate(ast.GeneratorExp(stream.elt, [loop]), node)

    def _call(self, node: ast.AST, function: str, *arguments: ast.expr) -> ast.expr:
        for argument in arguments:
            if "lineno" not in vars(argument):
                locate(argument, node)
        name = locate(ast.Name(function, LOAD), node)
        return locate(ast.Call(name, list(arguments), []), node)

    def _later(self, node: ast.expr) -> ast.expr:
        """Return the node as a function without arguments, which delays its evaluation."""
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        return locate(ast.Lambda(nothing, node), node)

    def _name(self, node: ast.Name) -> ast.expr:
        if node.id.startswith("_"):
            raise Refusal(node, "a name that starts with _ is not part of the language")
        if node.id not in self._bound:
            self.used[node.id] = None
            if node.id not in self.available:
                self.unknown.setdefault(node.id, node)
        return node

    def _display(self, node: ast.expr, elements: Iterable[ast.expr]) -> ast.expr:
        row = list(map(self.rewrite, elements))
        self._weight += len(row)
        return locate(ast.Tuple(row, LOAD), node)

    def _dictionary(self, node: ast.Dict) -> ast.expr:
        pairs: list[ast.expr] = []
        for key, value in zip(node.keys, node.values):
            if key is None:
                raise Refusal(value, "** is not part of the language")
            pairs.append(locate(ast.Tuple([key, value], LOAD), key))
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
        operands = (node.left, *node.comparators)
        for operation, left, right in zip(node.ops, operands, node.comparators):
            if type(operation) not in COMPARE:
                raise Refusal(node, REFUSED[type(operation).__name__])
            if isinstance(operation, ast.Eq | ast.NotEq):
                self._note_text(left, right)
                self._note_text(right, left)
        signs = [ast.Constant(COMPARE[type(operation)]) for operation in node.ops]
        first, *later = map(self.rewrite, operands)
        if len(signs) == 1:
            return self._call(node, "_compare", signs[0], first, *later)
        arguments = [first]
        for sign, side in zip(signs, later):
            arguments += [sign, self._later(side)]
        return self._call(node, "_chain", *arguments)

    def _note_text(self, side: ast.expr, text: ast.expr) -> None:
        """Note a text that is compared with an outside name or with what stands at its indexes."""
        if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
            return
        indexed = isinstance(side, ast.Subscript) and not isinstance(side.slice, ast.Slice)
        if indexed:
            assert isinstance(side, ast.Subscript)
            side = side.value
        if isinstance(side, ast.Name) and side.id not in self._bound:
            self.texts.append((side.id, indexed, text.value, text.col_offset))

    def _key(self, key: ast.expr) -> ast.expr:
        if isinstance(key, ast.Slice):
            ends = (key.lower, key.upper, key.step)
            values = (ast.Constant(None) if end is None else self.rewrite(end) for end in ends)
            return self._call(key, "_slice", *values)
        if isinstance(key, ast.Tuple):
            indexes = ast.Tuple(list(map(self._single_index, key.elts)), LOAD)
            return locate(indexes, key)
        return self._single_index(key)

    def _single_index(self, index: ast.expr) -> ast.expr:
        if isinstance(index, ast.Constant) and index.value is Ellipsis:
            return index
        return self.rewrite(index)

    # calls

    def _invariant(self, node: ast.Call) -> bool:
        """Return whether a call is repeated by a loop, but reads none of its variables."""
        if not self._bound:
            return False
        return names_in(node).isdisjoint(self._bound)

    def _call_once(self, node: ast.Call) -> ast.expr:
        self._calls += 1
        number = ast.Constant(self._calls)
        outer_bound = self._bound
        self._bound = []
        call = self._later(self._function(node))
        self._bound = outer_bound
        return self._call(node, "_once", ast.Name("_results", LOAD), number, call)

    def _function(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name | ast.Attribute):
            raise self._no_named_function(node)
        if isinstance(node.func, ast.Name) and node.func.id == "implies":
            operands = {str(word.arg): word.value for word in node.keywords}
            operands |= dict(zip("pq", node.args))
            if operands.keys() == {"p", "q"} and len(node.args) + len(node.keywords) == 2:
                return self._implies(node, operands["p"], operands["q"])
        match node:
            case ast.Call(ast.Attribute(group, "at"), [key, default], []) if _are_values(node.args):
                return self._call(node, "_at", *map(self.rewrite, (group, key, default)))
        words = [self._word(word) for word in node.keywords]
        if isinstance(node.func, ast.Name) and node.func.id not in self._bound:
            names = [word.arg for word in words if word.arg]
            mistake = self.misfit(node.func.id, len(node.args), names)
            if mistake is not None:
                raise Refusal(node, *mistake)
        arguments = [self.rewrite(node.func), *map(self._argument, node.args)]
        name = locate(ast.Name("_call", LOAD), node)
        return locate(ast.Call(name, arguments, words), node)

    def _no_named_function(self, node: ast.Call) -> Refusal:
        """Return the refusal of a call of something else than a name, such as `all(…)(…)`."""
        help = "a loop stands last: all(… for x in …)"
        match node.func:
            case ast.Call(func=ast.Name(id=name)) if name in self.available:
                help = ""
        return Refusal(node, "only a named function can be called", help)

    def _word(self, word: ast.keyword) -> ast.keyword:
        """Return a named argument of a call."""
        if word.arg is None:
            raise Refusal(word.value, "** is not part of the language")
        if word.arg.startswith("_"):
            raise Refusal(word.value, "a name that starts with _ is not part of the language")
        return locate(ast.keyword(word.arg, self._argument(word.value)), word)

    def _implies(self, node: ast.Call, premise: ast.expr, conclusion: ast.expr) -> ast.expr:
        """Return `implies(p, q)` as `not p or q`, which evaluates `q` only if `p` may hold."""
        self.rewrite(node.func)
        negated = self._call(node, "_not", self.rewrite(premise))
        return self._call(node, "_or", negated, self._later(self.rewrite(conclusion)))

    def _argument(self, node: ast.expr) -> ast.expr:
        """Return an argument. A generator stays one, so that functions may stop early."""
        return self.stream(node) if isinstance(node, ast.GeneratorExp) else self.rewrite(node)


def _are_values(arguments: Iterable[ast.expr]) -> bool:
    """Return whether none of the arguments is a loop, or stands for several arguments."""
    return not any(isinstance(each, ast.GeneratorExp | ast.Starred) for each in arguments)


def tuple_of(names: Sequence[str], context: ast.expr_context, around: ast.expr) -> ast.expr:
    """Return a tuple of names at the position of a node."""
    elements: list[ast.expr] = [locate(ast.Name(name, context), around) for name in names]
    return locate(ast.Tuple(elements, context), around)


def _constant(node: ast.Constant) -> ast.expr:
    value = node.value
    if value is Ellipsis:
        raise Refusal(node, "... is only allowed as a part of an index")
    if value is not None and not isinstance(value, str | bool | int):
        name = type(value).__name__
        raise Refusal(node, f"a {name} is not part of the language", "use whole numbers")
    if isinstance(value, int) and value > LITERAL_NUMBER:
        raise Refusal(node, "this number has more than 100 digits")
    return node
