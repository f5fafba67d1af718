"""Processes: workers, the command line and its supervisor, and what the system says of them."""
