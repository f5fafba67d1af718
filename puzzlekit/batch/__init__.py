"""Batches: many puzzles, each with one result, on the processors of this machine or of a cluster.

jobs      specs, folders, globs and JSON lines become jobs, each with a key
workers   processes that make each job a result, here or on a Dask cluster, and are replaced if they
die results   a result is a JSON line of a file: appended to, mended, locked, read again, written as
Parquet runs      the loop that joins them, and tallies
"""
