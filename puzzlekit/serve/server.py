"""Start the server: print its address, open the browser, and end all workers with it."""

from __future__ import annotations

import os
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from html import escape
from pathlib import Path
from secrets import token_urlsafe
from tempfile import mkstemp
from threading import Thread
from typing import Any

import uvicorn

from puzzlekit.errors import InputError
from puzzlekit.serve.app import application
from puzzlekit.serve.files import Folder
from puzzlekit.serve.guard import AccessControl, Protocol, is_local
from puzzlekit.serve.pool import Pool

PORT = 8377  # always the same, so that a browser finds what it stored
CONNECTIONS = 400
BACKLOG = 100  # connections that are accepted at once
HEAD = 32_000  # bytes of the head of a request
PORTS = range(65_536)
KEEP_ALIVE = 15  # seconds for which a connection stays without a request
UVICORN_OPTIONS: dict[str, Any] = {
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    "log_level": "critical",
    "access_log": False,
    "server_header": False,
    "date_header": False,
    "limit_concurrency": CONNECTIONS,
    "backlog": BACKLOG,
    "timeout_keep_alive": KEEP_ALIVE,
    "timeout_graceful_shutdown": 1,
    "h11_max_incomplete_event_size": HEAD,
}
LEADING = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>puzzlekit</title>'
    '<meta name="referrer" content="no-referrer">'
    '<meta http-equiv="refresh" content="0; url={address}"></head>'
    '<body><p><a href="{address}">puzzlekit</a></p></body></html>\n'
)


def serve(folder: Path, host: str, port: int | None, browser: bool) -> None:
    """Serve a folder until Ctrl-C.

    The folder is created if it does not exist. Raises InputError if it cannot be, or if the host
    or the port is not available.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder}: this is no folder, and none can be made: {error.strerror}"
        ) from None
    token = token_urlsafe(16)
    with closing(bound(host, port)) as listener, ExitStack() as until_end:
        port = listener.getsockname()[1]
        address = f"http://{_host_name(host)}:{port}/?token={token}"

        def listening() -> None:
            _announce(folder, host, port, address)
            if browser:
                _open_browser(until_end.enter_context(_private_page(address)))

        pool = Pool(str(folder.resolve()))
        until_end.callback(pool.close)
        server(pool, folder, host, port, token, listening).run([listener])


@contextmanager
def _private_page(address: str) -> Iterator[Path]:
    """Write a file that only this user can read, and that leads a browser to an address.

    The address itself would be in the command line of the browser, which all users can read.
    """
    handle, name = mkstemp(prefix="puzzlekit-", suffix=".html")
    page = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(LEADING.format(address=escape(address)))
        yield page
    finally:
        page.unlink(missing_ok=True)


def _open_browser(page: Path) -> None:
    """Open a page in the browser, which may run in this terminal until it is closed."""
    Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()


def _host_name(host: str) -> str:
    """Return a host as it stands in an address."""
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _announce(folder: Path, host: str, port: int, address: str) -> None:
    print(f"puzzlekit serves {folder.resolve()} at\n\n  {address}\n")
    if not is_local(host):
        print(
            f"Whoever reaches {host}:{port} over the network and knows the token can read and save "
            "the YAML files\n"
            "of this folder, and have this machine compute. What is sent is not encrypted.\n"
        )
    print("Ctrl-C ends it.", flush=True)


class _Server(uvicorn.Server):  # type: ignore[misc]
    """A server that calls a function as soon as it accepts connections."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections."""
        await super().startup(sockets)
        if self.started:
            self._listening()


def server(
    pool: Pool, folder: Path, host: str, port: int, token: str, listening: Callable[[], None]
) -> uvicorn.Server:
    """Return the server of a folder, which is not started yet."""
    app = AccessControl(application(pool, Folder(folder)), host, port, token)
    config = uvicorn.Config(app, http=Protocol, **UVICORN_OPTIONS)
    return _Server(config, listening)


def bound(host: str, port: int | None) -> socket.socket:
    """Return a socket that has a port: by default the usual one, or a free one if that is used.

    Raises InputError.
    """
    if port is None:
        with suppress(InputError):
            return bound(host, PORT)
        port = 0
    if port not in PORTS:  # the system takes the last sixteen bits
        raise InputError(f"port {port} cannot be had: ports end at {PORTS[-1]}")
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, socket_type, protocol, _, address = addresses[0]
        listener = socket.socket(family, socket_type, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except BaseException:
            listener.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{host}:{port} cannot be had: {reason}") from None
    return listener
