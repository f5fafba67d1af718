"""The command line: `puzzlekit solve TYPE SPEC`. Commands read their arguments, call the API, and print."""

from puzzlekit.cli.app import main

__all__ = ["main"]
