"""`puzzlekit examples`: the specs that ship with the types, listed and copied."""

from __future__ import annotations

from pathlib import Path

from puzzlekit.catalogue import example_specs, find, headers, shipped, types
from puzzlekit.cli.whole_files import write
from puzzlekit.errors import InputError, printable

OWN = "examples"  # the folder of types and scripts that the docs show


def examples(name: str | None, to: Path | None) -> int:
    """List the example specs of a type, or how many each type has; with a folder, copy them there."""
    if name is not None:
        name = find(name).stem
        if not example_specs(name):
            raise InputError(f"no examples ship for {name}\n     = puzzlekit new spec {name} prints a spec to begin with")
    if to is not None:
        return _copy(name, to)
    if name is None:
        counts = {kind: len(example_specs(kind)) for kind in types()}
        for kind, count in counts.items():
            print(printable(f"{count:>3}  {kind}")) if count else None
        print("\npuzzlekit examples TYPE lists those of a type; --to DIR copies them into a folder")
        return 0
    paths = sorted(example_specs(name))
    found = headers({path.name: path for path in paths})
    width = max(map(len, found))
    for file, header in found.items():
        print(printable(f"{file:<{width}}  {header.title if header else ''}".rstrip()))
    print(f"\n{paths[0].parent}")
    return 0


def _copy(name: str | None, to: Path) -> int:
    """Copy the specs of a type, or all examples, into specs/TYPE below a folder, and print the paths.

    Raises InputError before it writes anything if another file is in the way.
    """
    source = shipped().parent
    below = [source / "specs" / name] if name is not None else [source / "specs", source / OWN]
    files = [path for folder in below for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    wanted = {to / path.relative_to(source): path.read_bytes() for path in files}
    changed = [path for path, content in wanted.items() if path.exists() and not _has(path, content)]
    if changed:
        more = f", and {len(changed) - 1} more files" if len(changed) > 1 else ""
        raise InputError(f"{changed[0]} exists and differs from the example{more}\n     = copy into another folder: --to DIR")
    for path, content in wanted.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--to {to}: cannot make the folder {path.parent}: {error.strerror}") from None
        if not path.exists():
            write(path, content)
            print(path)
    return 0


def _has(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False
