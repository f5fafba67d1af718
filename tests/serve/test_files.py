"""Files of the folder: nothing outside is read or written, and nothing is overwritten unseen."""

from pathlib import Path

import pytest

from puzzlekit import InputError
from puzzlekit.reading import confine, read_text
from puzzlekit.serve.files import Changed, Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    own = tmp_path / "own"
    (own / "below").mkdir(parents=True)
    (own / "a.yaml").write_text("a: 1\n")
    (own / "below" / "b.yml").write_text("b: 1\n")
    (own / ".hidden.yaml").write_text("h: 1\n")
    (own / "notes.txt").write_text("no")
    (tmp_path / "secret.yaml").write_text("secret: 1\n")
    (own / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (own / "text.yaml").symlink_to(own / "notes.txt")
    (own / "out").symlink_to(tmp_path)
    return Folder(own)


OUTSIDE = (
    "../secret.yaml",
    "out/secret.yaml",
    "link.yaml",
    "/etc/passwd.yaml",
    "text.yaml",
    ".hidden.yaml",
    "notes.txt",
    "a\0.yaml",
    "",
)


@pytest.mark.parametrize(
    "name", [*OUTSIDE, "below/../../secret.yaml", f"{'x' * 5000}.yaml", "out/new.yaml"]
)
def test_no_name_leads_out_of_the_folder(folder: Folder, name: str) -> None:
    with pytest.raises(InputError):
        folder.read(name)
    with pytest.raises(InputError):
        folder.save(name, "text", None)
    assert (folder.path.parent / "secret.yaml").read_text() == "secret: 1\n"
    assert not (folder.path.parent / "new.yaml").exists()


@pytest.mark.parametrize(
    "name",
    [
        "a\nb.yaml",
        "a\tb.yaml",
        "a\u202eb.yaml",
        "a\u200bb.yaml",
        "a\u2028b.yaml",
        "x/" * 2000 + "a.yaml",
        "x" * 201 + ".yaml",
    ],
)
def test_a_name_is_short_and_seen_as_it_is_written(folder: Folder, name: str) -> None:
    before = sorted(folder.path.rglob("*"))
    with pytest.raises(InputError, match="a name has"):
        folder.save(name, "text", None)
    assert sorted(folder.path.rglob("*")) == before


def test_a_name_that_is_there_can_be_saved_whatever_is_in_it(folder: Folder) -> None:
    (folder.path / "a\u202eb.yaml").write_text("a: 1\n")
    read = folder.read("a\u202eb.yaml")
    folder.save("a\u202eb.yaml", "a: 2\n", read["version"])
    folder.save("\u0646\u200c\u0645 \u00e9\U0001f9e9.yaml", "a: 1\n", None)
    assert folder.read("a\u202eb.yaml")["text"] == "a: 2\n"


def test_a_file_is_saved_only_over_the_version_that_was_read(folder: Folder) -> None:
    read = folder.read("a.yaml")
    saved = folder.save("a.yaml", "a: 2\n", read["version"])
    assert folder.versions(["a.yaml", "gone.yaml"]) == {
        "a.yaml": saved["version"],
        "gone.yaml": None,
    }
    (folder.path / "a.yaml").write_text("a: 3\n")
    for version in (saved["version"], None):
        with pytest.raises(Changed):
            folder.save("a.yaml", "a: 4\n", version)
    assert folder.read("a.yaml")["text"] == "a: 3\n"
    folder.save("new/c.yaml", "c: 1\n", None)
    assert {"a.yaml", "below/b.yml", "new/c.yaml"} <= set(
        folder.names()
    ) and ".hidden.yaml" not in folder.names()
    assert sorted(path.name for path in (folder.path / "new").iterdir()) == ["c.yaml"]


@pytest.mark.parametrize("data", [b"a: \xff\n", b"#" * 2_000_000], ids=["no text", "too long"])
def test_a_file_that_cannot_be_read_is_not_overwritten(folder: Folder, data: bytes) -> None:
    file = folder.path / "a.yaml"
    file.write_bytes(data)
    with pytest.raises(InputError):
        folder.save("a.yaml", "a: 2\n", None)
    assert file.read_bytes() == data


def test_a_confined_process_reads_only_below_its_folders(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit.reading._folders", ())
    confine(folder.path)
    assert read_text(folder.path / "a.yaml") == "a: 1\n"
    for outside in (
        folder.path / "link.yaml",
        folder.path / ".." / "secret.yaml",
        Path("/etc/passwd"),
    ):
        with pytest.raises(InputError, match="only files in the folder"):
            read_text(outside)
