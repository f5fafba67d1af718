"""What the site has beside the pages of docs/: types and gallery, the API reference,
the pages of the repository's root.

A link is written as a code host reads it, relative to the file that it stands in. On the site it
leads to the page that the file became: puzzles/sudoku.yaml to the page of the type, puzzles/ to the
list of them, puzzlekit/__init__.py to the API reference. A file that is no page (a spec, a picture
of a game) is copied. A link to nothing is left as it is, and `mkdocs build --strict` reports it.
Nothing that is made here is written below docs/.
"""

from __future__ import annotations

import html
import inspect
import logging
import os
import posixpath
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

import build_playground
import gallery
import type_table
import yaml
from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from puzzlekit.cli.commands.show import show

ROOT = Path(__file__).resolve().parents[1]
TYPES = sorted(path.stem for path in (ROOT / "puzzles").glob("*.yaml"))
CACHE = ".gallery.json"  # a hidden file of the site, which a new build does not remove
COPIES = "repository"  # the folder of the site for files of the repository that are no pages
GALLERY = "<!-- gallery -->"  # stands in a page where the pictures of all types are wanted
WRITE = "<!-- write your own -->"  # stands in a page where a button leads to the playground
PLAYGROUND = "playground/index.html"  # of the site
BUILT = ROOT / "playground" / "built"  # which the next build takes if nothing has changed
log = logging.getLogger("mkdocs.plugins.playground")
EXTERNAL = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//[^>]*>"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preconnect|icon|preload))[^>]*\bhref=["']?(?:https?:)?//[^>]*>"""
)


@dataclass(frozen=True)
class TypePage:
    """The page of a puzzle type, from the type's own fields and from what the commands print and
    draw.
    """

    name: str

    @cached_property
    def fields(self) -> dict[str, object]:
        """The sections of the type's file."""
        return dict(yaml.safe_load(self.path.read_text(encoding="utf-8")))

    @property
    def path(self) -> Path:
        """The type's file."""
        return ROOT / "puzzles" / f"{self.name}.yaml"

    @property
    def title(self) -> str:
        """The type's title, or its name."""
        return str(self.fields.get("title", self.name))

    @property
    def about(self) -> str:
        """What the type says of itself, as Markdown."""
        return re.sub(
            r"([\\`*_\[\]])",
            r"\\\1",
            html.escape(str(self.fields.get("about", "")).strip(), quote=False),
        )

    @cached_property
    def specs(self) -> list[Path]:
        """The specs that ship with the type, the smallest first."""
        return sorted(
            (ROOT / "specs" / self.name).glob("*.yaml"),
            key=lambda path: (path.stat().st_size, path.name),
        )

    @property
    def spec(self) -> Path:
        """The spec that the page draws."""
        return ROOT / gallery.spec_of(self.name)

    @property
    def picture(self) -> str:
        """A solution of the spec, as SVG."""
        return site.drawn[self.name].pictures["solution"]

    @property
    def has_board(self) -> bool:
        """Whether cells or lines are drawn, beside the ground that all pictures have,
        and not only text.
        """
        return self.picture.count("<rect") > 1 or any(
            f"<{shape}" in self.picture for shape in ("line", "path", "polyline")
        )

    @property
    def is_tall(self) -> bool:
        """Whether the picture is best shown small by its upper part."""
        _, _, width, height = map(float, re.search(r'viewBox="([^"]*)"', self.picture)[1].split())  # type: ignore[index]
        return height > 1.5 * width

    @property
    def shown(self) -> str:
        """What `show` prints of the type's fields, rules and goals."""
        with redirect_stdout(StringIO()) as printed:
            show(self.name)
        parts = printed.getvalue().strip().split("\n\n")
        return "\n\n".join(parts[2 if self.about else 1 : -1])

    def markdown(self) -> str:
        """The page."""
        spec = self.spec.relative_to(ROOT)
        others = [path for path in self.specs if path != self.spec]
        puzzle, solution = gallery.images(self.name, self.title, "../")
        lines = [f"# {self.title}", "", self.about, ""]
        if not site.drawn[self.name].game:
            lines += [puzzle, solution, ""]
        else:
            game = f"../{gallery.game_of(self.name)}"
            lines += [
                (
                    f'<iframe class="game" src="{game}" title="Play this puzzle" '
                    f'loading="lazy"></iframe>'
                ),
                "",
            ]
            lines += [f'[Play it on a page of its own]({game}){{ .md-button target="_blank" }}', ""]
            lines += ['??? example "The solution"', "", f"    {solution}", ""]
        if site.has_playground:
            example = f"{self.name}/{self.spec.stem}"
            lines += [build_playground.try_here(f"../{PLAYGROUND}", example, self.title), ""]
        if guides := [f"[{title}](../{name})" for name, title in guide_titles(self.name)]:
            lines += [f"Guide: {', '.join(guides)}.", ""]
        lines += ["This command finds the solution and draws it:", ""]
        lines += [f"```console\n$ puzzlekit solve {spec} --limit 1 --svg {self.name}.svg\n```", ""]
        lines += ["## The spec", "", f"[{spec}](../../{spec}) is the whole puzzle:", ""]
        lines += [f"```yaml\n{self.spec.read_text(encoding='utf-8').rstrip()}\n```", ""]
        lines += ["## What a spec gives, and the rules", ""]
        lines += [
            f"`puzzlekit show {self.name}` prints:",
            "",
            f"```text\n{self.shown}\n```",
            "",
            "## The type",
            "",
        ]
        lines += [
            "The type is one file, in [the puzzle language](../language.md):",
            "",
            f'??? example "puzzles/{self.name}.yaml"',
            "",
            "    ```yaml",
        ]
        lines += [f"    {line}" for line in self.path.read_text(encoding="utf-8").splitlines()]
        lines += ["    ```", ""]
        if others:
            lines += ["## More specs", ""]
            lines += [
                f"- [{path.name}](../../{path.relative_to(ROOT)}): {spec_title(path)}"
                for path in others
            ]
        return "\n".join(lines) + "\n"


