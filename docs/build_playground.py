"""The playground of the site: the page of `puzzlekit serve` as plain files, with Python in the
browser.

    python docs/build_playground.py FOLDER [--numpy FILE, FOLDER or ADDRESS]

builds it. Nothing that it downloads comes without a hash: Pyodide from npm, as
playground/package-lock.json says, and the wheel of PySAT from the package index, as
playground/requirements.txt says. numpy is no wheel there: `--numpy` names the file that Pyodide
publishes, whose hash stands in Pyodide's list of packages. Without it the page of the playground
loads that file from where Pyodide publishes it. Everything else comes from this repository, and
from the Python that runs this script. docs/hooks.py puts the playground into the site.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from puzzlekit.render import STYLE

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "playground"
PYODIDE = SOURCES / "node_modules" / "pyodide"
SERVED = ROOT / "puzzlekit" / "serve" / "static"
PLAYED = ROOT / "puzzlekit" / "play" / "static"
PUBLISHED = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"  # where Pyodide's files are
CORE = ("pyodide.mjs", "pyodide.asm.js")
TAG = ("pyemscripten_2025_0_wasm32", "313")  # of wheels for this Pyodide
# distributions of plain Python that questions need, and those with lists of words, which are loaded
# on demand: the files that puzzlekit reads
PLAIN = ("rich", "PyYAML", "six")
WORDS = {
    "wordsegment": ("__init__.py", "words.txt", "unigrams.txt", "bigrams.txt"),
    "xkcdpass": ("__init__.py", "static/fin-kotus", "static/eff-long"),
    "lemminflect": ("__init__.py", "resources/lemma_lu.csv.gz"),
    "glin_profanity": ("__init__.py", "data/**/*.json"),
    "better_profanity": ("__init__.py", "profanity_wordlist.txt"),
}
# what no question needs
LEFT_OUT = ("puzzlekit/cli", "puzzlekit/serve", "puzzlekit/examples", "puzzlekit/play/static")
LEFT_OUT_OF_NUMPY = ("random", "fft", "polynomial", "testing", "f2py", "distutils", "_pyinstaller")
UNREAD = (".so", ".pyi", ".h", ".a", ".c", ".pyx", ".pxd", ".md", ".rst", ".pyc")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; worker-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'{elsewhere}; base-uri 'none'; form-action 'none'"
)
TRY = """<details class="try"><summary>Try it here</summary>
<p>Change the puzzle or its rules, and solve, count, explain or play it. Python is loaded into this
page, some 13 MB once; nothing is sent. <a href="{page}#{example}" target="_blank">On a page of
its own</a></p>
<iframe src="{page}#{example}" title="{title} in the playground" loading="lazy"></iframe>
</details>"""
PACKAGES = "site-packages"
DATE = (2020, 1, 1, 0, 0, 0)  # of all files in archives, which are always the same then


class Unavailable(Exception):
    """The playground cannot be built here; the text says why."""


@dataclass(frozen=True)
class Numpy:
    """The wheel of numpy for Pyodide.

    Attributes:
        name: The name of its file.
        digest: The SHA-256 of its content, in hexadecimal digits.
        address: Where Pyodide publishes it.
    """

    name: str
    digest: str
    address: str

    @classmethod
    def published(cls) -> Numpy:
        """Return the wheel that Pyodide's own list of packages names."""
        version = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))["version"]
        lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
        entry = lock["packages"]["numpy"]
        address = PUBLISHED.format(version=version, file=entry["file_name"])
        return cls(entry["file_name"], entry["sha256"], address)

    def read(self, origin: str) -> bytes:
        """Return the wheel from a file, a folder or an address. Raises Unavailable."""
        try:
            if "://" in origin:
                with urllib.request.urlopen(origin, timeout=60) as response:
                    content = response.read()
            else:
                path = Path(origin)
                content = (path / self.name if path.is_dir() else path).read_bytes()
        except OSError as error:
            raise Unavailable(f"numpy: {origin} cannot be read: {error}") from None
        digest = hashlib.sha256(content).hexdigest()
        if digest != self.digest:
            raise Unavailable(f"numpy: {origin} has the hash {digest}, expected {self.digest}")
        return content


