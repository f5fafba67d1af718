"""Rows that are shown one under the other."""


class Stacked(tuple[tuple[str, ...], ...]):
    """Rows of one length, whose items stand in columns: symbols, say, and under each the letter that it stands for."""
