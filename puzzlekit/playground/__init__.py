"""The part of the playground that is Python: a web page asks it in a worker of the browser.

`worker` takes questions and posts messages, as text. `archives` loads modules when something
imports them, such as those with lists of words.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.playground.worker import ask as ask, load as load, prepare as prepare
else:
    __getattr__ = door(
        __name__,
        {
            "worker": ("ask", "load", "prepare"),
        },
    )
