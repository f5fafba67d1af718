"""`puzzlekit fetch`, against a real server on this machine that serves recorded shapes,
and what goes wrong.
"""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from puzzlekit.api import Puzzle
from puzzlekit.api.checks import expected, unmet
from puzzlekit.api.fetching import ANSWER_BYTES, Web, fetch, read_date
from puzzlekit.catalogue import fetcher, find
from puzzlekit.errors import InputError, Unreachable, printable
from puzzlekit.lang import bind, read_spec, read_type
from tests.commands import Command

ROWS = ["PELLE", "HÄLLI", "YHÄET", "IKMYT", "TUTÄM", "YKSET"]
ANSWERS = {  # by the path that is asked for: the status and the body
    "/api/game/2024-04-18": (200, {"item": {"gameCharArray": [list(row) for row in ROWS]}}),
    "/api/game/2024-04-19": (200, {"item": {"gameCharArray": ROWS}}),
    "/api/game/2024-04-20": (200, {"item": {"gameCharArray": list("".join(ROWS))}}),
    "/api/game/2024-04-21": (200, {"item": {"board": ROWS}}),
    "/api/game/2024-04-22": (200, {"item": {"gameCharArray": [["P", 1]]}}),
    "/api/game/2024-04-23": (200, "<html>maintenance</html>"),
    "/api/game/2024-04-24": (200, {"item": {"gameCharArray": ["PELLE", "HÄ"]}}),
    "/api/game/2024-04-25": (503, "busy"),
    "/api/game/2024-04-26": (403, "no"),
    "/api/game/2024-04-27": (200, ["x"] * ANSWER_BYTES),
    "/api/game/2024-04-28": (200, [1]),
    "/api/game/2024-04-30": (200, ""),
    "/api/game/2031-01-02": (200, "x" * 100),
    "/boards.json": (
        200,
        [
            {"id": "one"},
            {
                "id": "two",
                "letters": ["axpge", "i.h.n", "ploic", "l.v.a", "lrint"],
                "colours": ["gbgbg", "y.b.b", "bygyy", "b.b.y", "gbybg"],
            },
        ],
    ),
}