class Site:
    """The build that is going on: its configuration, its files, the page that is being read."""

    config: MkDocsConfig
    files: Files
    page: Page
    drawn: Mapping[str, gallery.Drawn]
    has_playground = False

    def __init__(self) -> None:
        self.types = [TypePage(name) for name in TYPES]
        self.roots = {
            path.name: path.name.lower() for path in ROOT.glob("*.md") if path.name != "README.md"
        }
        self.pages = {
            "README.md": "index.md",
            "puzzles": "types/index.md",
            "puzzlekit/__init__.py": "api.md",
            **self.roots,
        }
        self.pages |= {f"puzzles/{name}.yaml": f"types/{name}.md" for name in TYPES}

    def origin(self) -> str:
        """The path in the repository of the page that is being read."""
        source = self.page.file.src_uri
        return next((name for name, uri in self.roots.items() if uri == source), f"docs/{source}")

    def resolve(self, link: str) -> str:
        """A link of the repository as one of the site."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.origin()), parts.path))
        uri = self.pages.get(path, path.removeprefix("docs/"))
        if self.files.get_file_from_path(uri) is None:
            if not (ROOT / path).is_file():
                return link
            uri = f"{COPIES}/{path}"
            if self.files.get_file_from_path(uri) is None:
                self.files.append(File.generated(self.config, uri, abs_src_path=str(ROOT / path)))
        found = posixpath.relpath(uri, posixpath.dirname(self.page.file.src_uri) or ".")
        return parts._replace(path=found).geturl()

    def gallery(self) -> str:
        """The pictures of all types that have a board, each a link to the type's page."""
        folder = posixpath.dirname(self.page.file.src_uri) or "."
        lines = ['<div class="gallery" markdown>', ""]
        for kind in (kind for kind in self.types if kind.has_board):
            at = posixpath.relpath(f"types/{kind.name}", folder)
            shape = " .tall" if kind.is_tall else ""
            drawn = posixpath.relpath(gallery.picture_of(kind.name, "solution"), folder)
            lines += [f'[![]({drawn}){{ loading="lazy"{shape} }} {kind.title}]({at}.md)', ""]
        return "\n".join([*lines, "</div>"])

    def add_playground(self) -> None:
        """Add the files of the playground, or leave it out with a word."""
        try:
            build_playground.build(BUILT, os.environ.get("PUZZLEKIT_NUMPY", ""))
        except build_playground.Unavailable as reason:
            self.has_playground = False
            log.info("The playground is left out: %s.", reason)
            return
        self.has_playground = True
        for path in sorted(path for path in BUILT.rglob("*") if path.is_file()):
            if not path.name.startswith("."):
                uri = f"playground/{path.relative_to(BUILT).as_posix()}"
                self.files.append(File.generated(self.config, uri, abs_src_path=str(path)))

    def write_button(self) -> str:
        """The button that leads to the playground; empty without one."""
        if not self.has_playground:
            return ""
        return f"[Write your own, here]({PLAYGROUND}#new){{ .md-button .md-button--primary }}"


class Links(Treeprocessor):
    """Resolves the links of a page, before mkdocs looks for what they lead to."""

    def run(self, root: Element) -> None:
        """Resolve each link and each address of a picture."""
        for element in root.iter():
            name = {"a": "href", "img": "src"}.get(element.tag)
            if name and (link := element.get(name)):
                element.set(name, site.resolve(link))


