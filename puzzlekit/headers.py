"""What lists and completions show of a type or a spec: its name, title, group and tags.

Reading a header takes a fraction of a millisecond and imports next to nothing. The sections are
found by their keys at the beginning of a line; text that is not as simple as that is read as YAML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG

from puzzlekit.errors import InputError
from puzzlekit.limits import limits

KEY = re.compile(r"^([A-Za-z_]\w*):(?=[ \t\n]|$)", re.MULTILINE)
BEFORE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?(?:\n|$)|---[ \t]*\n)*")  # blank lines and comments
ELSEWHERE = re.compile(r"^[^\s#]", re.MULTILINE)  # a line that begins without a blank, and is no comment
LATER = re.compile(r"\n[ \t#][^\n]*|\n(?=\n|$)")
PLAIN = re.compile(r"[^\s'\"\[\]{}>|*&!%#`@,?:-](?:[^\n:#]|:(?=\S)|(?<=\S)#)*")
NAMES = re.compile(r"\[\s*(\w[\w-]*(?:\s*,\s*\w[\w-]*)*)\s*\]")
SEPARATORS = re.compile(r"[\W_]+")
SINGLE = ("puzzle", "title", "group")
SEVERAL = ("also", "tags")


@dataclass(frozen=True)
class Header:
    """The header of a type or a spec.

    Attributes:
        path: The file.
        is_type: Whether it is a type, not a spec.
        name: The name of the type, as the file states it.
        title: The title.
        also: Other names of the puzzle.
        group: The group of types; empty for none.
        tags: Further words to find it by.
        about: What the puzzle is about, as it is written.
    """

    path: Path
    is_type: bool
    name: str = ""
    title: str = ""
    also: tuple[str, ...] = ()
    group: str = ""
    tags: tuple[str, ...] = ()
    about: str = ""

    def matches(self, word: str) -> bool:
        """Whether a word of the header begins with this one, in upper or lower case.

        A name may also be written as one word, or with other characters between its words.

        Examples:
            >>> header = Header(Path("fences.yaml"), True, "fences", title="A closed loop", also=("loop_the_loop",))
            >>> [word for word in ("fence", "Loop", "ence", "closed", "loop-the", "Looptheloop") if header.matches(word)]
            ['fence', 'Loop', 'closed', 'loop-the', 'Looptheloop']
        """
        names = (self.path.stem, self.name, self.title, *self.also, self.group, *self.tags)
        text = " ".join((*names, *(name.replace("_", " ") for name in names), self.about))
        if re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE):
            return True
        joined = SEPARATORS.sub("", word).lower()
        return bool(joined) and any(SEPARATORS.sub("", name).lower().startswith(joined) for name in names)


def read_header(path: Path) -> Header:
    """Return the header of a file.

    Raises:
        InputError: The file cannot be read, or is not a mapping.
    """
    try:
        state = path.stat()
    except (OSError, ValueError):
        return _read(path, 0, 0)
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, changed: int, size: int) -> Header:
    """Read the header of a file; again only if the file has changed."""
    text = _quickly(path)
    sections = None if text is None else sections_of(text)
    found = _values(sections) if sections is not None else None
    return _header(path, *(found or _as_yaml(path)))


def _header(path: Path, is_type: bool, values: dict[str, list[str]], about: str) -> Header:
    one = {key: " ".join(" ".join(values.get(key, ())).split()) for key in SINGLE}
    also, tags = (tuple(values.get(key, ())) for key in SEVERAL)
    return Header(path, is_type, one["puzzle"], one["title"], also, one["group"], tags, about)


def _quickly(path: Path) -> str | None:
    """The text of a file; None to have the reader of types find out what is wrong with it."""
    most = limits().reading.file_bytes
    try:
        if not S_ISREG(path.stat().st_mode):
            return None
        with path.open("rb") as stream:
            data = stream.read(most + 1)
        return None if len(data) > most else data.decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, ValueError):
        return None


def sections_of(text: str) -> dict[str, str] | None:
    """Return the text of each section by its key; None if the lines do not show where sections begin."""
    before, *found = KEY.split(text)
    sections = dict(zip(found[::2], found[1::2]))
    odd = len(sections) < len(found) // 2 or any(map(ELSEWHERE.search, (part.partition("\n")[2] for part in found[1::2])))
    return None if odd or not sections or not BEFORE.fullmatch(before) else sections


def _values(sections: dict[str, str]) -> tuple[bool, dict[str, list[str]], str] | None:
    """Whether it is a type, the texts of its header and what it is about; None if one is not on a line."""
    values = {}
    for key in (*SINGLE, *SEVERAL):
        if key not in sections:
            continue
        text = LATER.sub(lambda line: "" if line[0].strip()[:1] in ("", "#") else line[0], sections[key]).strip()
        if (names := NAMES.fullmatch(text)) and key in SEVERAL:
            values[key] = re.split(r"\s*,\s*", names[1])
        elif PLAIN.fullmatch(text):
            values[key] = [text]
        else:
            return None
    return "variables" in sections, values, " ".join(sections.get("about", "").split()).lstrip(">|-+ ")


def _as_yaml(path: Path) -> tuple[bool, dict[str, list[str]], str]:
    """The same, from the file as YAML. Raises InputError."""
    from yaml.nodes import ScalarNode, SequenceNode

    from puzzlekit.lang.source import parse, read_text

    _, root = parse(str(path), read_text(path))
    nodes = {key.value: node for key, node in root.value if isinstance(key, ScalarNode)}
    values = {}
    for key in (*SINGLE, *SEVERAL, "about"):
        node = nodes.get(key)
        parts = node.value if isinstance(node, SequenceNode) else [node]
        values[key] = [part.value for part in parts if isinstance(part, ScalarNode)]
    return "variables" in nodes, values, " ".join(" ".join(values.pop("about")).split())


def headers(paths: dict[str, Path]) -> dict[str, Header | None]:
    """The headers of some files by name; None for a file that cannot be read."""
    found: dict[str, Header | None] = {}
    for name, path in paths.items():
        try:
            found[name] = read_header(path)
        except InputError:
            found[name] = None
    return found
