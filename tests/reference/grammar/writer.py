"""Writes random expressions: templates whose holes, `<int>` or `<ints=3>`,
are filled by other templates.

A hole names a kind of value. `int`, `cond`, `letter` and `mark` may depend on unknowns; `kint` and
the like are known. A row of them is `ints`, of so many `ints=n` (the same letter n is the same
number within a template), of none too `ints0`.
"""

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

HOLE = re.compile(r"<(\w+?)(0?)(?:=(\w+))?>")
Templates = dict[str, list[str]]
ITEMS = {"ints": "int", "conds": "cond", "letters": "letter", "marks": "mark"}
SOLID = {"listed": "int", "spelled": "letter"}  # rows, written as such
KNOWN = {"int": "kint", "cond": "kcond", "letter": "kletter", "mark": "kmark"}


@dataclass(frozen=True)
class VariableArray:
    """Unknowns of one name; the keys are texts, `0` or `0, 1`."""

    name: str
    kind: str
    keys: tuple[str, ...]
    declaration: str
    domain: str
    values: int
    section: str = "variables"

    @property
    def arity(self) -> int:
        return self.declaration.count(",") + 1 if "[" in self.declaration else 0


@dataclass(frozen=True)
class Name:
    """A loop variable; with its values, as texts, where it is known."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


@dataclass
class Writer:
    source: Random
    templates: Templates
    families: list[VariableArray] = field(default_factory=list)
    names: list[Name] = field(default_factory=list)
    forced: str = ""  # the form of the next row
    fresh: int = 0

    # holes

    def fill(self, template: str, depth: int) -> str:
        """A template with its holes filled."""
        lengths: dict[str, int] = {}

        def filled(hole: re.Match[str]) -> str:
            kind, none, length = hole.groups()
            if kind in ITEMS:
                return self.row(ITEMS[kind], self._length(length, lengths, bool(none)), depth)
            if kind in SOLID:
                return self.solid(SOLID[kind], self._length(length, lengths, False), depth)
            if kind.startswith("k") and kind[1:] in ITEMS:
                return self.known_row(ITEMS[kind[1:]], self._length(length, lengths, bool(none)))
            if kind == "len":
                return str(self._length(length, lengths, False))
            return self.value(kind, depth)

        return HOLE.sub(filled, template)

    def _length(self, length: str | None, lengths: dict[str, int], none: bool) -> int:
        if length is None:
            return self.source.randint(0 if none and self.source.random() < 0.2 else 1, 4)
        return (
            int(length)
            if length.isdigit()
            else lengths.setdefault(length, self.source.randint(1, 4))
        )

    def value(self, kind: str, depth: int) -> str:
        """A value of this kind."""
        simple = self.atoms(kind)
        if (depth <= 0 or self.source.random() < 0.25) and simple:
            return self.source.choice(simple)()
        options = self.templates.get(kind, [])
        if not options:
            return self.source.choice(simple)()
        return self.fill(self.source.choice(options), depth - 1)

    # the least of expressions

    def atoms(self, kind: str) -> list[Callable[[], str]]:
        found: list[Callable[[], str]] = []
        wanted = kind.removeprefix("k")
        for name in self.names:
            if name.kind == wanted and (name.values or wanted == kind):
                found += [lambda name=name: name.name] * 3
        if kind == "index":
            found += [
                lambda f=f: self.member(f)
                for f in self.families
                if f.kind == "int" and (f.keys or not f.arity)
            ]
            return found or [lambda: "0"]
        if wanted == kind:
            found += [
                lambda f=f: self.member(f)
                for f in self.families
                if f.kind == kind and (f.keys or not f.arity)
            ] * 6
        found += [
            lambda text=text: self.fill(text, 0)
            for text in self.templates.get(f"plain {wanted}", [])
        ]
        return found

    def member(self, family: VariableArray) -> str:
        """One of a family's unknowns."""
        if family.arity == 0:
            return family.name
        key = self.source.choice(family.keys)
        parts = key.split(", ") if family.arity > 1 else [key]
        column = [
            sorted({k.split(", ")[i] for k in family.keys}) if family.arity > 1 else family.keys
            for i in range(len(parts))
        ]
        for i in range(len(parts)):
            fitting = [n.name for n in self.names if n.values and set(n.values) <= set(column[i])]
            if fitting and self.source.random() < 0.7:
                parts[i] = self.source.choice(fitting)
        if self.source.random() < 0.2:
            i = self.source.randrange(len(parts))
            kind = "int" if parts[i].isdigit() else "letter" if parts[i].startswith("'") else ""
            unknown = [f for f in self.families if f.kind == kind and f.arity == 0] or [
                f for f in self.families if f.kind == kind and f.keys
            ]
            if unknown:
                index = self.source.choice(unknown)
                inner = (
                    index.name
                    if index.arity == 0
                    else f"{index.name}[{self.source.choice(index.keys)}]"
                )
                shift = self.source.choice(["", "", "", " - 1", " + 1"]) if kind == "int" else ""
                parts[i] = inner + shift
        return f"{family.name}[{', '.join(parts)}]"

    # rows

    def row(self, item: str, length: int, depth: int) -> str:
        """A row of so many, in one of the forms that a row has."""
        forms = dict(self._forms(item, length, max(depth, 0)))
        wanted, self.forced = self.forced, ""
        if wanted in forms:
            return forms[wanted]()
        shallow = [
            form for form in ("display", "family", "loop", "indexed", "known") if form in forms
        ]
        return forms[self.source.choice(list(forms) if depth > 0 else shallow)]()

    def _forms(self, item: str, n: int, depth: int) -> Iterator[tuple[str, Callable[[], str]]]:
        value = lambda: self.value(item, depth - 1)  # noqa: E731
        yield "display", lambda: self.display([value() for _ in range(n)])
        yield "loop", lambda: "(" + self.loop(item, n, depth) + ")"
        yield "list", lambda: "[" + self.loop(item, n, depth) + "]"
        yield "known", lambda: self.known_row(item, n)
        whole = [f for f in self.families if f.kind == item and len(f.keys) == n and f.arity]
        if whole:
            yield "family", lambda: self.source.choice(whole).name
        several = [
            f
            for f in self.families
            if f.kind == item and f.arity == 1 and f.keys and f.keys[0].isdigit()
        ]
        if several:
            yield "indexed", lambda: self._indexed(self.source.choice(several), n)
        part = [
            f for f in self.families if f.kind == item and f.arity == 2 and len(f.keys) == n * n
        ]
        if part:
            yield (
                "part",
                lambda: self.source.choice(["{0}[{1}, ...]", "{0}[..., {1}]"]).format(
                    part[0].name, self.source.randrange(n)
                ),
            )
        yield "slice", lambda: self._slice(item, n, depth)
        if n:
            cut = self.source.randint(0, n)
            yield (
                "joined",
                lambda: f"({self.solid(item, cut, depth)} + {self.solid(item, n - cut, depth)})",
            )
            yield (
                "repeated",
                lambda: (
                    f"([{value()}] * {n})" if self.source.random() < 0.7 else f"({n} * [{value()}])"
                ),
            )
        yield (
            "choice",
            lambda: (
                f"({self.solid(item, n, depth)} if {self.value('cond', depth - 1)} else "
                f"{self.solid(item, n, depth)})"
            ),
        )
        yield "reversed", lambda: f"reversed({self.row(item, n, depth - 1)})"
        yield "first", lambda: f"first(({self.solid(item, n, depth)}, {self.known_row(item, n)}))"
        yield "over items", lambda: self._over_items(item, n, depth)

    def solid(self, item: str, n: int, depth: int) -> str:
        """A row that is none of the things that only meet rows: no family,
        text or loop without brackets.
        """
        while True:
            text = self.row(item, n, depth - 1)
            body = ast.parse(text, mode="eval").body
            if not isinstance(body, ast.Name | ast.Constant | ast.GeneratorExp):
                return text

    def display(self, items: list[str]) -> str:
        if not items:
            return self.source.choice(["()", "[]"])
        joined = ", ".join(items)
        return (
            f"[{joined}]"
            if self.source.random() < 0.5
            else f"({joined},)"
            if len(items) == 1
            else f"({joined})"
        )

    def known_row(self, item: str, n: int) -> str:
        """A row of the data, or written down."""
        if item == "letter" and self.source.random() < 0.4:
            return repr("".join(self.source.choice("abc") for _ in range(n)))
        return self.display([self.value(KNOWN[item], 0) for _ in range(n)])

    def _indexed(self, family: VariableArray, n: int) -> str:
        if family.keys[:n] == tuple(map(str, range(n))) and self.source.random() < 0.5:
            return f"{family.name}[range({n})]"
        return f"{family.name}[{self.display([self.source.choice(family.keys) for _ in range(n)])}]"

    def _slice(self, item: str, n: int, depth: int) -> str:
        more = self.source.randint(0, 1)
        longer = lambda extra: self.solid(item, n + extra, depth)  # noqa: E731
        match self.source.randrange(6):
            case 0:
                return f"{longer(more)}[{more}:]"
            case 1:
                return f"{longer(1)}[:-1]"
            case 2:
                return f"{longer(0)}[::-1]"
            case 3 if n:
                return f"{longer(2)}[1:{n + 1}]"
            case 4 if n:
                return f"{self.solid(item, 2 * n, depth)}[::2]"
        return f"{longer(more)}[:{n}]"

    # loops

    @contextmanager
    def bound(self, *names: Name) -> Iterator[None]:
        """These stand inside a loop."""
        self.names += names
        yield
        del self.names[-len(names) :]

    def new(self) -> str:
        self.fresh += 1
        return f"{'ijklmnopqr'[self.fresh % 10]}{self.fresh}"

    def loop(self, item: str, n: int, depth: int) -> str:
        """`… for … in …` of so many turns over what is known."""
        name = self.new()
        start = self.source.randint(0, 1)
        numbers = [str(start + i) for i in range(n)]
        over = f"range({start}, {start + n})" if start else f"range({n})"
        match self.source.randrange(5):
            case 0 if n:
                left_out = self.source.randint(0, n)
                numbers = [str(i) for i in range(n + 1) if i != left_out]
                over = f"range({n + 1}) if {name} != {left_out}"
            case 1 if n:
                over = f"({', '.join(numbers)},)"
            case 2 if n == 2 or n == 4:
                other = self.new()
                half = tuple(map(str, range(n // 2)))
                with self.bound(Name(name, "int", ("0", "1")), Name(other, "int", half)):
                    return (
                        f"{self.value(item, depth - 1)} for {name} in range(2) "
                        f"for {other} in range({len(half)})"
                    )
            case 3 if 0 < n <= 3:
                letters = "abc"[:n]
                with self.bound(Name(name, "letter", tuple(map(repr, letters)))):
                    return f"{self.value(item, depth - 1)} for {name} in {letters!r}"
        with self.bound(Name(name, "int", tuple(numbers))):
            return f"{self.value(item, depth - 1)} for {name} in {over}"

    def _over_items(self, item: str, n: int, depth: int) -> str:
        """A loop over values, of unknowns too."""
        kind = self.source.choice(["int", "letter", item])
        name, other = self.new(), self.new()
        items = self.row(kind, n, depth - 1)
        match self.source.randrange(3):
            case 0:
                second = self.row("int", n, depth - 1)
                with self.bound(Name(name, kind), Name(other, "int")):
                    return (
                        f"[{self.value(item, depth - 1)} for {name}, {other} in zip({items}, "
                        f"{second})]"
                    )
            case 1:
                with self.bound(Name(name, "int", tuple(map(str, range(n)))), Name(other, kind)):
                    return (
                        f"[{self.value(item, depth - 1)} for {name}, {other} in enumerate({items})]"
                    )
        with self.bound(Name(name, kind)):
            return f"[{self.value(item, depth - 1)} for {name} in {items}]"
