"""Random types, as text."""