class Service:
    """A service that counts what it is asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.asked[self.path] += 1
                status, body = ANSWERS.get(self.path, (404, "nothing"))
                if self.path.endswith("29") and service.asked[self.path] > 2:
                    status, body = ANSWERS["/api/game/2024-04-18"]
                elif self.path.endswith("29"):
                    status, body = 502, "later"
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                self.end_headers()
                try:
                    for byte in data if self.path.endswith("01-02") else ():
                        self.wfile.write(bytes([byte]))
                        time.sleep(0.05)
                    self.wfile.write(data)
                except ConnectionError:
                    return  # the one that asked has read enough

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "*")
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def letters(text: str, kind: str = "sanalouhos") -> list[str]:
    spec = read_spec("<test>", text)
    grid = bind(read_type(find(kind)), spec).data["letters"]
    return ["".join(grid[cell] for cell in row).upper() for row in grid.rows]


@pytest.mark.parametrize("which", ["2024-04-18", "18.4.2024", "19.4.2024", "2024-04-20"])
def test_a_day_in_each_shape_makes_the_same_board(service: Service, which: str) -> None:
    assert letters(fetch("sanalouhos", which, service.base)) == ROWS


def test_what_was_fetched_is_kept(service: Service) -> None:
    first = fetch("sanalouhos", "2024-04-18", service.base)
    assert fetch("sanalouhos", "18.4.2024", service.base) == first
    assert service.asked["/api/game/2024-04-18"] == 1
    fetch("sanalouhos", "2024-04-18", service.base, Web(refresh=True))
    assert service.asked["/api/game/2024-04-18"] == 2


@pytest.mark.parametrize("damaged", ["", '{"item"', "\0\0"])
def test_what_is_kept_and_damaged_is_fetched_anew(
    service: Service, damaged: str, tmp_path: Path
) -> None:
    first = fetch("sanalouhos", "2024-04-18", service.base)
    (kept,) = (tmp_path / "cache" / "fetched").iterdir()
    whole = kept.read_text()
    kept.write_text(damaged)
    assert fetch("sanalouhos", "2024-04-18", service.base) == first
    assert service.asked["/api/game/2024-04-18"] == 2
    assert kept.read_text() == whole


def test_a_service_that_sends_byte_by_byte_has_no_more_time(service: Service) -> None:
    with pytest.raises(Unreachable, match=r"no response within 0.2 s \(3 tries\)"):
        fetch("sanalouhos", "2031-01-02", service.base, Web(timeout=0.2, pause=0))


@pytest.mark.parametrize("base", ["here", "ftp://example.org", "http://", "http:///x"])
def test_an_address_that_is_none(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=f"as the address of the service, got {base}"):
        fetch("sanalouhos", "2024-04-18", base)
    monkeypatch.setenv("PUZZLEKIT_SANALOUHOS_BASE", base)
    with pytest.raises(InputError, match="as the address of the service"):
        fetch("sanalouhos", "2024-04-18")


def test_what_is_no_puzzle_is_not_kept(service: Service) -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="the format has changed"):
            fetch("sanalouhos", "2024-04-21", service.base)
    assert service.asked["/api/game/2024-04-21"] == 2


@pytest.mark.parametrize(
    ("which", "said"),
    [
        ("2024-04-21", "the format has changed: item has no gameCharArray; found board"),
        ("2024-04-22", "expected a list of rows or of letters"),
        ("2024-04-23", "expected JSON, got text that begins with '<html>maintenance</html>'"),
        ("2024-04-24", "is not a valid puzzle"),
        ("2024-04-26", "the service returned status 403"),
        ("2024-04-27", "the response is longer than 2,000,000 bytes"),
        ("2024-04-28", "the response has no item; found list"),
        ("2024-04-30", "expected JSON, got nothing"),
        ("2031-01-01", r"not found \(404\)"),
        ("2024-02-30", "invalid date 2024-02-30: day is out of range"),
        ("18/4/2024", "expected a date such as 2024-04-18 or 18.4.2024"),
        ("tomorrow", "expected a date .*got tomorrow"),
    ],
)
def test_what_is_wrong_is_told(service: Service, which: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        fetch("sanalouhos", which, service.base, Web(pause=0))


def test_a_service_that_fails_is_asked_three_times(service: Service) -> None:
    with pytest.raises(Unreachable, match=r"the service returned status 503 \(3 tries\)"):
        fetch("sanalouhos", "2024-04-25", service.base, Web(pause=0))
    assert service.asked["/api/game/2024-04-25"] == 3


def test_a_service_that_recovers_is_waited_for(service: Service) -> None:
    assert letters(fetch("sanalouhos", "2024-04-29", service.base, Web(pause=0))) == ROWS


def test_offline_is_told_and_exits_with_3(puzzlekit: Command, tmp_path: Path) -> None:
    done = puzzlekit(
        "fetch",
        "sanalouhos",
        "2024-04-18",
        "--base",
        "http://127.0.0.1:9",
        PUZZLEKIT_CACHE=str(tmp_path),
        NO_PROXY="*",
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "cannot fetch" in done.stderr and "set another address with --base" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_service_that_is_silent_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "*")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        base = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Unreachable, match=r"no response within 0\.1 s"):
            fetch("sanalouhos", "2024-04-18", base, Web(timeout=0.1, pause=0))


def test_the_command_prints_or_writes_a_spec_that_can_be_solved(
    puzzlekit: Command, service: Service, tmp_path: Path
) -> None:
    out = tmp_path / "day.yaml"
    cache = {
        "PUZZLEKIT_CACHE": str(tmp_path / "other"),
        "NO_PROXY": "*",
        "PUZZLEKIT_SANALOUHOS_BASE": service.base,
    }
    done = puzzlekit("fetch", "sanalouhos", "18.4.2024", "--out", str(out), **cache)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{out}\n", "")
    assert puzzlekit("fetch", "sanalouhos", "2024-04-18", **cache).stdout == out.read_text(
        encoding="utf-8"
    )
    assert "4, proven optimal" in puzzlekit("solve", str(out)).stdout


def test_a_board_with_its_solution_gets_its_colours(service: Service, tmp_path: Path) -> None:
    board = {
        "puzzle": "axpgeihnploiclvalrint",
        "solution": "applen.r.xviolai.n.clight".replace(".", ""),
    }
    path = tmp_path / "board.json"
    path.write_text(json.dumps(board), encoding="utf-8")
    text = fetch("waffle", str(path))
    spec = read_spec("<test>", text)
    kind = read_type(find("waffle"))
    puzzle = Puzzle(kind, spec, bind(kind, spec), 0.0)
    assert unmet(puzzle) == []
    assert "  gbgbg\n  y.b.b\n  bygyy\n  b.b.y\n  gbybg\n" in text


def test_one_of_several_boards_by_its_name(service: Service) -> None:
    assert letters(fetch("waffle", f"{service.base}/boards.json#two"), "waffle")[0] == "AXPGE"
    with pytest.raises(InputError, match="there are several boards"):
        fetch("waffle", f"{service.base}/boards.json")


def test_one_of_several_boards_of_a_line_each(tmp_path: Path) -> None:
    path = tmp_path / "boards.jsonl"
    board = {"letters": ["ibe", "t.e", "ygo"], "solution": ["boy", "i.e", "get"], "swaps": 5}
    path.write_text(
        "".join(json.dumps({"id": name, **board}) + "\n" for name in ("one", "two")),
        encoding="utf-8",
    )
    text = fetch("waffle", f"{path}#two")
    assert "title: two" in text
    spec, kind = read_spec("<test>", text), read_type(find("waffle"))
    assert unmet(Puzzle(kind, spec, bind(kind, spec), 0.0)) == []
    spec = read_spec("<test>", text.replace("swaps: 5", "swaps: 4"))
    assert unmet(Puzzle(kind, spec, bind(kind, spec), 0.0)) == ["expected swaps 4, found 5"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "expected JSON"),
        ("", "expected JSON"),
        ("3", "expected a JSON object"),
        ('{"solution": ["ab"]}', "no letters: expected the key letters or puzzle"),
        ('{"letters": ["ab", "cd"]}', "colours or a solution"),
        ('{"letters": "abcd", "solution": "abcd"}', "4 letters do not fill a lattice"),
        ('{"letters": ["ab", "cd"], "solution": ["ab", "c."]}', "have different cells"),
        ('{"letters": ["ab", "cd"], "colours": ["gg", "gq"]}', "is not a valid puzzle"),
    ],
)
def test_boards_of_another_shape_are_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "board.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        fetch("waffle", str(path))


SANALOUHOS = {"item": {"gameCharArray": ROWS, "date": "2024-04-18"}, "ok": True}
BOARD = {
    "id": "b",
    "letters": ["ibe", "t.e", "ygo"],
    "colours": ["yyb", "b.g", "byb"],
    "solution": ["boy", "i.e", "get"],
    "swaps": 5,
}
ODD: list[Any] = [
    *(
        None,
        True,
        float("nan"),
        float("inf"),
        -1,
        0,
        10**300,
        "",
        " ",
        "\n",
        "a",
        "ghi\nexpect: 3",
        "\x1b[31mred",
    ),
    *(
        "\u202eabc",
        "\ud800",
        [],
        [[]],
        {},
        {"": None},
        [None],
        [["a", 1]],
        [1, 2],
        ["a" * 300],
        ["ab"] * 300,
    ),
    *(
        "x" * 5000,
        "a: b\n- [c",
        "|",
        "&a *a",
        "!!tag x",
        "---\nx",
        "# none",
        "'",
        '"',
        "\t",
        "🟩🟨",
        "\x00",
        "\x85",
    ),
    *("\ufffe", [[["a"]]], {"letters": "b"}, "tg ry", ["t🟩"]),
]


def mutated(data: Any, random: Random) -> Any:
    """The data with one thing in it replaced, left out, doubled, or wrapped."""
    if isinstance(data, dict | list) and data and random.random() < 0.8:
        key = random.choice(list(data)) if isinstance(data, dict) else random.randrange(len(data))
        made: Any = data.copy()
        if random.random() < 0.15:
            del made[key]
        else:
            made[key] = mutated(data[key], random)
        return made
    if isinstance(data, str) and data and random.random() < 0.5:
        at = random.randrange(len(data))
        odd = random.choice(
            [
                "\n",
                "\x1b",
                ".",
                " ",
                "_",
                ":",
                "#",
                "|",
                "\u0301",
                "é",
                "1",
                "\r",
                "\u2028",
                "'",
                '"',
                "\ufeff",
            ]
        )
        return data[:at] + odd + data[at + random.randrange(2) :]
    return random.choice([random.choice(ODD), [data], {"a": data}, [data, data], str(data)])


def fetched_anyhow(kind: str, path: Path, which: str, text: str) -> bool:
    """Whether there is a puzzle; what else there is is told,
    and what is written says no more than its fields.
    """
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        found = fetch(kind, f"{path}{which}") if kind == "waffle" else _spec_of_file(kind, path)
    except InputError as error:
        assert len(str(error)) < 4000
        return False
    spec = read_spec("<test>", found)
    assert {*spec.nodes, *spec.about} <= {
        "puzzle",
        "title",
        "source",
        "letters",
        "colours",
        "expect",
    }
    assert printable(found) == found
    return True


def _spec_of_file(kind: str, path: Path) -> str:
    """A puzzle of a type that is fetched from a service, from a file."""
    module = fetcher(kind).load()
    with (
        patch.object(module, "address", lambda which: str(path)),
        patch.object(module, "BASE", ""),
    ):
        return fetch(kind, "2024-04-18")


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 11))]
)
def test_whatever_json_there_is_makes_a_puzzle_or_is_told(seed: int, tmp_path: Path) -> None:
    random, made = Random(seed), Counter[bool]()
    for _ in range(40 if not seed else 200):
        for kind, data, which in (
            ("sanalouhos", SANALOUHOS, ""),
            ("waffle", BOARD, ""),
            ("waffle", [BOARD, {"id": 2, **BOARD}], "#b"),
        ):
            for _ in range(random.choice([1, 1, 2, 4])):
                data = mutated(data, random)
            made[fetched_anyhow(kind, tmp_path / "a.json", which, json.dumps(data))] += 1
    assert made[True] > 5 and made[False] > 25


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "1" * 5000,
        "[" * 50_000,
        "[" * 900 + "]" * 900,
        '"\\ud800"',
        "-Infinity",
        "1e999",
        "null",
    ],
)
def test_text_that_is_none_is_told(value: str, tmp_path: Path) -> None:
    for kind, text in (
        ("sanalouhos", f'{{"item": {{"gameCharArray": {value}}}}}'),
        ("waffle", f'{{"letters": {value}, "colours": ""}}'),
    ):
        assert not fetched_anyhow(kind, tmp_path / "a.json", "", text)


def test_a_row_stays_a_row_and_a_title_a_title(tmp_path: Path) -> None:
    """A row of two lines was a field of its own, and escapes reached the terminal."""
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps({**BOARD, "letters": ["ibe", "t.e", "ygo\nexpect: 3"]}), encoding="utf-8"
    )
    with pytest.raises(InputError, match="the format has changed: expected a list of rows"):
        fetch("waffle", str(path))
    path.write_text(
        json.dumps({**BOARD, "id": "x\nexpect: {solutions: 7}\x1b[31m # \u202e"}), encoding="utf-8"
    )
    text = fetch("waffle", str(path))
    spec = read_spec("<test>", text)
    assert spec.text("title") == "x\nexpect: {solutions: 7}·[31m # ·"
    assert "solutions" not in expected(
        Puzzle(read_type(find("waffle")), spec, bind(read_type(find("waffle")), spec), 0.0)
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(InputError, match="expected a file, got a pipe or a device"):
            fetch("waffle", str(path))
    with pytest.raises(InputError, match="got a folder"):
        fetch("waffle", str(tmp_path))


def test_errors_show_no_control_characters(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps([{"id": "\x1b[31mred"}, {"id": "\x1b]0;title\x07"}]), encoding="utf-8"
    )
    done = puzzlekit("fetch", "waffle", str(path))
    assert done.returncode == 2 and "several boards" in done.stderr and "\x1b" not in done.stderr


def test_types_without_a_fetcher_and_files_that_are_not_there() -> None:
    with pytest.raises(InputError, match="cannot fetch puzzles of sudoku: it has no fetcher"):
        fetch("sudoku", "2024-04-18")
    with pytest.raises(InputError, match="there is no such file"):
        fetch("waffle", "nowhere.json")


def test_days_are_read() -> None:
    assert str(read_date(" 1.12.2025 ")) == str(read_date("2025-12-1")) == "2025-12-01"
