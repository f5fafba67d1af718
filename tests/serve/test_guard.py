"""Who is refused: other hosts and origins, strangers, what is too long or too slow."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from puzzlekit.serve import guard
from puzzlekit.serve.guard import BODY, AccessControl
from tests.serve.running import TOKEN, Person, running

LOCAL, OPEN = ("127.0.0.1", "localhost", "[::1]"), ("192.168.0.7", "10.0.0.1")


def test_a_host_is_a_name_of_this_server() -> None:
    local, shared = (AccessControl(None, host, 80, "t") for host in ("127.0.0.1", "0.0.0.0"))  # type: ignore[arg-type]
    assert all(own.is_own(f"{host}:80") for own in (local, shared) for host in LOCAL)
    assert all(shared.is_own(f"{host}:80") and not local.is_own(f"{host}:80") for host in OPEN)
    assert local.is_own("localhost") and shared.is_own(f"{socket.gethostname()}:80")
    for host in (
        "evil.example:80",
        "127.0.0.1:81",
        "127.0.0.1.evil.example:80",
        "localhost.evil.example:80",
        "",
        ":80",
        "a@localhost:80",
    ):
        assert not local.is_own(host) and not shared.is_own(host)


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        ("/", {"Host": "evil.example"}, 421),
        ("/", {"Host": "evil.example", "X-Forwarded-Host": "127.0.0.1"}, 421),
        ("/static/main.js", {"Sec-Fetch-Site": "cross-site"}, 403),
        ("/static/..%2Fapp.py", {}, 404),
        ("/static/../app.py", {}, 404),
        ("/static/%2e%2e/%2e%2e/pyproject.toml", {}, 404),
        ("/static/no.js", {}, 404),
        ("/ask", {}, 405),
    ],
)
def test_a_page_is_given_only_to_its_own(
    person: Person, path: str, headers: dict[str, str], code: int
) -> None:
    assert person.client.get(path, headers=headers).status_code == code


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Cookie": "puzzlekit=x.y"}, 403),
    ],
)
def test_a_question_of_another_page_is_not_heard(
    person: Person, headers: dict[str, str], code: int
) -> None:
    name = f"puzzlekit-{person.port}"
    own = {
        "Content-Type": "application/json",
        "Cookie": f"{name}={person.client.cookies[name]}",
        "Origin": person.address,
    }
    assert httpx.post(f"{person.address}/list", headers=own, content=b"{}").status_code == 200
    assert (
        httpx.post(f"{person.address}/list", headers=own | headers, content=b"{}").status_code
        == code
    )


def test_without_the_token_nobody_enters(port: int) -> None:
    address = f"http://127.0.0.1:{port}"
    for query in ("", "?token=", "?token=a", "?token=%00", f"?token={TOKEN}x"):
        got = httpx.get(f"{address}/{query}")
        assert got.status_code == 403 and TOKEN not in got.text and not got.cookies
    entered = httpx.get(f"{address}/?token={TOKEN}")
    assert entered.headers["location"] == "/" and "HttpOnly" in entered.headers["set-cookie"]
    assert "samesite=strict" in entered.headers["set-cookie"].lower()


def test_an_address_that_another_page_leads_to_opens_the_page(port: int) -> None:
    address = f"http://127.0.0.1:{port}/"
    foreign = {"Sec-Fetch-Site": "cross-site"}
    entered = httpx.get(f"{address}?token={TOKEN}", headers=foreign)
    assert entered.status_code == 200 and entered.cookies and 'url=/"' in entered.text
    assert httpx.get(f"{address}?token=a", headers=foreign).status_code == 403


def test_every_answer_forbids_what_the_page_does_not_need(person: Person) -> None:
    for path in ("/", "/static/main.js", "/no"):
        headers = person.client.get(path).headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert (
            "unsafe" not in headers["content-security-policy"]
            and headers["x-frame-options"] == "DENY"
        )
    page = person.client.get("/").text
    assert "<script>" not in page and "style=" not in page and "<style" not in page


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"[" * 100_000,
        b'{"question": 1}',
        b'{"question": ["solve"]}',
        b'{"question": "solve", "seconds": 1e9}',
        b'{"question": "solve", "type": "\\ud800", "name": "a.yaml", "text": "\\ud800"}',
        b'{"question": "solve", "type": 1, "name": "a.yaml", "text": 1}',
        b"\xff",
    ],
)
def test_a_body_that_is_no_question_is_refused(person: Person, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    assert person.client.post("/ask", headers=headers, content=body).status_code == 400
    assert person.client.post("/save", headers=headers, content=body).status_code == 400


def test_a_long_body_is_refused_before_it_is_sent(person: Person) -> None:
    name = f"puzzlekit-{person.port}"
    head = (
        f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{person.port}\r\nOrigin: {person.address}\r\n"
        f"Content-Type: application/json\r\n"
    )
    with socket.create_connection(("127.0.0.1", person.port)) as connection:
        cookie = f"Cookie: {name}={person.client.cookies[name]}\r\n"
        connection.sendall(f"{head}{cookie}Content-Length: {BODY + 1}\r\n\r\n".encode())
        assert b" 413 " in connection.recv(100)


def _refused_upload(port: int, head: str) -> int:
    """The bytes that a server reads of a body without end, before it ends the connection."""
    sent = 0
    with socket.create_connection(("127.0.0.1", port)) as connection, suppress(ConnectionError):
        connection.settimeout(20)
        connection.sendall(head.encode())
        while sent < 30_000_000:
            connection.sendall(b" " * 50_000)
            sent += 50_000
    return sent


@pytest.mark.parametrize(
    "header",
    ["", "Cookie: {cookie}\r\n", "Cookie: {cookie}\r\nOrigin: http://evil.example\r\n"],
    ids=["without a token", "too long", "of another page"],
)
def test_no_more_of_a_refused_body_is_read(person: Person, header: str) -> None:
    name = f"puzzlekit-{person.port}"
    header = header.format(cookie=f"{name}={person.client.cookies[name]}")
    if "evil" not in header:
        header += f"Origin: {person.address}\r\n"
    head = (
        f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{person.port}\r\n{header}"
        "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n"
    )
    assert _refused_upload(person.port, head) < 20_000_000


def test_strangers_do_not_keep_others_out(person: Person) -> None:
    assert person.client.get("/").status_code == 200
    silent = [socket.create_connection(("127.0.0.1", person.port)) for _ in range(250)]
    try:
        for _ in range(1000):
            assert stranger_status(person.port) == 403
        assert person.client.get("/").status_code == 200
        with Person(person.port) as late:
            assert late.client.get("/").status_code == 200
    finally:
        for connection in silent:
            connection.close()


def stranger_status(port: int) -> int:
    """The status that somebody without a token gets, on a connection that is then closed."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(20)
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        answered = b""
        while received := connection.recv(65536):
            answered += received
    return int(answered.split()[1])


