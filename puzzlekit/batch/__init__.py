"""Batches: many puzzles, each with one result, on the processors of this machine or of a cluster.

jobs      specs, folders, globs and JSON lines become jobs, each with a key
answers   a job becomes a result: a JSON line
workers   processes that answer jobs, and are replaced if they die
executors where workers run: here, or on a Dask cluster
results   the file of results: appended to, mended, locked, read again
runs      the loop that joins them, and tallies
parquet   the results as a Parquet file
"""
