"""Hand-written encodings to measure puzzlekit against, one file a puzzle.

Each file has `ENCODINGS`: name → (the backend that uses the same library, a function). The function
takes a spec as `yaml.safe_load` gives it and returns the number of solutions, at most `LIMIT` where
the file has one. A library is imported where it is used, so that a process measures one library
alone.
"""
