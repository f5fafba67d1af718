"""Find puzzle types: by path, on PUZZLEKIT_PATH, in ./puzzles, and among the shipped types.

A header is what lists and completions show of a type or a spec: its name, title, group and tags. It
is read without the rest of the language, in a fraction of a millisecond.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit import plugins
from puzzlekit.errors import InputError, nearest
from puzzlekit.plugins import EntryPoint
from puzzlekit.reading import name_of, read_text, reads
from puzzlekit.source import parse

HERE = Path(__file__).resolve().parent
SHIPPED = (HERE / "puzzles", HERE.parent / "puzzles")  # in an installed package, in a checkout
YAML = (".yaml", ".yml")  # how the names of types and specs end
NAMED = re.compile(r"\bpuzzle[\"']?\s*:")  # where a type or a spec states its name
BESIDE = 100  # files beside a spec that are read where its type is not found
EXAMPLES = ("tiny", "small", "first")  # the names of the specs that come first among the examples
SEPARATORS = re.compile(r"[\W_]+")
HEADER = (
    "puzzle",
    "title",
    "aliases",
    "group",
    "tags",
    "about",
    "variables",
    "goals",
    "links",
)  # what a header is made of


@dataclass(frozen=True)
class Header:
    """The header of a type or a spec.

    Attributes:
        path: The file.
        is_type: Whether it is a type, not a spec.
        name: The name of the type, as the file states it.
        title: The title.
        aliases: Other names of the puzzle.
        group: The group of types; empty for none.
        tags: Further words to find it by.
        about: What the puzzle is about, on one line.
        goals: The names of the goals.
        links: The notations under `links`, each with the names that it has there.
    """

    path: Path
    is_type: bool
    name: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    group: str = ""
    tags: tuple[str, ...] = ()
    about: str = ""
    goals: tuple[str, ...] = ()
    links: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def matches(self, word: str) -> bool:
        """Whether a word of the header begins with this one, in upper or lower case.

        A name may also be written as one word, or with other characters between its words.

        Examples:
            >>> header = Header(Path("fences.yaml"), True, "fences", title="A closed loop", aliases=("loop_the_loop",))
            >>> [word for word in ("fence", "Loop", "ence", "closed", "loop-the", "Looptheloop") if header.matches(word)]
            ['fence', 'Loop', 'closed', 'loop-the', 'Looptheloop']
        """
        names = (self.path.stem, self.name, self.title, *self.aliases, self.group, *self.tags)
        text = " ".join((*names, *(name.replace("_", " ") for name in names), self.about))
        if re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE):
            return True
        joined = SEPARATORS.sub("", word).lower()
        return bool(joined) and any(
            SEPARATORS.sub("", name).lower().startswith(joined) for name in names
        )


def read_header(path: Path) -> Header:
    """Return the header of a file. Raises InputError if the file cannot be read, or is not a
    mapping.
    """
    try:
        state = path.stat()
    except (OSError, ValueError):
        return _read(path, 0, 0)
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, changed: int, size: int) -> Header:
    """Read the header of a file; again only if the file has changed."""
    text = read_text(path)
    if path.suffix.lower() not in YAML and not NAMED.search(text):  # a board of another program
        return Header(path, is_type=False)
    return header_of(path, text)


def header_of(path: Path, text: str) -> Header:
    """Return the header of a text, which problems call `path`. Raises InputError if it is not a
    mapping.
    """
    nodes = {key.value: value for key, value in parse(str(path), text, HEADER)[1].value}

    def texts(key: str) -> tuple[str, ...]:
        node = nodes.get(key)
        parts = node.value if isinstance(node, SequenceNode) else (node,)
        return tuple(part.value for part in parts if isinstance(part, ScalarNode))

    name, title, group, about = (
        " ".join(" ".join(texts(key)).split()) for key in ("puzzle", "title", "group", "about")
    )
    goals, links = (
        _keys(nodes.get("goals")),
        {key: frozenset(_texts(part)) for key, part in _keys(nodes.get("links")).items()},
    )
    return Header(
        path,
        "variables" in nodes,
        name,
        title,
        texts("aliases"),
        group,
        texts("tags"),
        about,
        tuple(goals),
        links,
    )


def _keys(node: Node | None) -> dict[str, Node]:
    """The values of a mapping by their keys; none of another node."""
    pairs = node.value if isinstance(node, MappingNode) else ()
    return {key.value: value for key, value in pairs if isinstance(key, ScalarNode)}


def _texts(node: Node) -> Iterator[str]:
    """All texts at and below a node, keys included."""
    if isinstance(node, ScalarNode):
        yield node.value
    for part in (
        chain.from_iterable(node.value)
        if isinstance(node, MappingNode)
        else node.value
        if isinstance(node, SequenceNode)
        else ()
    ):
        yield from _texts(part)


def headers(paths: dict[str, Path]) -> dict[str, Header | None]:
    """The headers of some files by name; None for a file that cannot be read."""
    found: dict[str, Header | None] = {}
    for name, path in paths.items():
        try:
            found[name] = read_header(path)
        except InputError:
            found[name] = None
    return found


def folders() -> Iterator[Path]:
    """The folders that hold types, in order of precedence."""
    for entry in os.environ.get("PUZZLEKIT_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    yield Path("puzzles")
    yield shipped()


def shipped() -> Path:
    """The folder of the types that ship."""
    return next((folder for folder in SHIPPED if folder.is_dir()), SHIPPED[0])


def example_specs(name: str) -> list[Path]:
    """The example specs that ship for a type: `tiny`, `small` and `first`, then the others by name.

    The first of them is the example of the type. Numbers in names are sorted as numbers.
    """
    folder = shipped().parent / "specs" / name
    found = (
        [path for path in folder.glob("*.yaml") if path.is_file()]
        if re.fullmatch(r"[\w-]+", name)
        else []
    )
    return sorted(found, key=_example_order)


def _example_order(path: Path) -> tuple[int, list[tuple[int, str]]]:
    """The place of a spec among the examples of its type, by its name alone."""
    rank = EXAMPLES.index(path.stem) if path.stem in EXAMPLES else len(EXAMPLES)
    return rank, _counted(Path(path.stem))


def specs_in(folder: Path) -> list[Path]:
    """The specs in a folder and below, in order, those in hidden folders left out. Raises
    InputError if there are none.
    """
    found = (file for end in YAML for file in folder.rglob(f"*{end}"))
    seen = (
        file
        for file in found
        if file.is_file() and not any(part[0] == "." for part in file.relative_to(folder).parts)
    )
    if not (specs := sorted((file for file in seen if not _is_type(file)), key=_counted)):
        raise InputError(
            f"{folder}: there is no spec in this folder",
            help="expected files that end in .yaml or .yml",
        )
    return specs


def _counted(file: Path) -> list[tuple[int, str]]:
    """The path as texts and numbers, so that 10 comes after 9."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part)
        for part in re.split(r"([0-9]+)", str(file))
    ]


