"""Boards of the daily Sanalouhos for puzzlekit: a generator and a fetcher."""
