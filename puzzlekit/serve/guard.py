"""Access control: the host, the origin, the token, and limits of size and time.

A page elsewhere can have a browser send requests here, and a name elsewhere can lead to this
machine. So a request is answered only if its `Host` is one of this server's, if it comes from its
own page (`Origin`), and if it carries a cookie that only the address with the token gives.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs

import h11
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]
BODY = 3_000_000  # bytes of a request
READING = 10.0  # seconds in which a request, and its body, must arrive
WRITING = 20.0  # seconds that a reader may take before it reads an answer on
STRANGERS = 100  # connections that have sent no cookie yet; one more closes the oldest
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
NO_TOKEN = (
    "Open the address that puzzlekit serve has printed: it has a token. "
    "After a new start the token is another one.\n"
)
FOREIGN = "This is for the pages of this server.\n"
ENTRANCE = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>puzzlekit</title>'
    '<meta http-equiv="refresh" content="0; url=/"></head>'
    '<body><p><a href="/">puzzlekit</a></p></body></html>\n'
)


class AccessControl:
    """An application that passes on only the requests of its pages.

    Args:
        app: The application behind it. Its requests have `person` and `body` in their state.
        host: The host that the server listens on.
        port: The port.
        token: The token that the first address must have.
    """

    def __init__(self, app: App, host: str, port: int, token: str) -> None:
        self.app = app
        self.host = host
        self.port = port
        self.token = token
        self.cookie = f"puzzlekit-{port}"

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":  # the start and the end of the server
            await self.app(scope, receive, send)
            return
        response = await self._refusal(scope, receive)
        nonce = token_urlsafe(16)
        scope["state"]["nonce"] = nonce
        headers = {**HEADERS, "Content-Security-Policy": POLICY.format(nonce=nonce)}

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                for name, content in headers.items():
                    message["headers"].append((name.lower().encode(), content.encode()))
            await send(message)

        await (response or self.app)(scope, receive, send_with_headers)

    async def _refusal(self, scope: Scope, receive: Any) -> Response | None:
        """Return the answer that replaces that of the application; None to pass the request on."""
        request = Request(scope, receive)
        host = request.headers.get("host", "")
        if len(request.headers.getlist("host")) != 1 or not self.is_own(host):
            return _refused("This server has no such name.\n", 421)
        if request.method not in ("GET", "POST"):
            return _refused("no such method\n", 405)
        site = request.headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and scope["path"] != "/":
            return _refused(FOREIGN, 403)
        token = _token_of(scope)
        if token and request.method == "GET" and scope["path"] == "/":
            return self._with_cookie(request, token)
        person = self._person(request.cookies.get(self.cookie, ""))
        if person is None:
            return _refused(NO_TOKEN, 403)
        scope["state"]["person"] = person
        scope["state"]["connection"].is_stranger = False
        if request.method == "GET":
            return None
        return await self._post_refusal(request, host)

    async def _post_refusal(self, request: Request, host: str) -> Response | None:
        """Return the refusal of a POST request; None if it is accepted and its body is stored."""
        if request.headers.get("origin") != f"http://{host}":
            return _refused(FOREIGN, 403)
        content_type, _, _ = request.headers.get("content-type", "").partition(";")
        if content_type != "application/json":
            return _refused("expected JSON\n", 415)
        body = await _body(request)
        if body is None:
            return _refused("too long\n", 413)
        request.scope["state"]["body"] = body
        return None

    def is_own(self, host: str) -> bool:
        """Return whether a `Host` is a name of this server.

        A name that leads here from elsewhere is none.
        """
        name = host
        port = "80"
        if ":" in host and not host.endswith("]"):
            name, _, port = host.rpartition(":")
        if port != str(self.port):
            return False
        name = name.strip("[]").lower()
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return not is_local(self.host) and name == socket.gethostname().lower()
        return address.is_loopback or not is_local(self.host)

    def _with_cookie(self, request: Request, token: str) -> Response:
        """Lead to the page without the token in its address, with a cookie, if it is right.

        A redirect that begins on another page, as in the file that opens the browser, carries no
        strict cookie. Then a page of this server leads on.
        """
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return _refused(NO_TOKEN, 403)
        response: Response = RedirectResponse("/", 303)
        if request.headers.get("sec-fetch-site") == "cross-site":
            response = HTMLResponse(ENTRANCE)
        if self._person(request.cookies.get(self.cookie, "")) is None:
            person = token_urlsafe(16)
            cookie = f"{person}.{self._signature(person)}"
            response.set_cookie(self.cookie, cookie, httponly=True, samesite="strict")
        return response

    def _person(self, cookie: str) -> str | None:
        """Return the person who has this cookie; None if it is not from this server."""
        person, _, signature = cookie.partition(".")
        expected = self._signature(person)
        if not person or not hmac.compare_digest(signature.encode(), expected.encode()):
            return None
        return person

    def _signature(self, person: str) -> str:
        return hmac.new(self.token.encode(), person.encode(), sha256).hexdigest()


def is_local(host: str) -> bool:
    """Return whether only programs on this machine reach a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refused(text: str, status: int) -> Response:
    """Return a refusal after which the connection is closed, and no more of a body is read."""
    return PlainTextResponse(text, status, {"Connection": "close"})


def _token_of(scope: Scope) -> str:
    """Return the token in the address of a request; empty without one."""
    query: bytes = scope["query_string"]
    text = query[:1000].decode("ascii", "replace")
    tokens = parse_qs(text).get("token", [""])
    return tokens[0]


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None if it is too long."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > BODY:
        return None
    chunks = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > BODY:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


class Protocol(H11Protocol):  # type: ignore[misc]
    """A connection that is closed if a request is late, or if nobody reads the answer.

    Attributes:
        is_stranger: Whether it has sent no request with the cookie yet.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first request; close the oldest stranger if there are too many."""
        super().connection_made(transport)
        self.is_stranger = True
        self.app_state: dict[str, Any] = {**self.app_state, "connection": self}
        self._began = self.loop.time()
        self._close_oldest_stranger()
        self._stuck: asyncio.TimerHandle | None = None
        self._late: asyncio.TimerHandle | None = self.loop.call_later(READING, transport.abort)

    def _close_oldest_stranger(self) -> None:
        strangers = [connection for connection in self.connections if connection._waits()]
        if len(strangers) > STRANGERS:
            oldest = min(strangers, key=lambda connection: connection._began)
            oldest.transport.abort()

    def _waits(self) -> bool:
        return self.is_stranger and not self.transport.is_closing()

    def data_received(self, data: bytes) -> None:
        """Begin to wait for the rest of a request, or stop, if it is complete."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._late = self._late or self.loop.call_later(READING, self.transport.abort)
        elif self._late is not None:
            self._late.cancel()
            self._late = None

    def pause_writing(self) -> None:
        """Begin to wait for the reader."""
        super().pause_writing()
        self._stuck = self.loop.call_later(WRITING, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop waiting: the reader has read."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