def build(folder: Path, numpy: str = "", wheel: Numpy | None = None) -> None:
    """Build the playground in a folder, which is replaced.

    Args:
        folder: The folder, which becomes `playground/` of the site.
        numpy: The file, folder or address of the wheel of numpy; empty to load it in the page.
        wheel: The wheel of numpy to expect, by default that of Pyodide.

    Raises:
        Unavailable: A program is missing, or a file cannot be had.
    """
    _fetch_pyodide()
    sat = _fetch_sat()
    wheel = wheel or Numpy.published()
    content = wheel.read(numpy) if numpy else b""
    state = _state(content, wheel)
    stamp = folder / ".state"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == state:
        return
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as stage_name:
        stage = Path(stage_name) / "python"  # /lib/python3.13 of the page
        _stage_library(stage)
        _stage_engine(stage / PACKAGES, sat)
        if content:
            _stage_numpy(stage / PACKAGES, content)
        _compile(stage)
        _write_site(folder, stage, wheel, is_own=bool(content))
    stamp.write_text(state, encoding="utf-8")


def try_here(page: str, example: str, title: str) -> str:
    """Return the part of a page of the site that opens an example in the playground.

    Nothing of the playground is loaded before somebody opens it.

    Args:
        page: The page of the playground, as the address leads from this one.
        example: The name of the type, and that of its example.
        title: The title of the type.
    """
    return TRY.format(page=page, example=example, title=html.escape(title, quote=True))


# ---- what is downloaded --------------------------------------------------------------------------


def _run(command: list[str], what: str) -> str:
    """Run a program; return what it prints. Raises Unavailable."""
    if shutil.which(command[0]) is None:
        raise Unavailable(f"there is no {command[0]} here")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        lines = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        errors = [line for line in lines if re.match(r"\w*Error\b", line)]
        raise Unavailable(f"{what}: {(errors or lines)[-1]}")
    return run.stdout


def _fetch_pyodide() -> None:
    """Install Pyodide from npm, unless this version is there."""
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    expected = lock["packages"]["node_modules/pyodide"]["version"]
    with suppress(OSError):
        installed = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))
        if installed["version"] == expected and shutil.which("node"):
            return
    if shutil.which("node") is None:
        raise Unavailable("there is no node here")
    command = ["npm", "ci", "--prefix", str(SOURCES), "--ignore-scripts", "--no-audit"]
    _run([*command, "--no-fund", "--silent"], "npm cannot install Pyodide")


def _fetch_sat() -> Path:
    """Return the wheel of PySAT for Pyodide, downloaded unless it is there."""
    requirements = SOURCES / "requirements.txt"
    folder = SOURCES / "node_modules" / ".wheels"
    _, _, digest = requirements.read_text(encoding="utf-8").strip().rpartition("sha256:")
    wheel = _wheel_of(folder, digest)
    if wheel is None:
        platform, version = TAG
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--require-hashes", "--only-binary=:all:", "--platform", platform]
        command += ["--implementation", "cp", "--python-version", version, "--abi", f"cp{version}"]
        command += ["--dest", str(folder), "--requirement", str(requirements)]
        _run(command, "pip cannot download PySAT")
        wheel = _wheel_of(folder, digest)
    if wheel is None:
        raise Unavailable("pip has downloaded another wheel of PySAT than the one that is pinned")
    return wheel


def _wheel_of(folder: Path, digest: str) -> Path | None:
    """Return the wheel with this hash in a folder; None if it is not there."""
    for path in folder.glob("*.whl"):
        if hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            return path
    return None


