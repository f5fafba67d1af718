"""Batches: many puzzles, each with one result, on the processors of this machine or of a cluster.

- `jobs`: specs, folders, globs and JSON lines become jobs.
- `keys`: digests of what a job and its result depend on.
- `workers`: processes that make each job a result, here or on a Dask cluster.
- `results`: a JSON line for each result, in a file that is appended to, mended, locked, read again
  and written as Parquet.
- `runs`: the loop that joins them, and summaries.
"""
