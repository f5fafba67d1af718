"""puzzlekit: constraint puzzles as a page of YAML."""
