"""Find puzzle types, by name or path.

A name is looked for beside the spec, in the folders above it up to the working folder, in the
working folder, in `puzzles/` in it, in those of PUZZLEKIT_PATH, and among the types that ship.

A header is what lists and completions show of a type or a spec: its name, title, group and tags. It
is read without the rest of the language, in a fraction of a millisecond.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit import plugins
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, closest, nearest
from puzzlekit.plugins import EntryPoint
from puzzlekit.reading import name_of, read_text, reads, shipped, ships
from puzzlekit.source import parse, several

YAML = (".yaml", ".yml")  # the ends of the names of types and specs
NAMED = re.compile(r"\bpuzzle[\"']?\s*:")  # where a type or a spec states its name
READ_FILES = 100  # in the folder of a spec whose type is not there
EXAMPLES = ("tiny", "small", "first")  # the names of the specs that come first among the examples
SEPARATORS = re.compile(r"[\W_]+")
LIST_ADVICE = "puzzlekit list names the types"
# the keys that a header is read from
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
)


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
        """Return whether a word of the header begins with this one, in upper or lower case.

        A name may also be written as one word, or with other characters between its words.

        Examples:
            >>> aliases = ("loop_the_loop",)
            >>> header = Header(Path("fences.yaml"), True, "fences", "A closed loop", aliases)
            >>> words = ("fence", "Loop", "ence", "closed", "loop-the", "Looptheloop")
            >>> [word for word in words if header.matches(word)]
            ['fence', 'Loop', 'closed', 'loop-the', 'Looptheloop']
        """
        names = (self.path.stem, self.name, self.title, *self.aliases, self.group, *self.tags)
        spaced = [name.replace("_", " ") for name in names]
        text = " ".join((*names, *spaced, self.about))
        if re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE):
            return True
        joined = _joined(word)
        return bool(joined) and any(_joined(name).startswith(joined) for name in names)


def _joined(name: str) -> str:
    """Return a name as one word in lower case."""
    return SEPARATORS.sub("", name).lower()


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
    text = read_text(path)
    if path.suffix.lower() not in YAML and not NAMED.search(text):  # a board of another program
        return Header(path, is_type=False)
    return header_of(path, text)


def header_of(path: Path, text: str) -> Header:
    """Return the header of a text, which problems call `path`.

    Raises:
        InputError: The text is not a mapping.
    """
    _, root = parse(str(path), text, HEADER)
    nodes = {key.value: value for key, value in root.value}
    is_type = "variables" in nodes
    name, title, group, about = (
        _line(nodes.get(key)) for key in ("puzzle", "title", "group", "about")
    )
    aliases, tags = (tuple(_list(nodes.get(key))) for key in ("aliases", "tags"))
    goals = tuple(_members(nodes.get("goals")))
    notations = _members(nodes.get("links"))
    links = {notation: frozenset(_texts(node)) for notation, node in notations.items()}
    return Header(path, is_type, name, title, aliases, group, tags, about, goals, links)


def _line(node: Node | None) -> str:
    """Return the texts at a node on one line."""
    return " ".join(" ".join(_list(node)).split())


def _list(node: Node | None) -> list[str]:
    """Return the texts of a list, or the only text."""
    return [member.value for member in several(node) if isinstance(member, ScalarNode)]


def _members(node: Node | None) -> dict[str, Node]:
    """Return the values of a mapping by their keys; none of another node."""
    pairs = node.value if isinstance(node, MappingNode) else ()
    return {key.value: value for key, value in pairs if isinstance(key, ScalarNode)}


def _texts(node: Node) -> Iterator[str]:
    """Yield all texts at and below a node, keys included."""
    if isinstance(node, ScalarNode):
        yield node.value
    elif isinstance(node, MappingNode):
        for key, value in node.value:
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(node, SequenceNode):
        for member in node.value:
            yield from _texts(member)


def headers(paths: dict[str, Path]) -> dict[str, Header | None]:
    """Return the headers of files by name; None for a file that cannot be read."""
    by_name: dict[str, Header | None] = {}
    for name, path in paths.items():
        try:
            by_name[name] = read_header(path)
        except InputError:
            by_name[name] = None
    return by_name


def folders(spec_folder: Path | None = None) -> Iterator[Path]:
    """Yield the folders in which a type is looked for, in order of precedence.

    Args:
        spec_folder: The folder of the spec; None if it is in no file.
    """
    if spec_folder is not None:
        yield from _up_to_here(spec_folder)
    yield Path()
    yield from _type_folders()


def _up_to_here(folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the working folder, if it is below that."""
    yield folder
    here = Path.cwd()
    absolute = folder.absolute()
    if absolute.is_relative_to(here):
        yield from absolute.relative_to(here).parents


