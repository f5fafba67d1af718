"""Words: lexicons and where they come from, the marks of a guess, and paths of words on a board."""

from puzzlekit.words.commonest import commonest
from puzzlekit.words.fills import Fill, Fills
from puzzlekit.words.lexicon import Lexicon, fold
from puzzlekit.words.lists import Source
from puzzlekit.words.marking import MARKINGS, Mark, marks, marks_of_rows, read_mark
from puzzlekit.words.paths import Tile, word_paths
from puzzlekit.words.sources import larger, load, table

__all__ = [
    "MARKINGS",
    "Fill",
    "Fills",
    "Lexicon",
    "Mark",
    "Source",
    "Tile",
    "commonest",
    "fold",
    "larger",
    "load",
    "marks",
    "marks_of_rows",
    "read_mark",
    "table",
    "word_paths",
]