def _state(numpy: bytes, wheel: Numpy) -> str:
    """Return a digest of all that the playground is made of."""
    digest = hashlib.sha256(f"{wheel} {sys.version}".encode())
    digest.update(numpy)
    paths = [Path(__file__), *SOURCES.glob("*.*"), *SOURCES.glob("page/*"), ROOT / "pyproject.toml"]
    paths += [path for path, _ in _package_files()]
    paths += [path for folder in (SERVED, PLAYED) for path in folder.glob("*") if path.is_file()]
    for path in sorted(set(paths)):
        digest.update(f"\0{path}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


# ---- Python --------------------------------------------------------------------------------------


def _package_files() -> Iterator[tuple[Path, str]]:
    """Yield each file of puzzlekit that questions may need, and its path in a wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    for source in wheel["only-include"]:
        target = wheel["sources"].get(source, source)
        for path in sorted((ROOT / source).rglob("*")):
            name = f"{target}/{path.relative_to(ROOT / source).as_posix()}"
            is_read = path.suffix not in UNREAD and "__pycache__" not in path.parts
            if path.is_file() and is_read and not name.startswith(LEFT_OUT):
                yield path, name


def _stage_library(folder: Path) -> None:
    """Write Python's own modules into a folder."""
    with ZipFile(PYODIDE / "python_stdlib.zip") as files:
        files.extractall(folder)


def _stage_engine(folder: Path, sat: Path) -> None:
    """Write puzzlekit and what it requires into a folder, as `pip install` would."""
    for path, name in _package_files():
        _write(folder / name, path.read_bytes())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    _write(metadata / "METADATA", head.encode())
    _write(metadata / "entry_points.txt", _entry_points(project["entry-points"]).encode())
    for name in PLAIN:
        own = _distribution(name)
        for file in own.files or ():
            if file.suffix == ".py" and ".." not in file.parts:
                _write(folder / file.as_posix(), Path(str(own.locate_file(file))).read_bytes())
    with ZipFile(sat) as wheel:
        wheel.extractall(folder)
    for path in folder.glob("*.data"):
        shutil.rmtree(path)


def _entry_points(groups: Mapping[str, Mapping[str, str]]) -> str:
    """Return the entry points of a distribution, as a wheel has them."""
    lines: list[str] = []
    for group, names in groups.items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in names.items()), ""]
    return "\n".join(lines)


def _stage_numpy(folder: Path, content: bytes) -> None:
    """Write the parts of numpy that puzzlekit needs into a folder."""
    with ZipFile(BytesIO(content)) as files:
        files.extractall(folder)
    for part in LEFT_OUT_OF_NUMPY:
        shutil.rmtree(folder / "numpy" / part, ignore_errors=True)
    for path in [*folder.glob("numpy/**/tests"), *folder.glob("numpy/**/include")]:
        shutil.rmtree(path)
    for path in folder.glob("numpy/**/*"):
        if path.suffix in UNREAD and path.suffix != ".so":
            path.unlink()


def _compile(stage: Path) -> None:
    """Compile all modules below a folder with the Python of Pyodide."""
    command = ["node", str(SOURCES / "compile.js"), str(stage)]
    _run(command, "Pyodide cannot compile puzzlekit")


def _distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise Unavailable(f"the package {name} is not installed") from None


# ---- the site ------------------------------------------------------------------------------------


