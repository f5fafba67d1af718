"""Options that commands and the API share, each stated once, in groups that are frozen dataclasses.

The `Option` of a field describes it for command lines. `QueryOptions` in `query.py` is such a
group, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any

from puzzlekit.dataclass import dataclass


@dataclass(frozen=True)
class Option:
    """The description of a field for command lines, as metadata of its `Annotated` type.

    Attributes:
        help: What it does.
        metavar: What stands for its value; empty for a flag.
        name: Its name on the command line; empty for that of the field.
        least: The least number that it accepts.
        completes: The function of `cli/completion.py` whose values the shell offers.
    """

    help: str
    metavar: str = ""
    name: str = ""
    least: float | None = None
    completes: str = ""


Backend = Annotated[str, Option("the backend to use", "NAME|auto", completes="backends")]
IgnoreSymbols = Annotated[bool, Option("read a link without the symbols that no field stands for")]
MaxEvaluations = Annotated[
    int | None, Option("refuse rules that take more than N evaluations", "N", least=1)
]
Timeout = Annotated[float | None, Option("stop after S seconds", "S", least=0.0)]


@dataclass(frozen=True)
class LoadOptions:
    """How a puzzle is loaded, as `puzzlekit.load` describes.

    A command takes each of the `settings` as FIELD=VALUE.
    """

    lexicon: Annotated[
        str | None,
        Option(
            "use this lexicon instead of the spec's: a name, a path, a+b, a-b, a:N",
            "LEXICON",
            completes="lexicons",
        ),
    ] = None
    fold_accents: Annotated[
        bool, Option("remove accents from letters in the spec and its words")
    ] = False
    settings: Annotated[
        Mapping[str, Any], Option("set a field of the spec", "FIELD=VALUE", "--set")
    ] = field(default_factory=dict)
    max_evaluations: MaxEvaluations = None
    ignore_symbols: IgnoreSymbols = False


@dataclass(frozen=True)
class PaperOptions:
    """What a document looks like. With a title it is a book."""

    paper: Annotated[
        str, Option("with --pdf: a4, a5, letter, or a size such as 6x9in or 170x240mm", "SIZE")
    ] = "a4"
    per_page: Annotated[
        int | None,
        Option("with --pdf: N puzzles on a page; by default as many as fit", "N", least=1),
    ] = None
    title: Annotated[
        str | None, Option("the title of an HTML page; with --pdf: make a book", "TEXT")
    ] = None
    subtitle: Annotated[str | None, Option("with --title: what follows the title", "TEXT")] = None
    author: Annotated[str | None, Option("the author of a document", "NAME")] = None
    large: Annotated[bool, Option("with --pdf: large print, all texts of 16 points at least")] = (
        False
    )
    qr: Annotated[
        bool, Option("with --pdf: a QR code at each puzzle that leads to a page to play it")
    ] = False


@dataclass(frozen=True)
class RunOptions:
    """How a query is run: on which backend, within which time and memory."""

    backend: Backend = "auto"
    timeout: Timeout = None
    memory: Annotated[
        str | None, Option("stop if more memory than this is used: 500M, 2G", "SIZE")
    ] = None

    @property
    def isolated(self) -> bool:
        """Whether each backend runs in a separate process: running out of memory ends only that."""
        return self.memory is not None
