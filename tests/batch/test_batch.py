"""`puzzlekit batch` in this process: inputs, what is asked, results, and going on where it was."""

import errno
import gzip
import json
import os
import time
from pathlib import Path

import pytest

from puzzlekit.batches.results import Results
from puzzlekit.batches.runs import Progress
from puzzlekit.cli.commands import batch as command
from puzzlekit.cli.program import main
from puzzlekit.errors import InputError
from puzzlekit.libraries.words import load as load_words
from puzzlekit.reading import recorded
from tests.batch.making import PAIR, Inline, lines, pairs, write
from tests.commands import Done, called
from tests.limits import replaced

OUT = Path("out.jsonl")


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.batches.session.Local", Inline)


def batch(*arguments: str, stdin: str = "") -> Done:
    return called("batch", *arguments, "--out", str(OUT), cwd=Path.cwd(), stdin=stdin)


def statuses() -> dict[str, str]:
    return {line["spec"]: line["status"] for line in lines(OUT)}


def totals() -> list[object]:
    """The numbers of the solutions, in their order."""
    return [line["count"] for line in lines(OUT)]


# What is asked ------------------------------------------------------------------------------------


def test_each_puzzle_has_a_line_and_the_table_counts_them() -> None:
    write(
        Path("some.jsonl"),
        [*pairs(2, 10, 40), {"puzzle": "pear"}, ["pair"], {"puzzle": "pair", "total": "x"}],
    )
    with Path("some.jsonl").open("a") as file:
        file.write("{broken\n\n")
    done = batch("some.jsonl")
    assert done.returncode == 2
    assert list(statuses().values()) == [
        "unique",
        "several",
        "none",
        "invalid",
        "invalid",
        "invalid",
        "invalid",
    ]
    unique, several, none, pear, listed, *_, broken = lines(OUT)
    assert (
        unique["solutions"] == [{"x": 1, "y": 1}] and unique["counted"] and unique["reason"] is None
    )
    assert (several["count"], several["counted"], none["count"], none["counted"]) == (
        1,
        False,
        0,
        True,
    )
    assert (unique["spec"], unique["puzzle"], unique["backend"]) == (
        "some.jsonl:1",
        "pair",
        "presolve",
    )
    assert "there is no puzzle type pear" in pear["reason"] and pear["puzzle"] == "pear"
    assert listed["reason"] == "some.jsonl:5: expected a JSON object, got list"
    assert broken["spec"] == "some.jsonl:7" and "expected a JSON object" in broken["reason"]
    table = [row.split() for row in done.stdout.splitlines()]
    assert table[0] == [
        "type",
        "done",
        "unique",
        "several",
        "none",
        "invalid",
        "median",
        "95",
        "%",
        "largest",
    ]
    counts = [
        ["?", "2", "2"],
        ["pair", "4", "1", "1", "1", "1"],
        ["pear", "1", "1"],
        ["3", "types", "7", "1", "1", "1", "4"],
    ]
    assert [row[: len(start)] for row, start in zip(table[1:], counts)] == counts
    assert "invalid: some.jsonl:4: spec['puzzle']: there is no puzzle type pear" in done.stdout
    assert done.stdout.splitlines()[-1] == "7 puzzles · out.jsonl; seconds of each puzzle"


def test_a_line_that_json_reads_but_loses_something_of_is_an_error() -> None:
    write(Path("some.jsonl"), pairs(2))
    with Path("some.jsonl").open("ab") as file:
        file.write(
            b'{"puzzle": "pair", "total": "\xff"}\n\n{"puzzle": "pair", "total": 2, "total": 4}\n'
        )
    assert batch("some.jsonl").returncode == 2
    assert [line["reason"] for line in lines(OUT)] == [
        None,
        "some.jsonl:2: this is not UTF-8 text (byte 0xFF)",
        "some.jsonl:4: the key `total` is given twice",
    ]


def test_the_query_is_that_of_solve() -> None:
    write(Path("some.jsonl"), pairs(4))
    assert batch("some.jsonl", "--count").returncode == 0
    assert batch("some.jsonl", "--all").returncode == 0
    assert batch("some.jsonl", "--sample", "2", "--seed", "1").returncode == 0
    assert batch("some.jsonl", "--set", "total=2").returncode == 0
    count, every, sample, other = lines(OUT)
    assert (count["count"], count["counted"], count["solutions"], count["status"]) == (
        3,
        True,
        [],
        "several",
    )
    assert (every["count"], len(every["solutions"])) == (3, 3)
    assert (sample["status"], len(sample["solutions"])) == ("solved", 2)
    assert other["status"] == "unique"


