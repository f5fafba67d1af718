"""Other limits for a time. A limit is a constant of the module that uses it."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import puzzlekit

PACKAGE = Path(puzzlekit.__file__).parent


@cache  # it reads the whole package
def home(name: str) -> ModuleType:
    """The module that defines a constant. There must be one."""
    defined = re.compile(rf"^{name}(: \w+)? = ", re.MULTILINE)
    paths = [
        path for path in PACKAGE.rglob("*.py") if defined.search(path.read_text(encoding="utf-8"))
    ]
    assert len(paths) == 1, f"{name} is defined in {paths}"
    parts = paths[0].relative_to(PACKAGE.parent).with_suffix("").parts
    return import_module(".".join(parts).removesuffix(".__init__"))


@cache  # some tests replace a limit thousands of times
def holders(name: str, modules: int) -> list[ModuleType]:
    """The modules of the package that have a constant, or have imported it,
    of so many modules that are loaded.
    """
    return [
        module
        for path, module in [*sys.modules.items()]
        if path.startswith("puzzlekit") and name in vars(module)
    ]


def exchange(name: str, old: object, new: object) -> None:
    """Put a value in place of another one in all modules that have the constant,
    or have imported it.
    """
    for module in holders(name, len(sys.modules)):
        if vars(module)[name] is old:
            setattr(module, name, new)


@contextmanager
def replaced(**values: float) -> Iterator[None]:
    """Replace limits, by their names in lower case: `with replaced(tracked_combinations=4)`."""
    before = {name.upper(): getattr(home(name.upper()), name.upper()) for name in values}
    try:
        for name, value in values.items():
            exchange(name.upper(), before[name.upper()], value)
        yield
    finally:
        for name, value in values.items():
            exchange(name.upper(), value, before[name.upper()])
