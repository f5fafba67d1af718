"""Play a puzzle in a browser.

`entries` has what a player enters, `rules` the rules that a page checks itself, and `page` makes
the page. `spoken` describes boards in words. `board.js` draws what is entered and takes the input,
`rules.js` evaluates rules on a board that is solved in part.
"""
