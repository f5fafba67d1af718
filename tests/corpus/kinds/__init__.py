"""The converters, one module for each family of kinds. A new family needs a line here."""

from types import ModuleType

from tests.corpus.kinds import (
    latin,
    loops,
    numbers,
    objects,
    paths,
    regions,
    shading,
    shipped,
    sides,
    structures,
    sudoku,
)
from tests.corpus.notation import Kind

FAMILIES = (
    shipped,
    sudoku,
    sides,
    paths,
    latin,
    numbers,
    regions,
    shading,
    loops,
    objects,
    structures,
)


def kinds() -> dict[str, tuple[Kind, ModuleType]]:
    """Each kind by its name, with the module of its converter."""
    found: dict[str, tuple[Kind, ModuleType]] = {}
    for family in FAMILIES:
        for name, kind in family.KINDS.items():
            if name in found:
                raise ValueError(f"{name} is in {found[name][1].__name__} and in {family.__name__}")
            found[name] = kind, family
    return found
