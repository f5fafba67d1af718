"""Words: lexicons and their sources, the marks of guesses, and words traced on boards."""

from typing import TYPE_CHECKING

from puzzlekit.folding import fold
from puzzlekit.lazy_imports import door
from puzzlekit.libraries.words.feedback import (
    MARKINGS,
    FeedbackTable,
    Mark,
    NextGuesses,
    boards_of,
    cached_marks,
    crossing_marks,
    marks,
    marks_of_rows,
    number_of,
    read_mark,
    remaining,
)
from puzzlekit.libraries.words.fills import Fill, Fills
from puzzlekit.libraries.words.lexicon import Lexicon, without_accents
from puzzlekit.libraries.words.named_lexicons import NamedLexicon
from puzzlekit.libraries.words.paths import Tile, word_paths
from puzzlekit.libraries.words.sources import (
    from_anywhere,
    in_order,
    larger,
    largest,
    load,
    table,
    writable,
)
from puzzlekit.libraries.words.word_rarity import rarities, rarity

__all__ = [
    "MARKINGS",
    "FeedbackTable",
    "Fill",
    "Fills",
    "Lexicon",
    "Mark",
    "NamedLexicon",
    "NextGuesses",
    "Tile",
    "boards_of",
    "cached_marks",
    "crossing_marks",
    "fold",
    "from_anywhere",
    "in_order",
    "larger",
    "largest",
    "load",
    "marks",
    "marks_of_rows",
    "number_of",
    "rarities",
    "rarity",
    "read_mark",
    "remaining",
    "table",
    "without_accents",
    "word_paths",
    "writable",
]

if TYPE_CHECKING:
    from puzzlekit.libraries.words.lexicon import (
        cache_folder as cache_folder,
        write_atomically as write_atomically,
    )
    from puzzlekit.libraries.words.named_lexicons import SOURCES as SOURCES
else:
    __getattr__ = door(
        __name__,
        {
            "lexicon": ("cache_folder", "write_atomically"),
            "named_lexicons": ("SOURCES",),
        },
    )
