"""`python -m puzzlekit` runs the command line.

Python searches the current folder for modules first. This entry is removed before anything else is
imported.
"""

import os
import sys

try:
    if sys.path[:1] == [os.getcwd()]:  # noqa: PTH109 (pathlib would come from there)
        del sys.path[0]
except OSError:  # the folder is gone
    pass

from puzzlekit.cli import main

if __name__ == "__main__":  # not where a library starts another Python of the same program
    main()