def test_a_goal_is_proven_and_unique_drops_it() -> None:
    Path("puzzles/low.yaml").write_text(
        PAIR.replace("pair", "low") + "goals:\n  least: minimise(x)\n"
    )
    write(Path("some.jsonl"), [{"puzzle": "low", "total": 11}])
    assert batch("some.jsonl").returncode == 0
    assert batch("some.jsonl", "--unique").returncode == 0
    best, unique = lines(OUT)
    assert (best["status"], best["goal"]) == (
        "solved",
        {"name": "least", "value": 2, "optimal": True},
    )
    assert (unique["status"], unique["goal"]) == ("several", None)


def test_check_compares_with_expect() -> None:
    for name, number in (("right", 3), ("wrong", 4)):
        Path(f"{name}.yaml").write_text(
            f"puzzle: pair\ntotal: 4\nexpect: {{solutions: {number}}}\n"
        )
    done = batch("right.yaml", "wrong.yaml", "--check")
    assert (done.returncode, statuses()) == (2, {"right.yaml": "ok", "wrong.yaml": "invalid"})
    assert "expected 4 solutions, found 3" in lines(OUT)[1]["reason"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unique", "--check"], "--unique and --check cannot be combined"),
        (["--unique", "--count"], "--unique and --check cannot be combined"),
        (["--check", "--lexicon", "x"], "--check cannot be combined with --lexicon or --set"),
        (["--limit", "2", "--count"], "exclude each other"),
        (["--set", "total"], "--set total: expected FIELD=VALUE"),
        (
            ["--cluster", "tcp://here:1", "--workers", "2"],
            "--workers cannot be combined with the address of a cluster",
        ),
    ],
)
def test_options_that_make_no_sense(options: list[str], message: str) -> None:
    write(Path("some.jsonl"), pairs(4))
    done = batch("some.jsonl", *options)
    assert done.returncode == 2 and message in done.stderr and not OUT.exists()


# Inputs -------------------------------------------------------------------------------------------


def test_specs_folders_globs_lines_gzip_and_standard_input() -> None:
    Path("specs/deep/.hidden").mkdir(parents=True)
    for number, path in enumerate(
        ["specs/b.yaml", "specs/deep/a.yml", "specs/deep/.hidden/c.yaml", "alone.yaml"], 2
    ):
        Path(path).write_text(f"puzzle: pair\ntotal: {number}\n")
    Path("specs/type.yaml").write_text(PAIR)
    with gzip.open("more.jsonl.gz", "wt") as file:
        file.write("".join(json.dumps(spec) + "\n" for spec in pairs(10, 11)))
    stdin = "".join(json.dumps(spec) + "\n" for spec in pairs(12))
    assert batch("specs", "al*.yaml", "more.jsonl.gz", "-", stdin=stdin).returncode == 0
    assert list(statuses()) == [
        "specs/b.yaml",
        "specs/deep/a.yml",
        "alone.yaml",
        "more.jsonl.gz:1",
        "more.jsonl.gz:2",
        "<stdin>:1",
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["missing.yaml"], "missing.yaml: there is no such file or folder"),
        (["*.yml"], "*.yml: no file fits this pattern"),
        (["empty"], "empty: there is no spec in this folder"),
        (["-", "-"], "standard input can be read only once"),
    ],
)
def test_inputs_that_are_not_there(given: list[str], message: str) -> None:
    Path("empty").mkdir()
    done = batch(*given)
    assert done.returncode == 2 and message in done.stderr and not OUT.exists()


def test_standard_input_that_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("sys.argv", ["puzzlekit", "batch", "-", "--out", str(OUT)])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err == "standard input is closed: there are no specs to read\n"