def _write_site(folder: Path, stage: Path, wheel: Numpy, *, is_own: bool) -> None:
    python = folder / "python"
    for name in CORE:
        _write(python / name, (PYODIDE / name).read_bytes())
    words = {name: _archive_words(python, name, *files) for name, files in WORDS.items()}
    archives = dict(words)
    _write_scripts(folder / "static")
    paths = [path for path in sorted(stage.rglob("*")) if path.is_file()]
    contents = {
        "core": (PYODIDE / "pyodide.asm.wasm").read_bytes(),
        "files": _tar(stage, paths),
    }
    if is_own:
        contents["snapshot"], loaded = _snapshot(folder, stage.parent, contents["files"])
        later = [path for path in paths if path.suffix == ".pyc" and path not in loaded]
        contents["files"] = _tar(stage, (path for path in paths if path.suffix != ".pyc"))
        archives |= _archive_later(python, stage, later)
    files: dict[str, object] = {}
    for name, content in contents.items():
        address = f"{name}.gzip"  # many servers do not compress what they send
        packed = gzip.compress(content, mtime=0)
        _write(python / address, packed)
        files[name] = {"address": address, "size": len(packed)}
    counted = list(files.values())
    if not is_own:
        integrity = f"sha256-{b64encode(bytes.fromhex(wheel.digest)).decode()}"
        files["numpy"] = {"address": wheel.address, "size": 0, "integrity": integrity}
    manifest = {**files, "counted": counted, "archives": archives}
    elsewhere = "" if is_own else wheel.address
    _write_page(folder, json.dumps(manifest), elsewhere)
    _write(folder / "licenses.txt", _licences(stage / PACKAGES, wheel, is_own=is_own).encode())
    _write(folder / "sw.js", _service_worker(folder, words.values(), elsewhere).encode())


def _snapshot(folder: Path, scratch: Path, files: bytes) -> tuple[bytes, set[Path]]:
    """Return the memory of a Python that has loaded puzzlekit, and the modules that it has."""
    archive, target = scratch / "files.tar", scratch / "snapshot"
    archive.write_bytes(files)
    script = SOURCES / "snapshot.js"
    command = ["node", str(script), str(folder), str(PYODIDE), str(archive), str(target)]
    printed = _run(command, "Pyodide cannot load puzzlekit")
    loaded = {scratch / "python" / path for path in _loaded(json.loads(printed))}
    return target.read_bytes(), loaded


def _loaded(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths of modules, relative to the folder of all modules of the page."""
    for path in filter(None, paths):
        yield path.removeprefix("/lib/python3.13/")


def _archive_later(python: Path, stage: Path, paths: Iterable[Path]) -> dict[str, str]:
    """Write an archive of modules that are loaded on demand; return the archive of each module."""
    target = "modules.zip"
    members = {path.relative_to(stage).as_posix(): path for path in paths}
    _write_archive(python / target, members.items())
    names = (name.removeprefix(f"{PACKAGES}/").removesuffix(".pyc") for name in members)
    return {name.removesuffix("/__init__").replace("/", "."): target for name in names}


def _write_scripts(static: Path) -> None:
    """Write the scripts of the page: those of `serve`, of a board, and those of its own."""
    scripts = [path for path in PLAYED.iterdir() if not path.name.endswith(".min.js")]
    for path in [*scripts, *SERVED.iterdir(), *SOURCES.glob("page/*")]:
        if path.is_file() and path.name not in ("index.html", "sw.js"):
            _write(static / path.name, path.read_bytes())


def _write_page(folder: Path, manifest: str, elsewhere: str) -> None:
    """Write the page, its colours and what its scripts know about files."""
    static = folder / "static"
    _write(static / "theme.css", STYLE.encode())
    _write(static / "manifest.js", f"export const FILES = {manifest};\n".encode())
    host = re.match(r"https?://[^/]+", elsewhere)
    nonce = hashlib.sha256(manifest.encode()).hexdigest()[:16]
    policy = POLICY.format(nonce=nonce, elsewhere=f" {host[0]}" if host else "")
    names = sorted(_imported(static, "main.js"))
    preloaded = "".join(f'<link rel="modulepreload" href="static/{name}">\n' for name in names)
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<link rel="stylesheet" href="static/loading.css">\n'
        '<script src="static/start.js"></script>\n'
        f"{preloaded}"
        '<script type="module" src="static/ask.js"></script>\n'  # Python is loaded first
    )
    text = (SERVED / "index.html").read_text(encoding="utf-8").replace("NONCE", nonce)
    before, mark, after = text.partition("<title>")
    _write(folder / "index.html", f"{before}{head}{mark}{after}".encode())


def _imported(static: Path, name: str) -> set[str]:
    """Return the names of all scripts that a script imports, itself included."""
    names = {name}
    waiting = [name]
    while waiting:
        text = (static / waiting.pop()).read_text(encoding="utf-8")
        further = set(re.findall(r'^(?:import|export|\}).*? from "\./(\S+)";', text, re.MULTILINE))
        waiting += further - names
        names |= further
    return names


def _service_worker(folder: Path, words: Iterable[str], numpy: str) -> str:
    """Return the script that keeps the files for the next visit."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    later = {f"python/{name}" for name in words}
    names = {path.relative_to(folder).as_posix() for path in paths} - later - {"licenses.txt"}
    constants = {
        "VERSION": digest.hexdigest()[:16],
        "FILES": sorted(names),
        "WORDS": sorted(later),
        "NUMPY": numpy,
    }
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in constants.items()]
    return "".join(lines) + (SOURCES / "page" / "sw.js").read_text(encoding="utf-8")