def _type_folders() -> Iterator[Path]:
    """Yield the folders that hold types, in order of precedence."""
    yield Path("puzzles")
    for entry in os.environ.get("PUZZLEKIT_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    yield shipped()


def example_specs(name: str) -> list[Path]:
    """Return the example specs that ship for a type.

    `tiny`, `small` and `first` come before the others, which follow by name. The first of all is
    the example of the type. Numbers in names are sorted as numbers.
    """
    if not re.fullmatch(r"[\w-]+", name):
        return []
    folder = shipped().parent / "specs" / name
    files = [path for path in folder.glob("*.yaml") if path.is_file()]
    return sorted(files, key=_example_order)


def _example_order(path: Path) -> tuple[int, list[tuple[int, str]]]:
    """Return the rank of a spec among the examples of its type, by its name alone."""
    rank = EXAMPLES.index(path.stem) if path.stem in EXAMPLES else len(EXAMPLES)
    return rank, _natural_order(Path(path.stem))


def specs_in(folder: Path) -> list[Path]:
    """Return the specs in a folder and below, in order, without those in hidden folders.

    Raises:
        InputError: There are none.
    """
    specs = []
    for suffix in YAML:
        for file in folder.rglob(f"*{suffix}"):
            names = file.relative_to(folder).parts
            is_hidden = any(name.startswith(".") for name in names)
            if file.is_file() and not is_hidden and not _is_type(file):
                specs.append(file)
    if not specs:
        raise InputError(
            f"{folder}: there is no spec in this folder",
            help="expected files that end in .yaml or .yml",
        )
    return sorted(specs, key=_natural_order)


def _natural_order(file: Path) -> list[tuple[int, str]]:
    """Return the path as texts and numbers, so that 10 comes after 9."""
    segments = re.split(r"([0-9]+)", str(file))
    return [(int(text), "") if text.isdecimal() else (-1, text) for text in segments]


def _is_type(file: Path) -> bool:
    with suppress(InputError):
        if "variables" in read_text(file):  # few specs have the word
            return read_header(file).is_type
    return False


def types() -> dict[str, Path]:
    """Return the types in folders of types by name, with their files.

    A spec does not hide a type in a later folder. The working folder, where other files lie, is not
    listed.
    """
    files: dict[str, Path] = {}
    for folder in _type_folders():
        if not folder.is_dir():
            continue
        for path in sorted(folder.glob("*.yaml")):
            earlier = files.get(path.stem)
            if earlier is None or (is_spec(earlier) and not is_spec(path)):
                files[path.stem] = path
    return dict(sorted(files.items()))


def type_headers(words: Sequence[str] = ()) -> dict[str, Header]:
    """Return the headers of the types that all words fit, by name, but of those with errors."""
    return {
        name: header
        for name, header in headers(types()).items()
        if header is not None and header.is_type and all(map(header.matches, words))
    }


def is_path(name: str) -> bool:
    """Return whether a type is given by the path of its file, not by name."""
    return name.endswith(YAML) or "/" in name or os.sep in name


def find(name: str, spec_folder: Path | None = None) -> Path:
    """Return the file of a type.

    Aliases count only where no file has this name.

    Args:
        name: The name of the type, an alias, or the path of its file.
        spec_folder: The folder of the spec. It is searched for a name before all other folders, and
            for a path after the working folder.

    Raises:
        InputError: There is no such type.
    """
    if is_path(name):
        return _find_path(name, spec_folder)
    file = _find_file(name, spec_folder)
    if file is not None:
        return file
    headers_by_name = headers(types())
    file = _named(name, headers_by_name)
    if file is not None:
        return file
    for folder in folders(spec_folder):
        reads(folder / f"{name}.yaml")  # a result changes once there is such a file
    help = _help_for(name, spec_folder, headers_by_name)
    raise InputError(f"there is no puzzle type {name_of(name) or 'without a name'}; {help}")


def _find_path(path: str, spec_folder: Path | None) -> Path:
    """Return the file at a path of the working folder, or else beside the spec or above it."""
    above = [] if spec_folder is None else _up_to_here(spec_folder)
    candidates = [Path(path), *(folder / path for folder in above)]
    for file in candidates:
        reads(file)
        if _is_file(file):
            return file
    raise InputError(f"{name_of(path)}: there is no such type file")


def _find_file(name: str, spec_folder: Path | None) -> Path | None:
    """Return the file named after a type, or else a spec of this name; None without one."""
    if not name:
        return None
    spec = None
    for folder in folders(spec_folder):
        file = folder / f"{name}.yaml"
        if not _is_file(file):
            continue
        if not is_spec(file):
            return file
        spec = spec or file
    return spec


def _help_for(
    name: str, spec_folder: Path | None, headers_by_name: dict[str, Header | None]
) -> str:
    """Return what to write instead of a name that no type has."""
    files = {} if spec_folder is None else _types_in(spec_folder)
    for file, type_name in files.items():
        if type_name == name != file.stem:
            return (
                f"{file.name} declares it, but the type {name} is looked for in {name}.yaml: "
                "rename the file"
            )
    names = [*(file.stem for file in files), *headers_by_name]
    for header in headers_by_name.values():
        names += header.aliases if header else ()
    return nearest(name, names, fallback=()) or LIST_ADVICE


def is_known(name: str) -> bool:
    """Return whether a type has this name or alias."""
    file = None if is_path(name) else _find_file(name, None)
    if file is not None and not is_spec(file):
        return True
    return _named(name, headers(types())) is not None


def is_type(argument: str) -> bool:
    """Return whether an argument is a type, by the path of its file or by name.

    Raises:
        InputError: A file cannot be read.
    """
    if argument == "-":
        return False
    path = Path(argument)
    return read_header(path).is_type if _is_file(path) else is_known(argument)


def require_file(argument: str) -> None:
    """Raise InputError if an argument is a name, and neither a file nor a type has it."""
    is_name = argument == Path(argument).stem != "-"
    if is_name and not Path(argument).exists() and not Path(f"{argument}.yaml").exists():
        suggestion = closest(argument, types()) or LIST_ADVICE
        help = f"there is no such type, either; {suggestion}"
        raise InputError(f"{argument}: there is no such file", help=help)


def called(name: str) -> list[str]:
    """Return the types that have this name, alias or title, but for case and what separates its
    words.
    """
    word = _joined(name)
    types_called = []
    for stem, header in headers(types()).items():
        if word and header is not None and header.is_type:
            names = (stem, header.title, *header.aliases)
            if word in map(_joined, names):
                types_called.append(stem)
    return types_called


def same_name(first: str, second: str) -> bool:
    """Return whether two names differ at most in upper and lower case, and in `_` and `-`."""
    return _folded(first) == _folded(second)


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")


def _named(name: str, headers_by_name: dict[str, Header | None]) -> Path | None:
    """Return the file of the type that has this name or alias, but for case and hyphens.

    Raises:
        InputError: Several types have it.
    """
    folded = _folded(name)
    paths: dict[str, Path] = {}
    for stem, header in headers_by_name.items():
        if header and folded in map(_folded, (stem, *header.aliases)):
            paths[stem] = header.path
    if len(paths) > 1:
        raise InputError(
            f"{name} is another name of several types: {', '.join(paths)}; write one of these"
        )
    return next(iter(paths.values()), None)


def _types_in(folder: Path) -> dict[Path, str]:
    """Return the files of a folder that are types, with the names that they declare.

    Only the first few files are read.
    """
    names: dict[Path, str] = {}
    with suppress(OSError):
        for path in sorted(folder.glob("*.yaml"))[:READ_FILES]:
            with suppress(InputError):
                header = read_header(path)
                if header.is_type:
                    names[path] = header.name or path.stem
    return names


def _is_file(path: Path) -> bool:
    """Return whether there is a file; false for a name that is too long."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_spec(path: Path) -> bool:
    """Return whether the file is readable and not a type. Shipped files are types, not read."""
    if ships(path):
        return False
    try:
        return not read_header(path).is_type
    except InputError:
        return False


def generators() -> list[str]:
    """Return the names of the types with a generator."""
    return _names(plugins.GENERATORS)


def generator(name: str) -> EntryPoint:
    """Return the generator of a type. Raises InputError."""
    return _of_type(name, plugins.GENERATORS, "generate", "generator")


def has_generator(name: str) -> bool:
    """Return whether there is a generator of a type."""
    try:
        generator(name)
    except InputError:
        return False
    return True


def fetcher(name: str) -> EntryPoint:
    """Return the fetcher of a type. Raises InputError."""
    return _of_type(name, plugins.FETCHERS, "fetch", "fetcher")


def _names(group: str) -> list[str]:
    return list(dict.fromkeys(point.name for point in plugins.offered(group)))


def _of_type(name: str, group: str, verb: str, noun: str) -> EntryPoint:
    """Return the entry point of a type, given its name or an alias. Raises InputError."""
    point = plugins.find(group, name)
    if point:
        return point
    files = types()
    path = files.get(name) or _named(name, headers(files))
    if path is None:
        reason = "there is no such puzzle type"
    else:
        reason = f"it has no {noun}"
        point = plugins.find(group, path.stem)
        if point:
            return point
    close = nearest(name, _names(group))
    raise InputError(f"cannot {verb} puzzles of {name or 'nothing'}: {reason}; {close}")