def test_what_cannot_be_read_costs_its_line_only() -> None:
    Path("binary.yaml").write_bytes(b"\xff\xfe\xff")
    assert batch("puzzles/pair.yaml").returncode == 2
    assert lines(OUT)[0]["reason"] == "puzzles/pair.yaml: expected a spec, got a puzzle type"
    whole = gzip.compress(
        "".join(json.dumps(spec) + "\n" for spec in pairs(*range(2, 400))).encode()
    )
    Path("cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with replaced(file_characters=100):
        write(Path("long.jsonl"), [*pairs(2), {"puzzle": "pair", "total": "2" * 1_000}, *pairs(3)])
        assert batch("binary.yaml", "cut.jsonl.gz", "long.jsonl").returncode == 2
    found = statuses()
    assert found["binary.yaml"] == "invalid"
    assert found["long.jsonl:2"] == "invalid"
    last = [line for line in lines(OUT) if line["spec"].startswith("cut")][-1]
    assert last["status"] == "invalid" and "cannot be read from here on" in last["reason"]


# Going on -----------------------------------------------------------------------------------------


def test_what_is_done_is_not_done_again() -> None:
    write(Path("some.jsonl"), [*pairs(2, 10, 40), *pairs(10)])
    assert "(1 repeated)" in batch("some.jsonl").stdout
    before = OUT.read_text()
    done = batch("some.jsonl", "--json")
    assert OUT.read_text() == before
    assert json.loads(done.stdout) | {"types": None} == {
        "puzzles": 3,
        "before": 3,
        "repeated": 1,
        "types": None,
    }
    assert json.loads(done.stdout)["types"]["pair"]["statuses"] == {
        "unique": 1,
        "several": 1,
        "none": 1,
    }


def test_a_line_that_was_not_written_to_its_end_is_mended_wherever_it_ends() -> None:
    write(Path("some.jsonl"), pairs(2, 10))
    batch("some.jsonl")
    whole = OUT.read_bytes()
    keys = [line["key"] for line in lines(OUT)]
    for length in (0, 1, 5, 40, len(whole) // 2, len(whole) - 1):
        OUT.write_bytes(whole[:length])
        assert batch("some.jsonl").returncode == 0
        assert [line["key"] for line in lines(OUT)] == keys
    OUT.write_bytes(whole[:-30] + b"\0" * 30)  # a machine that lost its power
    assert batch("some.jsonl").returncode == 0
    assert [line["key"] for line in lines(OUT)] == keys


@pytest.mark.parametrize(
    "content", ["a letter to a friend", '{"key": 1}\n', "[1]\n", '{"key": "a", "status": "fine"}\n']
)
def test_a_file_of_something_else_is_left_as_it_is(content: str) -> None:
    write(Path("some.jsonl"), pairs(2))
    OUT.write_text(content)
    done = batch("some.jsonl")
    assert done.returncode == 2 and "expected" in done.stderr and OUT.read_text() == content


def test_what_has_changed_is_done_anew() -> None:
    spec = Path("spec.yaml")
    spec.write_text("puzzle: pair\ntotal: 2\n")
    batch("spec.yaml")
    spec.write_text("puzzle: pair\ntotal: 3\n")
    batch("spec.yaml")
    Path("puzzles/pair.yaml").write_text(PAIR.replace("==", ">="))
    batch("spec.yaml")
    assert [line["status"] for line in lines(OUT)] == ["unique", "several", "several"]
    batch("spec.yaml", "--count")
    batch("spec.yaml")
    assert totals() == [1, 1, 1, 80]


WORD = """
puzzle: word
libraries: [words]
data:
  words: {type: lexicon, default: DEFAULT}
variables:
  first: ('a', 'b')
  second: ('a', 'b')
rules:
  they make a word: (first, second) in words
"""


@pytest.mark.parametrize(
    ("named", "changed"),
    [
        ("list.txt", "list.txt"),
        ("list", "list"),
        ("my list", "my list"),
        ("list-more.txt", "more.txt"),
        ("list + deep/more:2", "deep/more"),
    ],
)
def test_a_lexicon_that_has_changed_counts_too(named: str, changed: str) -> None:
    """With an extension or without one, with blanks, in expressions."""
    Path("puzzles/word.yaml").write_text(WORD.replace("DEFAULT", "english"))
    Path("specs/deep").mkdir(parents=True)
    for name in ("list.txt", "list", "my list", "more.txt", "deep/more"):
        Path("specs", name).write_text("ba\nab\n" if "more" in name else "bb\naa\nab\n")
    Path("specs/a.yaml").write_text(f"puzzle: word\nwords: {named}\n")
    before = batch_twice("specs")
    Path("specs", changed).write_text("bb\nba\n")
    assert batch_twice("specs") == before + 1


def batch_twice(*inputs: str) -> int:
    """Solve them twice; return how many lines that makes."""
    assert batch(*inputs, "--count").returncode == 0, OUT.read_text()
    size = len(lines(OUT))
    assert batch(*inputs, "--count").returncode == 0
    assert len(lines(OUT)) == size, "nothing has changed"
    return size


def test_what_is_known_from_before_is_recorded_too() -> None:
    Path("list").write_text("aa\n")
    for _ in range(2):
        with recorded() as files:
            load_words("list")
        assert files == {Path("list")}


def test_a_lexicon_that_a_type_or_an_option_names_counts_too() -> None:
    Path("puzzles/word.yaml").write_text(WORD.replace("DEFAULT", "list"))
    Path("list").write_text("aa\nab\n")
    Path("other").write_text("aa\n")
    write(Path("some.jsonl"), [{"puzzle": "word"}])
    batch_twice("some.jsonl")
    batch_twice("some.jsonl", "--lexicon", "other")
    for name in ("list", "other"):
        Path(name).write_text("aa\nab\nba\n")
    batch_twice("some.jsonl")
    batch_twice("some.jsonl", "--lexicon", "other")
    assert totals() == [2, 1, 3, 3]


def test_a_second_type_that_has_changed_counts_too() -> None:
    Path("puzzles/first.yaml").write_text(
        PAIR.replace("pair", "first") + "then:\n  second: {total: x + 1}\n"
    )
    Path("puzzles/second.yaml").write_text(PAIR.replace("pair", "second"))
    write(Path("some.jsonl"), [{"puzzle": "first", "total": 2}])
    assert batch("some.jsonl").returncode == 0
    assert batch("some.jsonl").returncode == 0 and len(lines(OUT)) == 1
    Path("puzzles/second.yaml").write_text(PAIR.replace("pair", "second").replace("==", ">="))
    batch("some.jsonl")
    first, second = (line["solutions"][0]["then"] for line in lines(OUT))
    assert first != second


def test_a_file_that_was_missing_is_looked_for_again() -> None:
    Path("puzzles/word.yaml").write_text(WORD.replace("DEFAULT", "english"))
    write(Path("some.jsonl"), [{"puzzle": "word", "words": "list"}, {"puzzle": "pear"}])
    assert batch("some.jsonl").returncode == 2
    assert batch("some.jsonl").returncode == 2 and len(lines(OUT)) == 2
    Path("list").write_text("aa\n")
    Path("puzzles/pear.yaml").write_text(
        PAIR.replace("pair", "pear").replace("  total: int", "  total: {type: int, default: 2}")
    )
    done = batch("some.jsonl", "--json")
    assert (done.returncode, len(lines(OUT)), json.loads(done.stdout)["puzzles"]) == (0, 4, 2)


def test_equal_specs_are_one_puzzle_only_if_they_read_the_same() -> None:
    Path("puzzles/word.yaml").write_text(WORD.replace("DEFAULT", "english"))
    for folder, words in {"one": "aa\n", "two": "aa\n", "three": "aa\nab\n"}.items():
        Path(folder).mkdir()
        Path(folder, "list").write_text(words)
        Path(folder, "spec.yaml").write_text("puzzle: word\nwords: list\n")
    done = batch("one", "two", "three", "--count", "--json")
    assert totals() == [1, 2]
    assert json.loads(done.stdout)["puzzles"] == 2 and json.loads(done.stdout)["repeated"] == 1
    Path("one").rename("renamed")
    assert batch("renamed", "two", "three", "--count").returncode == 0
    assert totals() == [1, 2]


def test_rules_that_run_out_of_memory_are_stopped_not_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    write(Path("some.jsonl"), pairs(2))
    with monkeypatch.context() as patch:
        patch.setattr("puzzlekit.lang.expressions._evaluate", exhausted)
        assert batch("some.jsonl").returncode == 3
    assert (lines(OUT)[0]["status"], lines(OUT)[0]["reason"]) == (
        "stopped",
        "the rules need more memory than there is",
    )
    assert batch("some.jsonl", "--timeout", "70").returncode == 0


def test_a_puzzle_that_was_stopped_is_done_anew_with_more_time() -> None:
    Path("slow.yaml").write_text("puzzle: pair\ntotal: 10\n")
    write(Path("some.jsonl"), pairs(2))
    batch("some.jsonl")
    stopped = {**lines(OUT)[0], "key": "", "status": "stopped", "bounds": "60 s"}
    batch("slow.yaml")
    stopped["key"] = lines(OUT)[1]["key"]
    first = OUT.read_text().splitlines()[0]
    OUT.write_text(f"{first}\n{json.dumps(stopped)}\n")
    assert batch("some.jsonl", "slow.yaml").returncode == 3
    assert len(lines(OUT)) == 2
    done = batch("some.jsonl", "slow.yaml", "--timeout", "70", "--json")
    assert (done.returncode, [line["status"] for line in lines(OUT)]) == (
        0,
        ["unique", "stopped", "several"],
    )
    assert json.loads(done.stdout)["types"]["pair"]["statuses"] == {"unique": 1, "several": 1}
    batch("some.jsonl", "slow.yaml", "--timeout", "50")
    assert len(lines(OUT)) == 3


def test_only_one_batch_writes_to_a_file() -> None:
    write(Path("some.jsonl"), pairs(2))
    results = Results(OUT)
    done = batch("some.jsonl")
    assert done.returncode == 2 and "another batch writes to this file" in done.stderr
    results.close()
    assert batch("some.jsonl").returncode == 0


def test_a_full_disk_leaves_the_file_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    write(Path("some.jsonl"), pairs(2, 10, 40))
    real, calls = os.write, []

    def full(handle: int, data: bytes) -> int:
        calls.append(handle)
        if len(calls) == 2:
            return real(handle, bytes(data)[:7])
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data)

    with monkeypatch.context() as patch:
        patch.setattr("puzzlekit.batches.results.os.write", full)
        done = batch("some.jsonl")
    assert done.returncode == 2
    assert (
        "out.jsonl: cannot write the results: No space left on device\n     = the file is whole"
        in done.stderr
    )
    assert len(lines(OUT)) == 1
    assert batch("some.jsonl").returncode == 0
    assert len(lines(OUT)) == 3


def test_a_file_that_cannot_be_made() -> None:
    write(Path("some.jsonl"), pairs(2))
    for place in ("missing/out.jsonl", "puzzles"):
        done = called("batch", "some.jsonl", "--out", place, cwd=Path.cwd())
        assert done.returncode == 2 and f"--out {place}: " in done.stderr


# Reports ------------------------------------------------------------------------------------------


def test_a_pipe_gets_a_line_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "EVERY", 0.01)
    with command._progress_reported(
        Progress(total=4_000, before=500, done=1_500, failed=3, stopped=2)
    ):
        told, until = "", time.monotonic() + 30
        while "\n" not in told and time.monotonic() < until:
            time.sleep(0.01)
            told += capsys.readouterr().err
    assert told.splitlines()[0].startswith("2,000 of 4,000 puzzles done, 2 stopped, 3 failed · ")


