"""Compiled expressions of the types that ship, from one process to the next.

They are in `__pycache__` beside the types, as Python caches the modules of this package: who can
write there can also change the modules. A cache is used if it was written by this Python, for this
text and for these modules of the compiler. It is written as a whole or not at all, and not where
Python writes no caches. Where only compiled modules are, as in a web page, there is none.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Set as AbstractSet
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from threading import get_ident
from types import CodeType
from typing import NamedTuple

HASH_BYTES = 8
COMPILERS = ("__init__.py", "whitelist.py", "code_cache.py")  # in this folder


class CompiledExpression(NamedTuple):
    """What is stored of an expression: attributes of `Expression`, and its code."""

    loops: tuple[str, ...] | None
    loop_names: frozenset[str]
    over: str
    read: tuple[str, ...]
    texts: tuple[tuple[str, bool, str, int], ...]
    code: CodeType


class CodeCache:
    """The expressions of one type, by their text and whether their loops are split off.

    Args:
        path: The file of the type.
        text: Its text.
    """

    def __init__(self, path: Path, text: str) -> None:
        self._file = Path(cache_from_source(str(path.absolute()))).with_suffix(".code")
        self._key = MAGIC_NUMBER + source_hash(text.encode()) + _compiler_hash()
        self._stored: dict[tuple[str, bool], CompiledExpression] = {}
        # those that are not stored, whose code is compiled when they are
        self._added: dict[tuple[str, bool], Callable[[], CompiledExpression]] = {}
        with suppress(OSError, ValueError, EOFError, TypeError):
            self._read(self._file.read_bytes())

    def _read(self, content: bytes) -> None:
        """Take the expressions in the content of a cache, unless it is for something else."""
        start = len(self._key) + HASH_BYTES
        stored = content[start:]
        if content[:start] == self._key + source_hash(stored):
            for key, fields in marshal.loads(stored):
                self._stored[key] = CompiledExpression(*fields)

    def find(
        self, text: str, split_loops: bool, available: AbstractSet[str]
    ) -> CompiledExpression | None:
        """Return a stored expression that reads only available names; else None."""
        expression = self._stored.get((text, split_loops))
        if expression is None or not available >= set(expression.read):
            return None
        return expression

    def add(
        self, text: str, split_loops: bool, expression: Callable[[], CompiledExpression]
    ) -> None:
        """Store an expression with the next `write`."""
        self._added[text, split_loops] = expression

    def write(self) -> None:
        """Write the cache anew if there are more expressions, and if that is possible."""
        if not self._added or sys.dont_write_bytecode:
            return
        for key, expression in self._added.items():
            self._stored[key] = expression()
        pairs = []
        for key, fields in self._stored.items():
            pairs.append((key, tuple(fields)))
        stored = marshal.dumps(pairs)
        writer = f"{os.getpid()}-{get_ident()}"
        unfinished = self._file.with_suffix(f".{writer}")
        with suppress(OSError):
            self._file.parent.mkdir(exist_ok=True)
            try:
                unfinished.write_bytes(self._key + source_hash(stored) + stored)
                unfinished.replace(self._file)
            finally:
                unfinished.unlink(missing_ok=True)


def is_checkable() -> bool:
    """Return whether the sources of the compiler are here: without them no cache can be checked."""
    return all(path.is_file() for path in _compilers())


def _compilers() -> list[Path]:
    """Return the modules whose code a cached expression depends on."""
    folder = Path(__file__).parent
    return [folder / name for name in COMPILERS]


def _compiler_hash() -> bytes:
    """Return a hash of the modules whose code a cached expression depends on."""
    sources = b""
    for path in _compilers():
        sources += path.read_bytes()
    return source_hash(sources)