def test_a_body_without_end_is_cut_off(person: Person) -> None:
    def endless() -> Any:
        while True:
            yield b" " * 100_000

    with pytest.raises(httpx.HTTPError):
        got = person.client.post(
            "/ask", headers={"Content-Type": "application/json"}, content=endless()
        )
        got.raise_for_status()
    assert person.client.get("/").status_code == 200


def test_who_is_slow_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "READING", 0.3)
    monkeypatch.setattr(guard, "WRITING", 0.3)
    (tmp_path / "large.yaml").write_text("# " + "x" * 290_000)
    with running(tmp_path) as port, Person(port) as person:
        name = f"puzzlekit-{port}"
        head = (
            f"POST /read HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {person.address}\r\n"
            f"Content-Type: application/json\r\n"
        )
        head += f"Cookie: {name}={person.client.cookies[name]}\r\n"
        silent, slow, again, late, deaf = connections = [socket.socket() for _ in range(5)]
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for connection in connections:
            connection.connect(("127.0.0.1", port))
            connection.settimeout(10)
        slow.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        wanted = b'{"name": "large.yaml"}'
        deaf.sendall((f"{head}Content-Length: {len(wanted)}\r\n\r\n".encode() + wanted) * 40)
        answered = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        again.sendall(f"{answered}\r\n".encode())
        late.sendall(f"{answered}Content-Length: 100000\r\n\r\n".encode())
        for connection in (again, late):
            assert b" 403 " in connection.recv(4096)
            _dribble(connection)
        for connection in (silent, slow):
            assert connection.recv(1) == b""
        got = 0
        time.sleep(1)  # longer than a reader may wait
        with suppress(ConnectionError):
            while part := deaf.recv(65536):
                got += len(part)
        assert got < 40 * 290_000
        assert person.client.get("/").status_code == 200
        for connection in connections:
            connection.close()


def _dribble(connection: socket.socket) -> None:
    """Send byte by byte until the other side ends that."""
    until = time.monotonic() + 10
    with suppress(ConnectionError):
        while time.monotonic() < until:
            connection.sendall(b"x")
            time.sleep(0.05)
        raise AssertionError("nobody has ended it")
