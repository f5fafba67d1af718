from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.making.by_rules import (
        PuzzleNumber as PuzzleNumber,
        RuleGenerator as RuleGenerator,
        command_of as command_of,
    )
    from puzzlekit.making.clues import InterdependentClues as InterdependentClues
    from puzzlekit.making.fields import Base as Base, base_of as base_of
    from puzzlekit.making.generators import (
        COMMON as COMMON,
        GeneratedSpec as GeneratedSpec,
        Generator as Generator,
        Parameter as Parameter,
        Tools as Tools,
        has_page as has_page,
        load_generator as load_generator,
        load_page as load_page,
        positive as positive,
    )
    from puzzlekit.making.leveller import levels as levels
    from puzzlekit.making.ordering import (
        base_puzzle as base_puzzle,
        generate as generate,
        order as order,
    )
    from puzzlekit.making.rows import Order as Order, write_rows as write_rows
else:
    __getattr__ = door(
        __name__,
        {
            "by_rules": ("PuzzleNumber", "RuleGenerator", "command_of"),
            "clues": ("InterdependentClues",),
            "fields": ("Base", "base_of"),
            "generators": (
                "COMMON",
                "GeneratedSpec",
                "Generator",
                "Parameter",
                "Tools",
                "has_page",
                "load_generator",
                "load_page",
                "positive",
            ),
            "leveller": ("levels",),
            "ordering": ("base_puzzle", "generate", "order"),
            "rows": ("Order", "write_rows"),
        },
    )
