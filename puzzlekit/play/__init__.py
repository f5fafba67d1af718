"""Play a puzzle in a browser.

`entries` has what a player enters, `rules` the rules that a page checks itself, `game` has a puzzle
as it is played, `page` makes the page, and `book` one with several puzzles. `columns` makes boards
of values in columns. `moved` finds boards of texts that are only moved. `moves` turns values into
moves, of which `regions` has those on the sides of regions, and `steps` explanations into data.
`spoken` describes boards in words. The scripts in `static`, which `scripts` reads, draw what is
entered and take the input: `board.js` says how they fit together.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.play.book import (
        BookTitle as BookTitle,
        book_page as book_page,
        book_puzzle as book_puzzle,
    )
    from puzzlekit.play.entries import Entry as Entry, token_text as token_text
    from puzzlekit.play.game import Game as Game
    from puzzlekit.play.moves import Moves as Moves
    from puzzlekit.play.page import (
        MOST as MOST,
        extra_text as extra_text,
        play_page as play_page,
    )
    from puzzlekit.play.scripts import play_file as play_file
    from puzzlekit.play.steps import step_data as step_data
else:
    __getattr__ = door(
        __name__,
        {
            "book": ("BookTitle", "book_page", "book_puzzle"),
            "entries": ("Entry", "token_text"),
            "game": ("Game",),
            "moves": ("Moves",),
            "page": ("MOST", "extra_text", "play_page"),
            "scripts": ("play_file",),
            "steps": ("step_data",),
        },
    )