def _tar(folder: Path, paths: Iterable[Path]) -> bytes:
    """Return an archive of files below a folder, always the same way."""
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in paths:
            info = tarfile.TarInfo(path.relative_to(folder).as_posix())
            content = path.read_bytes()
            info.size = len(content)
            archive.addfile(info, BytesIO(content))
    return stream.getvalue()


def _archive_words(python: Path, name: str, *patterns: str) -> str:
    """Write an archive with files of an installed package; return its name."""
    package = Path(str(_distribution(name).locate_file(name)))
    paths = {path for pattern in patterns for path in package.glob(pattern)}
    target = f"{name}.zip"
    parent = package.parent
    members = ((f"{PACKAGES}/{path.relative_to(parent)}", path) for path in sorted(paths))
    _write_archive(python / target, members)
    return target


def _write_archive(target: Path, members: Iterable[tuple[str, Path]]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in members:
            info = ZipInfo(name, DATE)
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())


def _licences(packages: Path, wheel: Numpy, *, is_own: bool) -> str:
    """Return the licences of all that the site gives away with the playground."""
    texts = {"Pyodide and Python": (SOURCES / "pyodide.license.txt").read_text(encoding="utf-8")}
    texts["puzzlekit"] = (ROOT / "LICENSE").read_text(encoding="utf-8")
    for metadata in sorted(packages.glob("*.dist-info")):
        paths = sorted(path for path in metadata.rglob("*") if path.is_file())
        files = [path for path in paths if _is_licence(path.name)]
        if files:
            text = "\n".join(path.read_text(encoding="utf-8") for path in files)
            texts[metadata.name.removesuffix(".dist-info")] = text
    for name in (*PLAIN, *WORDS):
        own = _distribution(name)
        files = [file for file in own.files or () if _is_licence(file.name)]
        text = "\n".join(str(file.read_text()) for file in files)
        stated = own.metadata.get("License-Expression") or own.metadata.get("License") or ""
        address = own.metadata.get("Home-page") or ""
        texts[f"{own.name} {own.version}"] = text or f"{stated} {address}".strip()
    if not is_own:
        texts["numpy"] = f"BSD-3-Clause; {wheel.address} has its text."
    line = "-" * 80
    return f"\n{line}\n\n".join(f"{name}\n\n{text.strip()}\n" for name, text in texts.items())


def _is_licence(name: str) -> bool:
    return name.upper().startswith(("LICEN", "COPYING", "NOTICE"))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def main() -> None:
    """Build the playground in the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Build the playground of the site.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--numpy", default="", help="the wheel of numpy for Pyodide")
    options = parser.parse_args()
    try:
        build(options.folder, options.numpy)
    except Unavailable as reason:
        sys.exit(f"the playground cannot be built: {reason}")


if __name__ == "__main__":
    main()
