"""The command line: `puzzlekit solve waffle spec.yaml`. Commands read their arguments, call the API, and print."""

from puzzlekit.cli.app import main

__all__ = ["main"]
