"""Start the server: print its address, open the browser, and end all workers with it."""

from __future__ import annotations

import socket
import webbrowser
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import uvicorn

from puzzlekit.errors import InputError
from puzzlekit.serve.app import application
from puzzlekit.serve.files import Folder
from puzzlekit.serve.guard import AccessControl, Protocol, is_local
from puzzlekit.serve.pool import Pool

PORT = 8377  # always the same, so that a browser finds what it stored
CONNECTIONS = 200
HEAD = 32_000  # bytes of the head of a request
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
    "timeout_keep_alive": KEEP_ALIVE,
    "timeout_graceful_shutdown": 1,
    "h11_max_incomplete_event_size": HEAD,
}


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
    with closing(bound(host, port)) as listener:
        port = listener.getsockname()[1]
        address = f"http://{_host_name(host)}:{port}/?token={token}"
        _announce(folder, host, port, address)
        if browser:
            webbrowser.open(address)
        pool = Pool(str(folder.resolve()))
        try:
            server(pool, folder, host, port, token).run([listener])
        finally:
            pool.close()


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


def server(pool: Pool, folder: Path, host: str, port: int, token: str) -> uvicorn.Server:
    """Return the server of a folder, which is not started yet."""
    app = AccessControl(application(pool, Folder(folder)), host, port, token)
    config = uvicorn.Config(app, http=Protocol, **UVICORN_OPTIONS)
    return uvicorn.Server(config)


def bound(host: str, port: int | None) -> socket.socket:
    """Return a socket that has a port: by default the usual one, or a free one if that is used.

    Raises InputError.
    """
    if port is None:
        with suppress(InputError):
            return bound(host, PORT)
        port = 0
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
