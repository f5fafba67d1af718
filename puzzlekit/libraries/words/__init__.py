"""Words: lexicons and their sources, the marks of guesses, and words traced on boards."""

from puzzlekit.folding import fold
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
from puzzlekit.libraries.words.rarity import rarities, rarity
from puzzlekit.libraries.words.sources import (
    from_anywhere,
    in_order,
    larger,
    largest,
    load,
    table,
    writable,
)

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