def _is_type(file: Path) -> bool:
    with suppress(InputError):
        return (
            "variables" in read_text(file) and read_header(file).is_type
        )  # few specs have the word
    return False


def types() -> dict[str, Path]:
    """The types by name, with their files. A spec does not hide a type in a later folder."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
            if path.stem not in found or (is_spec(found[path.stem]) and not is_spec(path)):
                found[path.stem] = path
    return dict(sorted(found.items()))


def is_path(name: str) -> bool:
    """Whether a type is given by the path of its file, not by name."""
    return name.endswith(YAML) or "/" in name or os.sep in name


def find(name: str, spec_folder: Path | None = None) -> Path:
    """The file of a type, given its name, another name of it, or its path.

    `beside` is searched for the name after all folders, and for a path after the current one. Other
    names count only where no file has this name. Raises InputError.
    """
    if is_path(name):
        for path in (Path(name), *([] if spec_folder is None else [spec_folder / name])):
            reads(path)
            if _is_file(path):
                return path
        raise InputError(f"{name_of(name)}: there is no such type file")
    spec = None
    for folder in (
        *folders(),
        *([spec_folder] if spec_folder is not None and re.fullmatch(r"\w+", name) else []),
    ):
        path = folder / f"{name}.yaml"
        if name and _is_file(path):
            if not is_spec(path):
                return path
            spec = spec or path
    if spec is not None:
        return spec
    known = headers(types())
    if (own := _named(name, known)) is not None:
        return own
    for folder in folders():
        reads(folder / f"{name}.yaml")
    file = next((f"{name}{end}" for end in YAML if name and _is_file(Path(f"{name}{end}"))), "")
    near = _types_in(spec_folder) if spec_folder is not None else {}
    if declared := next((path for path, own in near.items() if own == name != path.stem), None):
        help = f"{declared.name} declares it, but the type {name} is looked for in {name}.yaml: rename the file"
    else:
        others = [other for header in known.values() if header for other in header.aliases]
        names = [*(path.stem for path in near), *known, *others]
        help = f"write {file} before the spec to use that file" if file else nearest(name, names)
    raise InputError(f"there is no puzzle type {name_of(name) or 'without a name'}; {help}")


def is_known(name: str) -> bool:
    """Whether a type has this name, or this other name."""
    found = types()
    return name in found or _named(name, headers(found)) is not None


def same_name(first: str, second: str) -> bool:
    """Whether two names differ at most in upper and lower case, and in `_` and `-`."""
    return _folded(first) == _folded(second)


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")


def _named(name: str, known: dict[str, Header | None]) -> Path | None:
    """The file of the type that has this name, or this other name, but for case and hyphens.

    Raises InputError if several have it.
    """
    wanted = _folded(name)
    found = {
        stem: header.path
        for stem, header in known.items()
        if header and wanted in map(_folded, (stem, *header.aliases))
    }
    if len(found) > 1:
        raise InputError(
            f"{name} is another name of several types: {', '.join(found)}; write one of these"
        )
    return next(iter(found.values()), None)


def _types_in(folder: Path) -> dict[Path, str]:
    """The files of a folder that are types, with the names that they declare; the first few files
    are read.
    """
    found: dict[Path, str] = {}
    with suppress(OSError):
        for path in sorted(folder.glob("*.yaml"))[:BESIDE]:
            with suppress(InputError):
                header = read_header(path)
                if header.is_type:
                    found[path] = header.name or path.stem
    return found


def _is_file(path: Path) -> bool:
    """Whether there is a file; false for a name that is too long."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_spec(path: Path) -> bool:
    """Whether the file is readable and not a type. Shipped files are types and are not read."""
    if path.resolve().parent in SHIPPED:
        return False
    try:
        return not read_header(path).is_type
    except InputError:
        return False


def generators() -> list[str]:
    """The names of the types with a generator."""
    return _names(plugins.GENERATORS)


def generator(name: str) -> EntryPoint:
    """The generator of a type. Raises InputError."""
    return _of_type(name, plugins.GENERATORS, "generate", "generator")


def has_generator(name: str) -> bool:
    """Whether there is a generator of a type."""
    try:
        generator(name)
    except InputError:
        return False
    return True


def fetcher(name: str) -> EntryPoint:
    """The fetcher of a type. Raises InputError."""
    return _of_type(name, plugins.FETCHERS, "fetch", "fetcher")


def _names(group: str) -> list[str]:
    return list(dict.fromkeys(point.name for point in plugins.offered(group)))


def _of_type(name: str, group: str, verb: str, noun: str) -> EntryPoint:
    """The entry point of a type, given its name or another name of it. Raises InputError."""
    if point := plugins.find(group, name):
        return point
    found = types()
    path = found.get(name) or _named(name, headers(found))
    if path is not None and (point := plugins.find(group, path.stem)):
        return point
    reason = "there is no such puzzle type" if path is None else f"it has no {noun}"
    close = nearest(name, _names(group))
    raise InputError(f"cannot {verb} puzzles of {name or 'nothing'}: {reason}; {close}")
