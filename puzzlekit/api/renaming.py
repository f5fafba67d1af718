"""Find the old keys of types and specs, and replace them without a change to anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.catalogue import YAML, find
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.reading import FILE_BYTES, read_bytes, read_text
from puzzlekit.renamed import MAKE_KEYS, SPEC_KEYS, TYPE_SECTIONS
from puzzlekit.source import SourceFile, parse


@dataclass(frozen=True)
class OldKey:
    """An old key in a text.

    Attributes:
        line: Its line, counted from 1.
        start: The index in the text of its first character, of the quote if it is quoted.
        end: The index after its last character.
        old: The key.
        new: The key that replaces it.
    """

    line: int
    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True)
class Upgrade:
    """A type or a spec with the new keys. It is true if something changes.

    Attributes:
        text: The text with the new keys; quotes, comments, line breaks and layout stay.
        keys: The old keys that it replaces.
    """

    text: str
    keys: Sequence[OldKey]

    def __bool__(self) -> bool:
        return bool(self.keys)


def upgrade(file: str | Path) -> Upgrade:
    """Replace the old keys of a type or a spec. The file is only read.

    Args:
        file: The path of the file.

    Raises:
        Problems: It is not a mapping of YAML, or it has an old key and the new one.
        InputError: It cannot be read.

    Examples:
        >>> import puzzlekit
        >>> upgraded = puzzlekit.upgrade("examples/magic_square_4.yaml")
        >>> bool(upgraded), upgraded.keys
        (False, [])
    """
    path = Path(file)
    read_text(path)  # it is UTF-8, and not too large
    text = read_bytes(path, FILE_BYTES).decode()  # with its own line breaks
    keys = old_keys(str(path), text)
    return Upgrade(with_new_keys(text, keys), keys)


def old_keys(path: str, text: str) -> list[OldKey]:
    """Return the old keys of a type or a spec, in the order of the text.

    Where its type declares a field of that name, the key of a spec is no old key.

    Args:
        path: What problems call the text. The type of a spec is also looked for beside it.
        text: The text.

    Raises:
        Problems: The text is not a mapping of YAML, or it has an old key and the new one.
    """
    source, root = parse(path, text)
    sections = {key.value: node for key, node in root.value}
    if "variables" in sections:
        keys = [*_old_among(source, root, TYPE_SECTIONS)]
        keys += _old_among(source, sections.get("make"), MAKE_KEYS)
    else:
        fields = _fields_of_type(sections.get("puzzle"), Path(path).parent)
        names = {old: new for old, new in SPEC_KEYS.items() if old not in fields}
        keys = [*_old_among(source, root, names)]
    source.raise_problems()
    return sorted(keys, key=lambda key: key.start)


def with_new_keys(text: str, keys: Sequence[OldKey]) -> str:
    """Return the text with the new keys; quotes, comments and layout stay as they are.

    Examples:
        >>> text = "puzzle: mine\\n'marks': {x: 1}  # so far\\n"
        >>> with_new_keys(text, old_keys("mine.yaml", text))
        "puzzle: mine\\n'progress': {x: 1}  # so far\\n"
    """
    shift = len(text) - len(text.removeprefix("\ufeff"))
    for key in reversed(keys):
        start = key.start + shift
        end = key.end + shift
        renamed = text[start:end].replace(key.old, key.new)
        text = text[:start] + renamed + text[end:]
    return text


def files_in(folder: Path) -> list[Path]:
    """Return the YAML files that name a puzzle, in a folder and below, except in hidden folders."""
    paths = sorted(path for suffix in YAML for path in folder.rglob(f"*{suffix}"))
    files = []
    for path in paths:
        hidden = any(name.startswith(".") for name in path.relative_to(folder).parts)
        if path.is_file() and not hidden and "puzzle:" in read_text(path):
            files.append(path)
    return files


def _old_among(source: SourceFile, node: Node | None, names: Mapping[str, str]) -> Iterator[OldKey]:
    """Yield the old keys of a mapping, and note a problem for each whose new name is there, too."""
    pairs = node.value if isinstance(node, MappingNode) else ()
    keys = [key for key, _ in pairs if isinstance(key, ScalarNode)]
    present = {key.value for key in keys}
    for key in keys:
        new = names.get(key.value)
        if new is None:
            continue
        if new in present:
            source.problem(f"{key.value} is called {new} now, and {new} is there, too", key)
        start, end = key.start_mark, key.end_mark
        yield OldKey(start.line + 1, start.index, end.index, key.value, new)


def _fields_of_type(name: Node | None, folder: Path) -> set[str]:
    """Return the names of the fields of a type; none if there is no such type."""
    if not isinstance(name, ScalarNode):
        return set()
    try:
        path = find(name.value.strip(), folder)
        _, root = parse(str(path), read_text(path))
    except InputError:
        return set()
    for key, node in root.value:
        if key.value == "data":
            pairs = node.value if isinstance(node, MappingNode) else ()
            return {field.value for field, _ in pairs}
    return set()
