"""The cache on disk: a help when it works, and never an error."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words import Lexicon
from puzzlekit.libraries.words.lexicon import cache_folder, cached

WORDS = ["on", "öde", "tee", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def build() -> Lexicon:
    return Lexicon.from_words("small", WORDS, order=["tee", "on"])


def not_again() -> Lexicon:
    raise AssertionError("built although it was in the cache")


def keep(
    make: Callable[[], Lexicon] = build, key: tuple[object, ...] = ("package", "1")
) -> Lexicon:
    return cached(Lexicon, "small", key, make)


def assert_same(lexicon: Lexicon, other: Lexicon) -> None:
    assert (lexicon.name, lexicon.alphabet, lexicon.left_out) == (
        other.name,
        other.alphabet,
        other.left_out,
    )
    assert lexicon.lengths == other.lengths
    for length, rows in lexicon.codes.items():
        assert rows.dtype == other.codes[length].dtype
        assert np.array_equal(rows, other.codes[length])
        assert not rows.flags.writeable
    assert [(word, lexicon.rank(word)) for word in lexicon] == [
        (word, other.rank(word)) for word in other
    ]


@pytest.mark.parametrize(
    "lexicon",
    [
        build(),
        Lexicon.from_words("small", WORDS),
        Lexicon.from_words("small", map(chr, range(0x4E00, 0x4E00 + 300))),
        Lexicon.from_words("small", []),
    ],
    ids=["with an order", "without an order", "wide codes", "without words"],
)
def test_any_lexicon_comes_back(lexicon: Lexicon, folder: Path) -> None:
    assert_same(keep(lambda: lexicon), lexicon)
    assert_same(keep(not_again), lexicon)
    assert (keep(not_again).ranks is None) == (lexicon.ranks is None)
    (path,) = folder.iterdir()
    assert path.name.startswith("small-") and path.suffix == ".npz"


def test_another_version_is_built(folder: Path) -> None:
    keep()
    other = Lexicon.from_words("small", ["other"])
    assert_same(keep(lambda: other, ("package", "2")), other)
    assert_same(keep(not_again), build())


def damages() -> dict[str, Callable[[bytes], bytes]]:
    flip: dict[str, Callable[[bytes], bytes]] = {
        f"byte {i}": lambda data, i=i: data[:i] + bytes([data[i] ^ 0xFF]) + data[i + 1 :]  # type: ignore[misc]
        for i in range(0, 1100, 37)
    }
    cut: dict[str, Callable[[bytes], bytes]] = {
        f"cut at {i}": lambda data, i=i: data[:i]  # type: ignore[misc]
        for i in (0, 1, 30, 200, 600, 1000)
    }
    return {**flip, **cut, "text": lambda _: b"not an archive", "pickle": lambda _: b"\x80\x04N."}


@pytest.mark.parametrize("damage", damages().values(), ids=damages().keys())
def test_a_damaged_file_is_built_anew(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    keep()
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert_same(keep(), build())
    assert_same(keep(not_again), build())


def test_something_else_in_its_place(folder: Path) -> None:
    keep()
    (path,) = folder.iterdir()
    path.unlink()
    path.mkdir()
    assert_same(keep(), build())
    assert [path] == list(folder.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_its_place(folder: Path) -> None:
    keep()
    (path,) = folder.iterdir()
    path.unlink()
    os.mkfifo(path)
    assert_same(keep(), build())


def test_a_folder_that_cannot_be(folder: Path) -> None:
    folder.parent.write_text("a file where the folder should be")
    assert_same(keep(), build())


@pytest.mark.parametrize("method", ["replace", "mkdir", "unlink"])
def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    called = []

    def full(*arguments: object, **_: object) -> None:
        called.append(arguments)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, method, full)
    assert_same(keep(), build())
    assert called
    if method == "replace":  # a failed write leaves nothing
        assert list(folder.iterdir()) == []


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))  # a write fails when so much is there
from puzzlekit.libraries.words import load
print(len(load("english-common")))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no bound on files")
def test_a_disk_that_is_full_in_the_middle_of_a_write(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("20000\n", "", 0)
    assert list(folder.iterdir()) == []


def test_what_building_raises_passes_through(folder: Path) -> None:
    def fail() -> Lexicon:
        raise LexiconError("no words")

    with pytest.raises(LexiconError, match="no words"):
        keep(fail)
    assert not folder.exists()


def test_a_file_that_vanishes_between_a_look_and_the_reading(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep()
    read = Path.read_bytes

    def gone(path: Path) -> bytes:
        path.unlink()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", gone)
    again = []
    assert_same(keep(lambda: again.append(build()) or again[-1]), build())
    assert len(again) == 1
    monkeypatch.undo()
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(folder))
    assert_same(keep(not_again), build())


def test_what_was_loaded_lives_on_without_its_file(folder: Path) -> None:
    keep()
    loaded = keep(not_again)
    (path,) = folder.iterdir()
    path.write_bytes(b"damaged while in use")
    assert_same(loaded, build())
    path.unlink()
    folder.rmdir()
    assert_same(loaded, build())
    assert_same(keep(), build())
    assert len(list(folder.iterdir())) == 1


PROCESS = """
import sys, time
from puzzlekit.libraries.words import load
time.sleep(max(0, float(sys.argv[1]) - time.time()))  # all begin at once
english = load("english-common")
print(len(english), english.rank("the"), english.of_length(5)[:2])
"""


def test_processes_build_one_cache_at_once(folder: Path) -> None:
    begin = str(time.time() + 1.0)
    command = [sys.executable, "-c", PROCESS, begin]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    while any(run.poll() is None for run in runs):  # and files go while they are at it
        for path in folder.glob("*.npz"):
            path.unlink(missing_ok=True)
        time.sleep(0.02)
    for run in runs:
        assert run.communicate() == ("20000 1 ('abbas', 'abbey')\n", "")
        assert run.returncode == 0
    assert not list(folder.glob("*.part"))


def test_many_at_once(folder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for lexicon in pool.map(lambda _: keep(), range(40)):
            assert_same(lexicon, build())
    assert len(list(folder.iterdir())) == 1


def test_where_lexicons_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for variable in ("PUZZLEKIT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    usual = {
        "linux": tmp_path / ".cache" / "puzzlekit",
        "darwin": tmp_path / "Library" / "Caches" / "puzzlekit",
        "win32": tmp_path / "AppData" / "Local" / "puzzlekit" / "Cache",
    }
    for platform, place in usual.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert cache_folder() == place
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert cache_folder() == usual["linux"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "puzzlekit"
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.delenv("PUZZLEKIT_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    with pytest.raises(RuntimeError, match="home"):
        cache_folder()
    assert_same(keep(), build())
