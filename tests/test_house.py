"""Names are the field's nouns, and statements are short enough to be read at one go."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "puzzlekit").rglob("*.py"))
# Of the six together in a thousand identifiers: 15.6 when the words of names.txt had been replaced.
VAGUE = ("result", "item", "value", "data", "obj", "current")
VAGUE_PER_THOUSAND = 15.7
# AST nodes of a statement, without those of the statements inside; docstrings are not counted.
MEAN, MOST_COMMON, LARGEST = 8.0, 18, 60


def forbidden() -> dict[str, str]:
    lines = (ROOT / "tests" / "names.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(maxsplit=1) for line in lines if not line.startswith("#"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def identifiers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each identifier that the code defines or uses.

    Keyword arguments are left out: their functions have the parameters.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Attribute() if is_of_numpy(node):
                continue
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.MatchStar(name=str(name)) | ast.MatchAs(name=str(name)):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)):
                yield node.lineno, name
            case ast.alias(name=name, asname=alias):
                yield node.lineno, alias or name.rsplit(".", 1)[-1]


def is_of_numpy(node: ast.Attribute) -> bool:
    """Return whether an attribute is one of numpy's, such as `np.maximum.at` or `dtype.kind`."""
    match node.value:
        case ast.Attribute(attr="dtype") | ast.Attribute(value=ast.Name(id="np")):
            return True
        case _:
            return False


def language_words(tree: ast.Module) -> set[str]:
    """Return the names of functions of the language and of their arguments, which users write."""
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(
            "Functions" in ast.unparse(b) for b in node.bases
        ):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    words |= {method.name, *(argument.arg for argument in method.args.args)}
    return words


def test_no_forbidden_name() -> None:
    words = forbidden()
    uses = []
    for path in SOURCES:
        allowed = language_words(parsed(path))
        for line, name in identifiers(parsed(path)):
            if name in words and name not in allowed:
                uses.append(f"{path.relative_to(ROOT)}:{line}: {name}: write {words[name]}")
    assert uses == []


def test_left_is_a_side() -> None:
    """`left` alone may mean what remains; beside `right` it is a side."""
    alone = []
    for path in SOURCES:
        names = {name for _, name in identifiers(parsed(path))} - language_words(parsed(path))
        if "left" in names and not names & {"right", "top"}:
            alone.append(str(path.relative_to(ROOT)))
    assert alone == [], "write remaining"


def test_nouns_were_not_replaced_by_vague_words() -> None:
    counts = Counter(name for path in SOURCES for _, name in identifiers(parsed(path)))
    assert 1000 * sum(counts[word] for word in VAGUE) <= VAGUE_PER_THOUSAND * counts.total()


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield each statement inside a function, without docstrings."""
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inside = {
        node
        for function in functions
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt)
    }
    for node in inside:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case _:
                yield node


def size(node: ast.AST) -> int:
    """Return the number of nodes of a statement, without those of statements inside."""
    children = (
        child
        for child in ast.iter_child_nodes(node)
        if not isinstance(child, ast.stmt | ast.expr_context)
    )
    return 1 + sum(size(child) for child in children)


def test_statements_are_short() -> None:
    """Long lines are wrapped by the formatter; long thoughts are not."""
    sizes = {
        f"{path.relative_to(ROOT)}:{statement.lineno}": size(statement)
        for path in SOURCES
        for statement in statements(parsed(path))
    }
    ordered = sorted(sizes.values())
    too_large = [where for where, nodes in sizes.items() if nodes > LARGEST]
    assert too_large == []
    assert ordered[len(ordered) * 95 // 100] <= MOST_COMMON
    assert sum(ordered) / len(ordered) <= MEAN
