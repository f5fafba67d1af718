"""Play a puzzle in a browser.

`entries` says what a player enters, `rules` which rules a page checks itself, and `page` makes the
page. `board.js` draws what is entered and takes the input, `rules.js` evaluates rules on a board in
part.
"""
