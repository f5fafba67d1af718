"""Specs that say what their type cannot hold:
each change of a sound one breaks one declaration or check, told at its place.
"""

from pathlib import Path

import pytest

from puzzlekit.api import load
from puzzlekit.errors import Problems

ROOT = Path(__file__).parents[2] / "specs"
MOON_OR_SUN = "  ABBBB\n  AAAAC\n  ADAAC\n  DDDDD\n  DDDDD\n"
KILLER = "  AABC\n  ADBC\n  EDBF\n  EDFF\n"
SUDOKU = "  ..3.2.\n  .5....\n  16...2\n  ......\n  ......\n  62.4.5\n"
SOLVED = "is no guess on a board that was solved before, so its marks there are grey"

# the spec, what is changed in it, into what, the message, and where it stands:
# the text that begins there
AGAIN = "uses the coloured letters of the guess before again"
BROKEN = [
    (
        "cipher/homophones",
        "{η: n, α: a}",
        "{η: n, q: a}",
        "q is not one of the 19 allowed values",
        "q: a",
    ),
    ("cipher/homophones", "χ: st", "Q: st", "Q is not one of the 19 allowed values", "Q: st"),
    ("cryptarithm/send", "total:", "base: 1\ntotal:", "1 is not 2 or more", "1\ntotal"),
    (
        "cryptogram/proverb",
        "r: t, b: v}\nexpect",
        "r: t, y: v}\nexpect",
        "y is not one of j, d, r, z, w, t, q, p, h, b",
        "y: v}",
    ),
    ("cryptogram/proverb", "known:", "unknown_words: -1\nknown:", "-1 is not 0 or more", "-1"),
    ("kakuro/tiny", "\\16 ", "\\46 ", "46 is not from 1 to 45", "\\46"),
    (
        "kakuro/tiny",
        "15\\ \\   \\ ",
        "15\\ 3\\  \\ ",
        "the first sum at r1c3 has a run of cells below it",
        "3\\ ",
    ),
    (
        "kakuro/tiny",
        "15\\ \\   \\ ",
        "15\\ \\3  \\ ",
        "the second sum at r1c3 has a run of cells to its right",
        "\\3 ",
    ),
    (
        "kakuro/tiny",
        "\\16 ",
        "\\   ",
        "the run r3c2 across has a sum in the black cell before it",
        ".   .   .   .   .\n  \\18",
    ),
    (
        "kakuro/tiny",
        "\\16 ",
        "_   ",
        "the run r3c2 across has a sum in the black cell before it",
        ".   .   .   .   .\n  \\18",
    ),
    (
        "kakuro/tiny",
        "   15\\\n",
        "   \\\n",
        "the run r2c6 down has a sum in the black cell before it",
        ".\n  \\16",
    ),
    ("killer/tiny", "F: 9}", "F: 9, G: 3}", "G is not one of A, B, C, D, E, F", "G: 3"),
    ("killer/tiny", "A: 9, ", "", "region A has a sum", "AABC"),
    ("killer/tiny", "F: 9", "F: 0", "0 is not 1 or more", "0}"),
    (
        "killer/tiny",
        "box: 2x2",
        "box: 2x2\ngivens: |\n  ..5.\n  ....\n  ....\n  ....",
        "5 is not from 1 to 4",
        "5.",
    ),
    ("killer/tiny", "box: 2x2", "box: 2x3", "a box holds as many cells as a row", "2x3"),
    ("killer/tiny", "  EDFF\n", "", "the board is square", "|\n  AABC"),
    ("killer/tiny", KILLER, KILLER.replace("\n", "C\n"), "the board is square", "|\n  AABC"),
    ("masyu/tiny", ".b.wb.", ".b.1b.", "expected one of b, w, got '1'", "1b."),
    (
        "moon_or_sun/tiny",
        MOON_OR_SUN,
        5 * "  AAAAA\n",
        "there are two regions or more",
        "|\n  AAAAA",
    ),
    ("nonogram/tiny", "  1 1\n", "  1 0 1\n", "0 stands alone", "1 0 1"),
    ("nonogram/tiny", "  1 1\n", "  1 -1\n", "-1 is not 0 or more", "-1"),
    ("nonogram/tiny", "  5\n  5\n", "  5\n\n  5\n", "this line is blank", "\n  5\n  3"),
    ("nurikabe/tiny", "..2..4", "..2..0", "0 is not 1 or more", "0"),
    (
        "pentominoes/8x8",
        "###..###\n  ###..",
        "###..###\n  ###x.",
        "expected one of #, got 'x'",
        "x.",
    ),
    ("queens/n4", "size: 4", "size: 0", "0 is not from 1 to 200", "0"),
    (
        "sanalouhos/tiny",
        "letters:",
        "columns: 4\nletters:",
        "columns is 4, but letters has 3 columns",
        "4\n",
    ),
    (
        "sanalouhos/tiny",
        "letters:",
        "columns: 0\nletters:",
        "columns is 0, but letters has 3 columns",
        "0\n",
    ),
    ("sanalouhos/tiny", "letters:", "shortest: 0\nletters:", "0 is not 1 or more", "0\n"),
    ("sanalouhos/tiny", "letters:", "longest: 2\nletters:", "2 is not 3 or more", "2\n"),
    ("sanalouhos/tiny", "letters:", "words_wanted: 0\nletters:", "0 is not 1 or more", "0\n"),
    (
        "sanalouhos/hexagons",
        "letters:",
        "moves: rook\nletters:",
        "hexagons are neighbours in one way",
        "rook",
    ),
    (
        "slitherlink/tiny",
        ".23.",
        ".53.",
        "a clue is at most the number of sides of its cell",
        "53.",
    ),
    (
        "spiral_galaxies/tiny",
        "..o..\n  .o",
        ".....\n  .o",
        "r2c2 can belong to the galaxy of a circle",
        "....\n  .....\n  .o",
    ),
    ("star_battle/tiny", "regions:", "stars: 0\nregions:", "0 is not 1 or more", "0\n"),
    (
        "strands/first",
        "letters:",
        "columns: 5\nletters:",
        "columns is 5, but letters has 6 columns",
        "5\n",
    ),
    ("strands/first", "letters:", "shortest: 0\nletters:", "0 is not 1 or more", "0\n"),
    ("strands/first", "letters:", "words_wanted: 0\nletters:", "0 is not 1 or more", "0\n"),
    ("sudoku/six", "..3.2.", "..3.7.", "7 is not from 1 to 6", "7."),
    (
        "sudoku/six",
        "box: 2x3",
        "box: 3x3",
        "a box (3x3 by default) holds as many cells as a row",
        "3x3",
    ),
    (
        "sudoku/six",
        "  62.4.5\n",
        "  62.4.5\n  ......\n",
        "a box (3x3 by default) holds as many cells as a row",
        "2x3",
    ),
    ("sudoku/six", SUDOKU, SUDOKU.replace("\n", ".\n"), "the board is square", "|\n  ..3"),
    (
        "word_search/first",
        "letters:",
        "columns: 4\nletters:",
        "columns is 4, but letters has 5 columns",
        "4\n",
    ),
    ("wordle/hard", "hard: yes", "length: 6", "crane has as many letters as length says", "crane"),
    ("wordle/hard", "hard: yes", "suggestions: -1", "-1 is not 0 or more", "-1"),
    (
        "wordle/hard",
        "⬛⬛\n",
        "⬛⬛\n  sport: bbbyb\n",
        "hard mode: sport keeps the greens of the guess before",
        "sport",
    ),
    ("wordle/hard", "⬛⬛\n", "⬛⬛\n  brand: bgybb\n", f"hard mode: brand {AGAIN}", "brand"),
    ("wordle/quordle", "ggggg bbbbb", "ggggg bybbb", f"light {SOLVED}", "light"),
    (
        "zebra/tiny",
        "at: {Peter: 2}",
        "at: {petra: 2}",
        "petra is not one of Peter, Eric, Arnold, tea, water, milk",
        "petra",
    ),
    ("zebra/tiny", "at: {Peter: 2}", "at: {Peter: 4}", "4 is not from 1 to 3", "4}"),
    ("zebra/tiny", "at: {Peter: 2}", "not_at: {Peter: 1 4}", "4 is not from 1 to 3", "4}"),
    ("zebra/tiny", "at: {Peter: 2}", "apart: {3: [Peter tea]}", "3 is not from 1 to 2", "3: ["),
    (
        "zebra/tiny",
        "at: {Peter: 2}",
        "apart: {1: [Peter tee]}",
        "tee is not one of Peter, Eric, Arnold, tea, water, milk",
        "tee",
    ),
    (
        "zebra/tiny",
        "  milk water",
        "  milk wine",
        "wine is not one of Peter, Eric, Arnold, tea, water, milk",
        "wine",
    ),
    ("zebra/tiny", "tea water milk", "tea water Eric", "nobody is in two groups", "name"),
    (
        "zebra/tiny",
        "tea water milk",
        "tea water milk rum",
        "no group has more than there are houses",
        "drink",
    ),
]


@pytest.mark.parametrize(("spec", "old", "new", "message", "at"), BROKEN)
def test_what_a_spec_breaks_is_told_at_its_place(
    spec: str, old: str, new: str, message: str, at: str, tmp_path: Path
) -> None:
    text = (ROOT / f"{spec}.yaml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    text = text.replace(old, new)
    path = tmp_path / "spec.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Problems) as caught:
        load(None, path)
    problem = caught.value.problems[0]
    assert problem.message.removeprefix("this does not hold: ") == message
    assert problem.position is not None
    lines = text.split("\n")
    start = (
        sum(len(line) + 1 for line in lines[: problem.position.line - 1])
        + problem.position.column
        - 1
    )
    assert text[start:].startswith(at), text[start : start + 40]
