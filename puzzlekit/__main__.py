"""`python -m puzzlekit` is the command line.

Python looks for modules in the current folder first; that is taken away before anything more is imported.
"""

import os
import sys

try:
    if sys.path[:1] == [os.getcwd()]:  # noqa: PTH109 (pathlib would come from there)
        del sys.path[0]
except OSError:  # the folder is gone
    pass

from puzzlekit.cli import main

main()
