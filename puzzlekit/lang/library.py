"""The interface of libraries, which add to the core language.

`docs/libraries.md` shows how to write one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol

from yaml.nodes import ScalarNode

from puzzlekit.dataclass import dataclass
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
INT_HELP = (
    "between(1, 9) has the values 1 to 9; number('12') reads a text as a number; a condition "
    "counts as 0 or 1 in a sum"
)
REPLACEMENTS = {  # what other languages call something, and what to write instead
    "true": "write True",
    "false": "write False",
    "null": "write None",
    "none": "write None",
    "int": INT_HELP,
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
        text_name: What messages call such a text, such as `a shared result`.
        field: The type of the field whose value it gives, as types write it. The first field of
            this type takes the value.
        field_name: What messages call a field of this type.
    """

    text_name: str
    field: str
    field_name: str

    def is_written(self, text: str) -> bool:
        """Return whether the text is in this notation.

        Not called for a text in which a line begins with `puzzle:`, as that is YAML.
        """

    def value(self, source: SourceFile) -> ScalarNode:
        """Return the node that the field reads."""

    def title(self, source: SourceFile) -> ScalarNode | None:
        """Return the title of the spec; None if the text has none."""


class Functions:
    """Functions of the language: each public method is one, under the name of the method.

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
        names: set[str] = set()
        for base in cls.__mro__:
            if issubclass(base, Functions) and base is not Functions:
                attributes = vars(base).items()
                names.update(name for name, attribute in attributes if callable(attribute))
        return sorted(name for name in names if not name.startswith("_"))


@dataclass(frozen=True)
class Library:
    """Functions, constants, and types of data and value that types may use.

    Args:
        name: Its name under `libraries:`.
        functions: Classes of functions; each public method is one, under the name of the method.
        drawing_functions: Classes of functions that choose at random, which only `make` has.
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
    drawing_functions: Sequence[type[Functions]] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)
    data_types: Mapping[str, DataType] = field(default_factory=dict)
    value_types: Sequence[ValueType] = ()
    notations: Sequence[SpecNotation] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        expected = "expected a text, or a list or a mapping of texts, as a spec says it"
        for name, data_type in self.data_types.items():
            example = data_type.example
            if example is not None and not _is_written(example):
                raise TypeError(f"the example of {name}: {expected}, got {example!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """The names that expressions may use."""
        functions = [name for group in self.functions for name in group.names()]
        return (*self.constants, *functions)

    def for_drawing(self) -> Library:
        """Return the library with its functions that choose at random among the others."""
        functions = (*self.functions, *self.drawing_functions)
        return replace(self, functions=functions, drawing_functions=())

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

    Attributes:
        constants: The values of names.
        names: The names of constants and functions.
        data_types: The types of data by name.
        lost: A text about libraries that could not be loaded; empty without one.
    """

    def __init__(
        self,
        libraries: Sequence[Library],
        others: Iterable[Library] = (),
        broken: Mapping[str, str] | None = None,
        incomplete: bool = False,
    ) -> None:
        self.incomplete = incomplete
        self.libraries = libraries
        self.others = tuple(others)
        failures = (broken or {}).items()
        self.lost = "; ".join(
            f"the library {name} is not loaded: {reason}" for name, reason in failures
        )
        self._owners = _owners(libraries, [library.names for library in libraries])
        self._type_owners = _owners(libraries, [library.data_types for library in libraries])
        self.names = frozenset(_with_one_owner(self._owners))
        type_names = _with_one_owner(self._type_owners)
        # classes of functions, each with the names of those of its functions that are not ambiguous
        self._groups: list[tuple[type[Functions], frozenset[str]]] = []
        self.constants: dict[str, Any] = {}
        self.data_types: dict[str, DataType] = {}
        for library in libraries:
            for group in library.functions:
                self._groups.append((group, self.names.intersection(group.names())))
            for name, constant in library.constants.items():
                if name in self.names:
                    self.constants[name] = constant
            for name, data_type in library.data_types.items():
                if name in type_names:
                    self.data_types[name] = data_type
        self._misfits: dict[tuple[str, int, frozenset[str]], tuple[str, str] | None] = {}

    @property
    def functions(self) -> list[str]:
        """The names of the functions."""
        return sorted(self.names - self.constants.keys())

    def bound(self, interpreter: Interpreter) -> dict[str, Any]:
        """Return the constants, and the functions bound to a run of expressions, by name."""
        scope = dict(self.constants)
        for group, names in self._groups:
            functions = group(interpreter)
            scope |= {name: getattr(functions, name) for name in names}
        return scope

    def misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None:
        """Return what is wrong with the number or the names of the arguments of a call.

        Args:
            name: The name of the function.
            count: The number of positional arguments.
            words: The names of the other arguments.

        Returns:
            The message and the help; None if the arguments fit.
        """
        call = name, count, frozenset(words)
        if call not in self._misfits:  # types call few functions, and often
            self._misfits[call] = self._misfit(name, count, words)
        return self._misfits[call]

    def _misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None:
        for group, names in self._groups:
            if name in names:
                method = getattr(object.__new__(group), name)
                return misfit(method, count, words)
        return None

    def unknown(self, name: str, visible: Iterable[str]) -> tuple[str, str]:
        """Return the message and the help for a name in an expression that is not `visible`."""
        message = f"{name} is not known here"
        if name in REPLACEMENTS:
            return message, REPLACEMENTS[name]
        if cell := CELL.fullmatch(name):
            return message, f"write cell({cell[1]}, {cell[2]})"
        candidates = sorted(filter(str.isascii, visible))
        of_type = [candidate for candidate in candidates if candidate not in self.names]
        of_language = [candidate for candidate in candidates if candidate in self.names]
        help = nearest(name, of_type + of_language, of_type, "the functions of the language")
        definers = [library.name for library in self.others if name in library.names]
        return self._unknown(name, message, help, self._owners, definers)

    def unknown_type(self, name: str, message: str, help: str) -> tuple[str, str]:
        """Return the message and the help for an unknown type of data, from the usual ones."""
        definers = [library.name for library in self.others if name in library.data_types]
        return self._unknown(name, message, help, self._type_owners, definers)

    def _unknown(
        self,
        name: str,
        message: str,
        help: str,
        owners: Mapping[str, Sequence[Library]],
        definers: Sequence[str],
    ) -> tuple[str, str]:
        """Return the message and the help for an unknown name.

        Args:
            name: The name.
            message: The usual message.
            help: The usual help.
            owners: The libraries of the language that define each name.
            definers: The names of other libraries that define this one.
        """
        sharing = owners.get(name, ())
        if len(sharing) > 1:
            rivals = sharing[1:]
            remaining = [library for library in self.libraries[1:] if library not in rivals]
            chosen = ", ".join(sorted(library.name for library in remaining))
            several = " and ".join(library.name for library in sharing)
            help = f"libraries: [{chosen}] chooses that of {sharing[0].name}"
            return f"several libraries define {name}: {several}", help
        if definers:
            return message, f"the library {definers[0]} defines it: add it to libraries:"
        return message, "; ".join(filter(None, (help, self.lost)))


class NamesOfType:
    """The names of the language, with help on the names that the type declares elsewhere.

    Args:
        language: The language.
        declarations: Where the type declares each of its names: the line and the section.
        declared: The names that are declared so far.
    """

    def __init__(
        self,
        language: Language,
        declarations: Mapping[str, tuple[str, str]],
        declared: Collection[str],
    ) -> None:
        self.constants = language.constants
        self.lost = language.lost
        self.incomplete = language.incomplete
        self._language = language
        self._declarations = declarations
        self._declared = declared

    def misfit(self, name: str, count: int, words: Iterable[str]) -> tuple[str, str] | None:
        if name not in self._declared or name not in self._language.names:
            return self._language.misfit(name, count, words)
        line, section = self._declarations[name]
        help = f"{name} in {line}, under {section}, hides the function: give it another name"
        return f"{name} is not a function here", help

    def unknown(self, name: str, visible: Iterable[str]) -> tuple[str, str]:
        if name not in self._declarations:
            return self._language.unknown(name, visible)
        line, section = self._declarations[name]
        help = f"it is declared in {line}, under {section}: {DECLARING[section]}"
        return f"{name} is not known here", help


def _is_written(value: Any) -> bool:
    """Return whether a value has the form of one in a spec whose scalars are texts."""
    if isinstance(value, Mapping):
        texts = all(isinstance(key, str) for key in value)
        return texts and all(map(_is_written, value.values()))
    if isinstance(value, list):
        return all(map(_is_written, value))
    return isinstance(value, str)


def _owners(
    libraries: Sequence[Library], names: Sequence[Iterable[str]]
) -> dict[str, list[Library]]:
    """Return the libraries that define each name."""
    owners: dict[str, list[Library]] = {}
    for library, names_of_library in zip(libraries, names):
        for name in names_of_library:
            owners.setdefault(name, []).append(library)
    return owners


def _with_one_owner(owners: Mapping[str, Sequence[Library]]) -> set[str]:
    """Return the names that one library alone defines."""
    return {name for name, libraries in owners.items() if len(libraries) == 1}
