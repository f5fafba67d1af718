"""`python -m puzzlekit` is the command line."""

from puzzlekit.cli import main

main()
