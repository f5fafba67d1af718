"""The language: it reads types and specs from YAML, binds them, and runs rules as expressions.

No other package knows the language.
"""

from typing import TYPE_CHECKING

from puzzlekit.boards import Size
from puzzlekit.lang.binding import Spec, bind, data_of, no_spec, read_spec, watched
from puzzlekit.lang.discovery import language
from puzzlekit.lang.expressions.values import VariableArray
from puzzlekit.lang.instance import Instance
from puzzlekit.lang.puzzle_type import PuzzleType, ShowEntry
from puzzlekit.lang.rebinding import Likeness
from puzzlekit.lang.type_reader import cached_type, read_type, type_of_text
from puzzlekit.lang.value_nodes import settings_of_values, spec_of, spec_of_values, type_of_values
from puzzlekit.lazy_imports import door
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
    "cached_type",
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

if TYPE_CHECKING:
    from puzzlekit.lang.aliases import DataValue as DataValue
    from puzzlekit.lang.binding import spec_of_node as spec_of_node
    from puzzlekit.lang.data.board_text import ShapeType as ShapeType, board_lines as board_lines
    from puzzlekit.lang.data.collections import (
        BOARD_SIDE as BOARD_SIDE,
        HOLES as HOLES,
        GridOf as GridOf,
        ListOf as ListOf,
        MapOf as MapOf,
        TupleOf as TupleOf,
        pieces as pieces,
    )
    from puzzlekit.lang.data.scalars import (
        SELECTORS as SELECTORS,
        Choice as Choice,
        DataType as DataType,
        OptionalType as OptionalType,
        ReadContext as ReadContext,
        Scalar as Scalar,
        ScalarType as ScalarType,
        Union as Union,
        ValueNode as ValueNode,
        WrongValueError as WrongValueError,
        clusters as clusters,
        quoted as quoted,
    )
    from puzzlekit.lang.data.value_schema import (
        ANY_SCALAR as ANY_SCALAR,
        Schema as Schema,
        any_of as any_of,
        mapping_schema as mapping_schema,
    )
    from puzzlekit.lang.expressions import (
        Expression as Expression,
        compile_expression as compile_expression,
        error_in as error_in,
    )
    from puzzlekit.lang.expressions.draws import RandomChoices as RandomChoices
    from puzzlekit.lang.expressions.inference import TEXT as TEXT
    from puzzlekit.lang.expressions.interpreter import Interpreter as Interpreter
    from puzzlekit.lang.expressions.values import (
        Components as Components,
        ExpressionError as ExpressionError,
        MissingDataError as MissingDataError,
        Stacked as Stacked,
        ValueType as ValueType,
        all_of_one_type as all_of_one_type,
        display_text as display_text,
        is_row as is_row,
        value_type as value_type,
    )
    from puzzlekit.lang.functions.arithmetic import Aim as Aim
    from puzzlekit.lang.functions.connectivity import (
        fixed_arcs as fixed_arcs,
        spend_search as spend_search,
    )
    from puzzlekit.lang.functions.divisions import side_neighbours as side_neighbours
    from puzzlekit.lang.functions.drawing import DrawingFunctions as DrawingFunctions
    from puzzlekit.lang.library import Functions as Functions, Library as Library
    from puzzlekit.lang.making_section import (
        MakeSection as MakeSection,
        Preferences as Preferences,
        making_of as making_of,
    )
    from puzzlekit.lang.puzzle_type import (
        Definition as Definition,
        Field as Field,
        Picture as Picture,
        PictureLayer as PictureLayer,
        Rule as Rule,
        VariableDecl as VariableDecl,
    )
    from puzzlekit.lang.schema import (
        example_data as example_data,
        plain as plain,
        schema_line as schema_line,
        spec_schema as spec_schema,
        type_schema as type_schema,
    )
    from puzzlekit.lang.show_reader import ARROWS as ARROWS, SIGNS as SIGNS
    from puzzlekit.lang.type_reader import SPEC_KEYS as SPEC_KEYS, is_name as is_name
    from puzzlekit.lang.type_sections import (
        FollowUp as FollowUp,
        SectionReading as SectionReading,
        TypeSection as TypeSection,
        check_sections as check_sections,
        sections_of as sections_of,
    )
    from puzzlekit.lang.unused import (
        unused_fields as unused_fields,
        unused_unknowns as unused_unknowns,
        unused_values as unused_values,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "aliases": ("DataValue",),
            "binding": ("spec_of_node",),
            "data.board_text": ("ShapeType", "board_lines"),
            "data.collections": (
                "BOARD_SIDE",
                "GridOf",
                "HOLES",
                "ListOf",
                "MapOf",
                "TupleOf",
                "pieces",
            ),
            "data.scalars": (
                "Choice",
                "DataType",
                "OptionalType",
                "ReadContext",
                "SELECTORS",
                "Scalar",
                "ScalarType",
                "Union",
                "ValueNode",
                "WrongValueError",
                "clusters",
                "quoted",
            ),
            "data.value_schema": ("ANY_SCALAR", "Schema", "any_of", "mapping_schema"),
            "expressions": ("Expression", "compile_expression", "error_in"),
            "expressions.draws": ("RandomChoices",),
            "expressions.inference": ("TEXT",),
            "expressions.interpreter": ("Interpreter",),
            "expressions.values": (
                "Components",
                "ExpressionError",
                "MissingDataError",
                "Stacked",
                "ValueType",
                "all_of_one_type",
                "display_text",
                "is_row",
                "value_type",
            ),
            "functions.arithmetic": ("Aim",),
            "functions.connectivity": ("fixed_arcs", "spend_search"),
            "functions.divisions": ("side_neighbours",),
            "functions.drawing": ("DrawingFunctions",),
            "library": ("Functions", "Library"),
            "making_section": ("MakeSection", "Preferences", "making_of"),
            "puzzle_type": (
                "Definition",
                "Field",
                "Picture",
                "PictureLayer",
                "Rule",
                "VariableDecl",
            ),
            "schema": ("example_data", "plain", "schema_line", "spec_schema", "type_schema"),
            "show_reader": ("ARROWS", "SIGNS"),
            "type_reader": ("SPEC_KEYS", "is_name"),
            "type_sections": (
                "FollowUp",
                "SectionReading",
                "TypeSection",
                "check_sections",
                "sections_of",
            ),
            "unused": ("unused_fields", "unused_unknowns", "unused_values"),
        },
    )
