"""The interface of libraries, which add to the core language.

`docs/libraries.md` shows how to write one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from yaml.nodes import ScalarNode

from puzzlekit.errors import nearest
from puzzlekit.lang.data.scalars import DataType, ScalarType, WrongValueError
from puzzlekit.lang.expressions.interpreter import Interpreter, misfit
from puzzlekit.lang.expressions.values import ExpressionError, ValueType, register
from puzzlekit.reading import reads
from puzzlekit.source import SourceFile

__all__ = [
    "DataType",
    "ExpressionError",
    "Functions",
    "Interpreter",
    "Language",
    "Library",
    "ScalarType",
    "SpecNotation",
    "ValueType",
    "WrongValueError",
    "reads",
]


CELL = re.compile(r"[rR](\d+)[cC](\d+)")  # as specs write it
CURES = {  # what other languages call something, and what to write instead
    "true": "write True",
    "false": "write False",
    "null": "write None",
    "none": "write None",
    "int": "between(1, 9) has the values 1 to 9; number('12') reads a text as a number; a condition counts as 0 or 1 in a sum",
    "list": "write [ ], or row(xs)",
    "tuple": "write ( ), or row(xs)",
    "set": "write { }",
    "xor": "write p != q",
    **dict.fromkeys(("forall", "for_all", "every"), "write all(… for x in …)"),
    **dict.fromkeys(("exists", "some"), "write any(… for x in …)"),
}


# the sections that declare names, and where these are not known
UNKNOWNS = "data, let, require, info and the domains of unknowns cannot use unknowns"
DECLARING = {
    "data": "an expression uses what is declared above it",
    "let": "data cannot use it, and a let uses those above it",
    "variables": UNKNOWNS,
    "auxiliary": UNKNOWNS,
    "define": "a definition uses those above it, and data, let and domains use none",
}


class SpecNotation(Protocol):
    """A way to write a spec other than YAML, such as a result that people share.

    Attributes:
        what: What messages call such a text.
        field: The type of the field whose value it gives, as types write it. The first field of
            this type takes the value.
        field_name: What messages call a field of this type.
    """

    text_name: str
    field: str
    field_name: str

    def is_written(self, text: str) -> bool:
        """Return whether the text is in this notation."""

    def value(self, source: SourceFile) -> ScalarNode:
        """Return the node that the field reads."""

    def title(self, source: SourceFile) -> ScalarNode | None:
        """Return the title of the spec; None if the text has none."""


class Functions:
    """Functions of the language: each public method is one, under its own name.

    Attributes:
        interpreter: The run of expressions that calls them. It counts steps and knows the kinds of
            unknowns.
        items: Returns the items of a collection as a row, as `interpreter.items` does.
    """

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.items: Callable[[Any], tuple[Any, ...]] = interpreter.items

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the functions."""
        own = (
            base for base in cls.__mro__ if issubclass(base, Functions) and base is not Functions
        )
        return sorted(
            {
                name
                for base in own
                for name, part in vars(base).items()
                if not name.startswith("_") and callable(part)
            }
        )


