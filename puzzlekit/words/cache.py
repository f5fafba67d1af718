"""Lexicons kept on disk between runs; whatever goes wrong with the cache, the lexicon is built from its source."""

import os
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import unidata_version

import numpy as np

from puzzlekit.words.lexicon import Lexicon

FORMAT = 2  # raise it when the layout of a file changes, or what a source's loader keeps of its words


def cache_folder() -> Path:
    """Where lexicons are kept.

    `$PUZZLEKIT_CACHE`, else `puzzlekit` in `$XDG_CACHE_HOME` (which counts only if it is absolute), else the usual
    place of the system. Raises RuntimeError if the user has no home.
    """
    if own := os.environ.get("PUZZLEKIT_CACHE"):
        return Path(own)
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():
        return shared / "puzzlekit"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "puzzlekit"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "puzzlekit" / "Cache"
    return Path.home() / ".cache" / "puzzlekit"


def cached(name: str, key: tuple[object, ...], build: Callable[[], Lexicon]) -> Lexicon:
    """The lexicon called `name` from the cache, else from `build`, and then kept for the next time.

    `key` must change whenever the source does. What `build` raises passes through; nothing is kept then.
    """
    try:
        path = cache_folder() / _file_name(name, key)
    except (OSError, RuntimeError):
        return build()
    # The file may be anything by now, and numpy and zipfile have many ways to say so; each means: build it anew.
    with suppress(Exception):
        return _decode(name, path.read_bytes() if path.is_file() else b"")
    lexicon = build()
    with suppress(OSError):
        write_whole(path, _encode(lexicon))
    return lexicon


def _file_name(name: str, key: tuple[object, ...]) -> str:
    digest = sha256(repr((FORMAT, unidata_version, name, key)).encode("utf-8", "backslashreplace")).hexdigest()
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', name)[:40]}-{digest[:24]}.npz"


def _encode(lexicon: Lexicon) -> bytes:
    """Five arrays in an uncompressed .npz, whose checksums tell a damaged file; there are four if no order is known."""
    rows = list(lexicon.codes.values())
    arrays: dict[str, Any] = {
        "alphabet": np.array([ord(letter) for letter in lexicon.alphabet], dtype=np.uint32),
        "shapes": np.array([part.shape for part in rows], dtype=np.int64).reshape(-1, 2),
        "codes": np.concatenate([part.ravel() for part in rows]) if rows else np.empty(0, dtype=np.uint8),
        "left_out": np.array(lexicon.left_out, dtype=np.int64),
    }
    if lexicon.ranks is not None:
        arrays["ranks"] = np.concatenate([np.empty(0, dtype=np.int32), *lexicon.ranks.values()])
    stream = BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def _decode(name: str, data: bytes) -> Lexicon:
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        flat = arrays["codes"]
        shapes = arrays["shapes"].tolist()
        codes, start = {}, 0
        for count, length in shapes:
            codes[length] = flat[start : start + count * length].reshape(count, length)
            start += count * length
        ranks = None
        if "ranks" in arrays:
            ends = np.cumsum([count for count, _ in shapes])
            ranks = dict(zip(codes, np.split(arrays["ranks"], ends[:-1])))
        alphabet = "".join(map(chr, arrays["alphabet"].tolist()))
        return Lexicon.of_codes(name, alphabet, codes, int(arrays["left_out"]), ranks)


def write_whole(path: Path, data: bytes) -> None:
    """Write the whole file or none of it, also when another process writes the same one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