def test_parquet() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write(Path("some.jsonl"), [*pairs(2, 10), ["broken"]])
    assert batch("some.jsonl", "--parquet", "out.parquet").returncode == 2
    rows = parquet.read_table("out.parquet").to_pylist()
    assert [(row["spec"], row["status"], row["count"]) for row in rows] == [
        ("some.jsonl:1", "unique", 1),
        ("some.jsonl:2", "several", 1),
        ("some.jsonl:3", "invalid", None),
    ]
    assert json.loads(rows[0]["solutions"]) == [{"x": 1, "y": 1}]
    assert (
        "expected a file in an existing folder"
        in batch("some.jsonl", "--parquet", "no/out.parquet").stderr
    )


def test_an_interrupted_result_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results(OUT)
    results.append(b'{"key": "a"}\n')
    real = os.write

    def interrupted(handle: int, data: bytes) -> int:
        if len(data) > 5:
            return real(handle, bytes(data)[:5])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("puzzlekit.batches.results.os.write", interrupted)
        results.append(b'{"key": "bc"}')
    results.close()
    assert OUT.read_bytes() == b'{"key": "a"}\n'


def test_a_second_batch_sees_no_line_that_is_not_one() -> None:
    OUT.write_text("nothing\n")
    results = Results(OUT)
    with pytest.raises(InputError, match=r"out.jsonl:1: expected a result of a batch"):
        list(results.lines())
    results.close()
