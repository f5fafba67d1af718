"""Waffles for puzzlekit: exchanges of symbols, a generator, a page to play on, and a fetcher."""
