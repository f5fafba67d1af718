"""Start the server: say where it is, open the browser, and end all workers with it."""

from __future__ import annotations

import socket
import webbrowser
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_urlsafe

import uvicorn

from puzzlekit.errors import InputError
from puzzlekit.serve.app import application
from puzzlekit.serve.files import Folder
from puzzlekit.serve.guard import AccessControl, Protocol, is_local
from puzzlekit.serve.pool import Pool

PORT = 8377  # so that a browser finds what it kept
CONNECTIONS = 200
HEAD = 32_000  # bytes of the head of a request
KEPT = 15  # seconds for which a connection stays without a request


def serve(folder: Path, host: str, port: int | None, browser: bool) -> None:
    """Serve a folder until Ctrl-C.

    A folder that is not there is made. Raises InputError if it cannot be, or if the host or the
    port cannot be had.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder}: this is no folder, and none can be made: {error.strerror}"
        ) from None
    token = token_urlsafe(16)
    with closing(bound(host, port)) as own:
        port = own.getsockname()[1]
        shown = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{port}/?token={token}"
        print(f"puzzlekit serves {folder.resolve()} at\n\n  {address}\n")
        if not is_local(host):
            print(
                f"Whoever reaches {host}:{port} over the network and knows the token can read and save the YAML files\n"
                "of this folder, and have this machine compute. What is sent is not encrypted.\n"
            )
        print("Ctrl-C ends it.", flush=True)
        if browser:
            webbrowser.open(address)
        pool = Pool(str(folder.resolve()))
        try:
            server(pool, folder, host, port, token).run([own])
        finally:
            pool.close()


def server(pool: Pool, folder: Path, host: str, port: int, token: str) -> uvicorn.Server:
    """Return the server of a folder, which is not started yet."""
    config = uvicorn.Config(
        AccessControl(application(pool, Folder(folder)), host, port, token),
        http=Protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=KEPT,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=HEAD,
    )
    return uvicorn.Server(config)


def bound(host: str, port: int | None) -> socket.socket:
    """Return a socket that has a port: without one the usual, or a free one if that is taken.
    Raises InputError.
    """
    if port is None:
        with suppress(InputError):
            return bound(host, PORT)
        port = 0
    try:
        family, kind, proto, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        own = socket.socket(family, kind, proto)
        try:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            own.bind(place)
        except BaseException:
            own.close()
            raise
    except (OSError, OverflowError) as error:
        raise InputError(
            f"{host}:{port} cannot be had: {getattr(error, 'strerror', None) or error}"
        ) from None
    return own
