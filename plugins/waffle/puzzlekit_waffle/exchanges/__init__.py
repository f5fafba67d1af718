"""Exchanges: cut arcs into as many cycles as possible, and list the exchanges of two cells."""

from puzzlekit_waffle.exchanges.cycle_packing import BestCycles, Cut, best_cycles, most_cycles
from puzzlekit_waffle.exchanges.library import Exchange, exchanges, fewest_exchanges

__all__ = [
    "BestCycles",
    "Cut",
    "Exchange",
    "best_cycles",
    "exchanges",
    "fewest_exchanges",
    "most_cycles",
]
