"""Processes: workers, the command line and its supervisor, and the limits of the system."""