@dataclass(frozen=True)
class Library:
    """Functions, constants, and types of data and value that types may use.

    Args:
        name: Its name under `libraries:`.
        functions: Classes of functions; each public method is one, under its own name.
        constants: The values of names.
        data_types: The types that a field may have, by their name in a type.
        value_types: The types of value that its functions and fields return, besides plain ones.
        notations: Ways to write a spec other than YAML.
        options: The names of options that `bind` takes, each with the type of data that some field
            must have, or an empty text. Types of data find the options in `Reading.options`.

    Raises:
        TypeError: The example of a type of data is not what a spec says.

    Example:
        >>> class Dice(Functions):
        ...     def pips(self, die: Any) -> Any:
        ...         return self.interpreter.binary("-", 7, die)
        >>> Library("dice", functions=(Dice,)).names
        ('pips',)
    """

    name: str
    functions: Sequence[type[Functions]] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)
    data_types: Mapping[str, DataType] = field(default_factory=dict)
    value_types: Sequence[ValueType] = ()
    notations: Sequence[SpecNotation] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, kind in self.data_types.items():
            if kind.example is not None and not _is_written(kind.example):
                expected = "expected a text, or a list or a mapping of texts, as a spec says it"
                raise TypeError(f"the example of {name}: {expected}, got {kind.example!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """The names that expressions may use."""
        return (*self.constants, *(name for group in self.functions for name in group.names()))

    def register(self) -> None:
        """Register its types of value."""
        for value_type in self.value_types:
            register(value_type)


class Language:
    """The language of a type: the core and the libraries that the type uses.

    A name that several libraries define is unknown until `libraries:` chooses one of them.

    Args:
        libraries: The libraries, the core first.
        others: Other libraries that exist, for messages.
        broken: Why libraries could not be loaded, by entry point, for messages.
        incomplete: Whether a library that the type uses is missing, so that any name may be one of
            its names.
    """

    def __init__(
        self,
        libraries: Sequence[Library],
        others: Iterable[Library] = (),
        broken: Mapping[str, str] | None = None,
        incomplete: bool = False,
    ) -> None:
        self.incomplete = incomplete
        self._misfits: dict[tuple[str, int, frozenset[str]], tuple[str, str] | None] = {}
        self.libraries = libraries
        self.others = tuple(others)
        self.lost = "; ".join(
            f"the library {name} is not loaded: {why}" for name, why in (broken or {}).items()
        )
        self._owners = _owners(libraries, [library.names for library in libraries])
        self._type_owners = _owners(libraries, [library.data_types for library in libraries])
        names = {name for name, owners in self._owners.items() if len(owners) == 1}
        self._groups = [
            (group, names & set(group.names()))
            for library in libraries
            for group in library.functions
        ]
        self.constants = {
            k: v for library in libraries for k, v in library.constants.items() if k in names
        }
        self.names = frozenset(names)
        self.data_types = {
            name: kind
            for library in libraries
            for name, kind in library.data_types.items()
            if len(self._type_owners[name]) == 1
        }

    @property
    def functions(self) -> list[str]:
        """The names of the functions."""
        return sorted(self.names - self.constants.keys())

    def bound(self, interpreter: Interpreter) -> dict[str, Any]:
        """Return the constants, and the functions bound to a run of expressions, by name."""
        made = dict(self.constants)
        for group, names in self._groups:
            functions = group(interpreter)
            made |= {name: getattr(functions, name) for name in names}
        return made

    def misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None:
        """Return the message and the help for a call with the wrong number or names of arguments;
        None if they are right.
        """
        called = name, count, frozenset(words)
        if called not in self._misfits:  # types call few functions, and often
            group = next((group for group, names in self._groups if name in names), None)
            self._misfits[called] = (
                None
                if group is None
                else misfit(getattr(object.__new__(group), name), count, words)
            )
        return self._misfits[called]

    def unknown(self, name: str, known: Iterable[str]) -> tuple[str, str]:
        """Return the message and the help for a name in an expression that is not among `known`."""
        if name in CURES:
            return f"{name} is not known here", CURES[name]
        if cell := CELL.fullmatch(name):
            return f"{name} is not known here", f"write cell({cell[1]}, {cell[2]})"
        known = sorted(filter(str.isascii, known), key=lambda other: (other in self.names, other))
        help = nearest(
            name,
            known,
            [other for other in known if other not in self.names],
            "the functions of the language",
        )
        return self._unknown(
            name, f"{name} is not known here", help, self._owners, lambda lib: lib.names
        )

    def unknown_type(self, name: str, message: str, help: str) -> tuple[str, str]:
        """Return the message and the help for an unknown type of data, from the usual ones."""
        return self._unknown(
            name, message, help, self._type_owners, lambda library: library.data_types
        )

    def _unknown(
        self,
        name: str,
        message: str,
        help: str,
        owners: Mapping[str, Sequence[Library]],
        names_of: Any,
    ) -> tuple[str, str]:
        sharing = owners.get(name, ())
        if len(sharing) > 1:
            kept = sorted(
                library.name for library in self.libraries[1:] if library not in sharing[1:]
            )
            several = " and ".join(library.name for library in sharing)
            help = f"libraries: [{', '.join(kept)}] chooses that of {sharing[0].name}"
            return f"several libraries define {name}: {several}", help
        having = [library.name for library in self.others if name in names_of(library)]
        if having:
            return message, f"the library {having[0]} defines it: add it to libraries:"
        return message, "; ".join(filter(None, (help, self.lost)))


class NamesOfType:
    """The names of the language, with help on the names that the type declares elsewhere."""

    def __init__(
        self, language: Language, places: Mapping[str, tuple[str, str]], declared: Collection[str]
    ) -> None:
        self.constants = language.constants
        self.lost = language.lost
        self.incomplete = language.incomplete
        self._language = language
        self._places = places
        self._declared = declared  # so far

    def misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None:
        if name not in self._declared or name not in self._language.names:
            return self._language.misfit(name, count, words)
        line, section = self._places[name]
        help = f"{name} in {line}, under {section}, hides the function: give it another name"
        return f"{name} is not a function here", help

    def unknown(self, name: str, known: Iterable[str]) -> tuple[str, str]:
        if name not in self._places:
            return self._language.unknown(name, known)
        line, section = self._places[name]
        return (
            f"{name} is not known here",
            f"it is declared in {line}, under {section}: {DECLARING[section]}",
        )


def _is_written(value: Any) -> bool:
    """Return whether a value has the form of one in a spec whose scalars are texts."""
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _is_written(part) for key, part in value.items())
    return isinstance(value, str) or (isinstance(value, list) and all(map(_is_written, value)))


def _owners(
    libraries: Sequence[Library], names: Sequence[Iterable[str]]
) -> dict[str, list[Library]]:
    """Return the libraries that define each name."""
    owners: dict[str, list[Library]] = {}
    for library, own in zip(libraries, names):
        for name in own:
            owners.setdefault(name, []).append(library)
    return owners
