"""The results of a batch as a Parquet file, for programs that read tables."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

from puzzlekit.batch.results import Line
from puzzlekit.errors import MissingExtra, installing

ROWS = 10_000  # of a group, which is compressed on its own
LARGEST = 2**63 - 1


def require_parquet() -> None:
    """Raise MissingExtra if the library is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(f"--parquet requires an extra: {installing('parquet')}") from None


def parquet(lines: Iterable[Line]) -> bytes:
    """The results as a Parquet file: a column for each key; goals and solutions are JSON.

    A count of 2⁶³ or more is null.
    """
    import pyarrow
    import pyarrow.parquet

    texts = ("key", "spec", "puzzle", "status", "reason", "backend", "goal", "solutions")
    columns = {**dict.fromkeys(texts, pyarrow.string()), "count": pyarrow.int64(), "counted": pyarrow.bool_()}
    schema = pyarrow.schema({**columns, "uniform": pyarrow.bool_(), "seconds": pyarrow.float64()})
    file, rows = io.BytesIO(), map(_row, lines)
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        while some := list(islice(rows, ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(some, schema))
    return file.getvalue()


def _row(line: Line) -> dict[str, Any]:
    row, count = line.whole, line.whole.get("count")
    texts = {
        name: None if row.get(name) is None else json.dumps(row[name], ensure_ascii=False) for name in ("goal", "solutions")
    }
    return {**row, **texts, "count": count if isinstance(count, int) and count <= LARGEST else None}
