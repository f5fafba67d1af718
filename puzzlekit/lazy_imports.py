"""What packages export, imported only when it is used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module


def door(package: str, modules: Mapping[str, Iterable[str]]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package (PEP 562), which imports a name at its first use.

    Args:
        package: The name of the package.
        modules: The names that the package exports, by the module inside it that defines them.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def attribute(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes[name]}")
        exported: object = getattr(module, name)
        setattr(sys.modules[package], name, exported)
        return exported

    return attribute
