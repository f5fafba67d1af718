"""Formats of files for other solvers: one module and one line of this table each.

A format is declared as a backend is: by the forms of constraint that its files have. Its modules
are loaded when it is requested.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from puzzlekit.errors import InputError, nearest
from puzzlekit.lazy_imports import door

# name: (module, class)
FORMATS = {
    "dimacs": ("clause_formats", "Dimacs"),
    "wcnf": ("clause_formats", "Wcnf"),
    "opb": ("clause_formats", "Opb"),
    "lp": ("clause_formats", "Lp"),
    "smt2": ("clause_formats", "SmtLib"),
    "asp": ("answer_sets", "AnswerSets"),
    "xcc": ("coloured_cover", "ColouredCover"),
    "mzn": ("minizinc", "MiniZinc"),
}


def load_format(name: str) -> FileFormat:
    """Return the format with this name. Raises InputError for an unknown one."""
    if name not in FORMATS:
        raise InputError(f"unknown format {name}; {nearest(name, FORMATS)}")
    module_name, class_name = FORMATS[name]
    module = import_module(f"puzzlekit.exports.{module_name}")
    file_format: FileFormat = getattr(module, class_name)()
    return file_format


__all__ = ["FORMATS", "load_format"]

if TYPE_CHECKING:
    from puzzlekit.exports.file_format import (
        Claim as Claim,
        FileFormat as FileFormat,
        Header as Header,
        NameMap as NameMap,
        comments as comments,
        one_line as one_line,
        read_comments as read_comments,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "file_format": (
                "Claim",
                "FileFormat",
                "Header",
                "NameMap",
                "comments",
                "one_line",
                "read_comments",
            ),
        },
    )
