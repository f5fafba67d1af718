"""What is recognised as a link or a board: quickly, whatever the text is."""

import pytest

from puzzlekit import links

MANY = 200_000
LONG = {
    "name and no query": "a" * MANY,
    "pairs and no name": "https://puzz.link/p?" + "a=b&" * MANY + " x",
    "slashes": "https://puzz.link/p?nurikabe" + "/2" * MANY + " x",
    "modes": "https://penpa/#" + "m=edit&" * MANY + "p=x y",
    "data behind data": "https://f-puzzles.com/?load=" + "a" * MANY + " x",
    "loads": "?load=" * MANY + " x",
    "blanks of JSON": '{"kind":' + " " * MANY + "[" + " " * MANY + "x",
    "parentheses": '{"kind": "http://ipuz.org/x"'
    + (")" + " " * 9) * (MANY // 10)
    + ")"
    + " " * MANY
    + "x",
    "blanks": " " * MANY + "x",
    "lines of a file": "pzprv3/" + "a/" * MANY,
    "a file in a link": "https://puzz.link/p?pzprv3/" + "2/" * MANY,
    "data in a path": "https://sudokupad.app/" + "fpuzAAAAAAAA/" * (MANY // 10) + " x",
    "boards in a query": "https://x.org/?"
    + "s="
    + "1" * 81
    + ("&s=" + "1" * 82) * (MANY // 80)
    + " x",
    "a board": "1" * MANY + " ",
    "rulers": "-+|" * MANY + "\n" + "1" * 81,
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_are_looked_at_in_linear_time(name: str) -> None:
    """A pattern that tries each pair of places would need hours for these."""
    text = LONG[name]
    recognised = [
        notation for notation in links.NOTATIONS if links.notation(notation).recognises(text)
    ]
    assert len(recognised) < 2
    if recognised:
        with pytest.raises(links.InputError):
            links.read(text)