class RepositoryLinks(Extension):
    """Markdown with the links of the repository."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the name that Markdown asks for
        """Run after links are parsed and before mkdocs validates them."""
        md.treeprocessors.register(Links(md), "repository_links", 6)


site = Site()


def spec_title(path: Path) -> str:
    """The title of a spec, as Markdown."""
    found = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    title = found.get("title", "") if isinstance(found, dict) else ""
    return html.escape(str(title), quote=False) or f"`{path.stem}`"


def guide_titles(kind: str) -> list[tuple[str, str]]:
    """The pages of the section Guides that speak of a type's specs or commands,
    with their titles.
    """
    named = re.compile(rf"(?:specs/|puzzlekit (?:solve|generate|fetch) ){kind}\b")
    sections = [
        entry["Guides"]
        for entry in site.config.nav or []
        if isinstance(entry, dict) and "Guides" in entry
    ]
    texts = {
        name: (ROOT / "docs" / name).read_text(encoding="utf-8")
        for names in sections
        for name in names
    }
    return [
        (name, text.partition("\n")[0].lstrip("# "))
        for name, text in texts.items()
        if named.search(text)
    ]


def api_page() -> str:
    """The reference of what the package exports, by kind."""
    import puzzlekit as package
    from puzzlekit import api

    names = getattr(package, "__all__", None) or [
        name for name in api.__all__ if hasattr(package, name)
    ]
    exported = ((name, getattr(package, name)) for name in names if not name.startswith("__"))
    exports = {name: it for name, it in exported if not inspect.ismodule(it)}
    errors = {
        name: it
        for name, it in exports.items()
        if inspect.isclass(it) and issubclass(it, BaseException)
    }
    classes = {
        name: it for name, it in exports.items() if inspect.isclass(it) and name not in errors
    }
    functions = {name: it for name, it in exports.items() if inspect.isroutine(it)}
    values = {
        name: it for name, it in exports.items() if name not in {*errors, *classes, *functions}
    }
    lines = [
        "# Python API",
        "",
        "What `import puzzlekit` exports. [Use it from Python](tutorials/python.md) is a tutorial.",
        "",
    ]
    for heading, group in (
        ("Functions", functions),
        ("Classes", classes),
        ("Exceptions", errors),
        ("Values", values),
    ):
        if group:
            lines += [f"## {heading}", ""]
        for name, it in group.items():
            path = (
                f"{it.__module__}.{it.__qualname__}"
                if hasattr(it, "__qualname__")
                else f"puzzlekit.{name}"
            )
            lines += [
                f"::: {path}",
                f"    options:\n      heading: {name}\n      toc_label: {name}",
                "",
            ]
    return "\n".join(lines)


def types_page() -> str:
    """The list of the types."""
    lines = [
        "# Types",
        "",
        (
            f"{len(TYPES)} types ship with puzzlekit. Each page has a spec, its solution, "
            f"and the type's file."
        ),
    ]
    lines += [
        "[Write your first type](../tutorials/first-type.md) adds one of your own.",
        "",
        GALLERY,
        "",
    ]
    lines += ["| type | name | what it is |", "| --- | --- | --- |"]
    for kind in site.types:
        sentence = (
            re.split(r"(?<=[.:]) ", kind.about.replace("\n", " "), maxsplit=1)[0]
            .rstrip(":")
            .replace("|", "\\|")
        )
        lines.append(f"| [{kind.title}]({kind.name}.md) | `{kind.name}` | {sentence} |")
    return "\n".join(lines) + "\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the extension for links, and the types to the navigation."""
    site.config = config
    config.markdown_extensions.append(RepositoryLinks())
    for entry in config.nav or []:
        for pages in entry.values() if isinstance(entry, dict) else ():
            if isinstance(pages, list) and "types/index.md" in pages:
                pages += [f"types/{name}.md" for name in TYPES]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    site.files = files
    site.drawn = gallery.cached(Path(config.site_dir) / CACHE)
    site.add_playground()
    for name, own in site.drawn.items():
        for what, text in own.pictures.items():
            files.append(File.generated(config, gallery.picture_of(name, what), content=text))
        if own.game:
            files.append(File.generated(config, gallery.game_of(name), content=own.game))
    for name, uri in site.roots.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / name)))
    files.append(File.generated(config, "api.md", content=api_page()))
    files.append(File.generated(config, "gallery.md", content=gallery.page(site.drawn)))
    files.append(File.generated(config, "types.md", content=type_table.page()))
    files.append(File.generated(config, "types/index.md", content=types_page()))
    for kind in site.types:
        files.append(File.generated(config, f"types/{kind.name}.md", content=kind.markdown()))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Note which page is read, put the gallery where it is asked for,
    and give the home page the whole width.
    """
    site.page = page
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    for mark, text in ((GALLERY, site.gallery), (WRITE, site.write_button)):
        if mark in markdown:
            markdown = markdown.replace(mark, text())
    return markdown


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """Refuse a page that loads anything from elsewhere: the site is read offline, too."""
    if found := EXTERNAL.search(output):
        raise PluginError(f"{page.file.src_uri} loads something from elsewhere: {found[0]}")
    return output
