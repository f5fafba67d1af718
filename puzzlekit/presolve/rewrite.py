"""Terms with some of their parts exchanged for others."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, cast

from puzzlekit.model import Term, Variable


def rewrite(term: Term, change: Callable[[Term], Term | None]) -> Term:
    """The term with `change(part)` in place of each part for which it gives a term, from the outside in."""
    changed = change(term)
    if changed is not None:
        return changed
    if isinstance(term, Variable) or not any(True for _ in term.parts()):
        return term
    parts = {f.name: getattr(term, f.name) for f in fields(cast(Any, term))}
    new = {name: _inside(part, change) for name, part in parts.items()}
    return term if all(new[name] is parts[name] for name in parts) else replace(cast(Any, term), **new)


def _inside(item: Any, change: Callable[[Term], Term | None]) -> Any:
    if isinstance(item, Term):
        return rewrite(item, change)
    if type(item) is tuple:
        new = tuple(_inside(part, change) for part in item)
        return item if all(a is b for a, b in zip(new, item)) else new
    return item


def substitute(term: Term, others: Mapping[Term, Term]) -> Term:
    """The term with each key of `others` exchanged for its value."""
    return rewrite(term, others.get)
