"""Words: lexicons and where they come from, the marks of a guess, and paths of words on a board."""

from puzzlekit.words.fills import Fill, Fills
from puzzlekit.words.lexicon import Lexicon, fold, unordered, without_accents
from puzzlekit.words.marks import MARKINGS, SQUARES, Mark, Stacked, marks, marks_of_rows, read_mark
from puzzlekit.words.marks_table import MarksTable, NextGuesses, boards_of, number_of, remaining
from puzzlekit.words.named_lexicons import Source
from puzzlekit.words.paths import Tile, word_paths
from puzzlekit.words.rarity import commonest, rarities, rarity
from puzzlekit.words.sources import from_anywhere, in_order, larger, load, table

__all__ = [
    "MARKINGS",
    "SQUARES",
    "Fill",
    "Fills",
    "Lexicon",
    "Mark",
    "MarksTable",
    "NextGuesses",
    "Source",
    "Stacked",
    "Tile",
    "boards_of",
    "commonest",
    "fold",
    "from_anywhere",
    "in_order",
    "larger",
    "load",
    "marks",
    "marks_of_rows",
    "number_of",
    "rarities",
    "rarity",
    "read_mark",
    "remaining",
    "table",
    "unordered",
    "without_accents",
    "word_paths",
]
