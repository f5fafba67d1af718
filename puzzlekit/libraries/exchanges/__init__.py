"""Exchanges: the most cycles into which arcs can be cut, and the exchanges of two cells that walk along cycles."""

from puzzlekit.libraries.exchanges.cycle_packing import BestCycles, Cut, best_cycles, most_cycles
from puzzlekit.libraries.exchanges.library import Exchange, exchanges

__all__ = ["BestCycles", "Cut", "Exchange", "best_cycles", "exchanges", "most_cycles"]
