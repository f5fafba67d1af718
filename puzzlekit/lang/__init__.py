"""The language: it reads types and specs from YAML, binds them, and runs rules as expressions.

No other package knows the language.
"""

from puzzlekit.boards import Size
from puzzlekit.lang.binding import Spec, bind, data_of, no_spec, read_spec, watched
from puzzlekit.lang.discovery import language
from puzzlekit.lang.expressions.values import VariableArray
from puzzlekit.lang.instance import Instance
from puzzlekit.lang.puzzle_type import PuzzleType, ShowEntry
from puzzlekit.lang.rebinding import Likeness
from puzzlekit.lang.type_reader import read_type, type_of_text
from puzzlekit.lang.value_nodes import settings_of_values, spec_of, spec_of_values, type_of_values
from puzzlekit.reading import STDIN, read_bytes, read_stdin, read_text
from puzzlekit.yaml_nodes import spec_text

__all__ = [
    "STDIN",
    "Instance",
    "Likeness",
    "PuzzleType",
    "ShowEntry",
    "Size",
    "Spec",
    "VariableArray",
    "bind",
    "data_of",
    "language",
    "no_spec",
    "read_bytes",
    "read_spec",
    "read_stdin",
    "read_text",
    "read_type",
    "settings_of_values",
    "spec_of",
    "spec_of_values",
    "spec_text",
    "type_of_text",
    "type_of_values",
    "watched",
]
