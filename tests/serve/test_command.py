"""`puzzlekit serve` as a command: what it prints, how it ends, and what it refuses."""

import asyncio
import html
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from puzzlekit.processes.system import tree
from puzzlekit.serve import server
from puzzlekit.serve.pool import OF_ONE
from tests.cli.running import listening
from tests.commands import called
from tests.serve.test_pool import PIGEONS


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and what it prints."""
    process = listening(
        "serve",
        *arguments,
        "--no-open",
        "--port",
        "0",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        printed = ""
        while "Ctrl-C ends it" not in printed:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            printed += line
        yield process, printed
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def test_it_prints_its_address_and_ends_with_all_its_processes(tmp_path: Path) -> None:
    with serving(str(tmp_path)) as (process, printed):
        address = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\S{20,}", printed)
        assert address and str(tmp_path) in printed and "network" not in printed
        with httpx.Client(follow_redirects=True) as client:
            assert "<title>puzzlekit</title>" in client.get(address[0]).text
            client.headers["Origin"] = address[0].partition("/?")[0]
            for number in range(OF_ONE + 2):  # some of which wait
                asked = {
                    "question": "solve",
                    "type": PIGEONS,
                    "spec": f"k: {12 + number}\n",
                    "seconds": 100,
                }
                assert client.post(f"{client.headers['Origin']}/ask", json=asked).status_code == 200
        below = tree(process.pid)
        assert len(below) >= 2
        process.send_signal(signal.SIGINT)
        process.wait(20)
        assert process.stderr is not None and process.stderr.read() == "interrupted\n"
        until = time.monotonic() + 10
        while time.monotonic() < until and any(map(_runs, below)):
            time.sleep(0.05)
        assert not any(map(_runs, below))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_it_prints_its_address_and_opens_the_browser_when_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, str]] = []

    def open_page(address: str) -> None:
        text = Path(address.removeprefix("file://")).read_text()
        target = html.unescape(re.search('url=([^"]+)"', text)[1])  # type: ignore[index]
        headers = {"Sec-Fetch-Site": "cross-site"}
        assert "puzzlekit" in httpx.get(target, headers=headers).raise_for_status().text
        opened.append((address, target))

    async def main_loop(server: Any) -> None:
        for _ in range(1000):
            if opened:
                return
            await asyncio.sleep(0.01)

    monkeypatch.setattr("uvicorn.Server.main_loop", main_loop)
    monkeypatch.setattr("webbrowser.open", open_page)
    printed = called("serve", str(tmp_path), "--host", "0.0.0.0", "--port", "0").stdout
    assert "over the network" in printed and "not encrypted" in printed
    [(address, target)] = opened
    assert target in printed and "http://localhost:" in printed
    # others on the machine read the command line of the browser
    assert "token" not in address and not Path(address.removeprefix("file://")).exists()


def test_the_page_that_opens_the_browser_is_for_its_user_alone() -> None:
    with server._private_page("http://localhost:1/?token=a&b") as page:
        assert page.stat().st_mode & 0o777 == 0o600 and "token=a&amp;b" in page.read_text()


def test_it_refuses_what_it_cannot_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    for wrong in ("file", "none/none"):
        done = called("serve", str(tmp_path / wrong), "--no-open")
        assert done.returncode == 2 and "this is no folder, and none can be made" in done.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = called("serve", str(tmp_path), "--no-open", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2 and "cannot be had" in done.stderr
    done = called("serve", str(tmp_path), "--no-open", "--port", "80000")
    assert done.returncode == 2 and "ports end at 65535" in done.stderr
    for name in [name for name in sys.modules if name.startswith(("puzzlekit.serve", "uvicorn"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = called("serve", str(tmp_path), "--no-open")
    assert done.returncode == 2 and "pip install -e '.[serve]'" in done.stderr
