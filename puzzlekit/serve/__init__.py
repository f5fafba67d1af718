"""A local server on which types and specs are written beside their board.

`server` starts it. `app` answers requests, `guard` refuses those of strangers, and `files` reads
and saves what lies in one folder. Questions about a puzzle go to `pool`, which has a worker process
answer each: there `questions` has a function for each kind, and `played` turns what is entered on a
board into marks, and answers into places on it. `static/` is the page.
"""
