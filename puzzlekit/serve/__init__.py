"""A local server on which types and specs are written beside their board.

`server` starts it. `app` answers requests, `guard` refuses those of strangers, and `files` reads
and saves the files of one folder. Questions about a puzzle go to `pool`, in which a worker process
answers each by `puzzlekit.questions`. `static/` is the page.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.serve.server import serve as serve
else:
    __getattr__ = door(
        __name__,
        {
            "server": ("serve",),
        },
    )
