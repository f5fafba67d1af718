"""The application: the page and its parts, questions and their answers, and files."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from puzzlekit.errors import InputError, PuzzlekitError
from puzzlekit.render.theme import STYLE
from puzzlekit.serve.files import Changed, Folder
from puzzlekit.serve.pool import LONGEST, Pool, Question, Refused
from puzzlekit.serve.questions import QUESTIONS
from puzzlekit.source import FILE_CHARACTERS

SOON = 0.15  # seconds for which a request waits for an answer, before the page asks again
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
PLAYED = ("board.js", "board.css", "hash.js", "rules.js")
NAME = re.compile(r"[a-z]+\.(js|css|svg)")
SURROGATE = re.compile("[\ud800-\udfff]")


def application(pool: Pool, folder: Folder) -> Starlette:
    """Return the application, without its guard."""

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        pool.begin()
        yield
        pool.close()

    async def ask(request: Request) -> Response:
        question = pool.ask(request.state.person, _question(_object(request)))
        with suppress(TimeoutError):
            await asyncio.wait_for(question.ended.wait(), SOON)
        return JSONResponse(_told(pool, question))

    async def news(request: Request) -> Response:
        return JSONResponse(
            {"questions": [_told(pool, question) for question in _named(pool, request)]}
        )

    async def stop(request: Request) -> Response:
        for question in _named(pool, request):
            pool.stop(question)
        return JSONResponse({})

    async def listed(request: Request) -> Response:
        return JSONResponse(
            {
                "folder": folder.path.name or str(folder.path),
                "names": await asyncio.to_thread(folder.names),
            }
        )

    async def read(request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(folder.read, _text(_object(request), "name")))

    async def versions(request: Request) -> Response:
        names = [name for name in _list(_object(request), "names") if isinstance(name, str)]
        return JSONResponse({"versions": await asyncio.to_thread(folder.versions, names[:10])})

    async def save(request: Request) -> Response:
        given = _object(request)
        version = given.get("version")
        known = version if isinstance(version, str) else None
        return JSONResponse(
            await asyncio.to_thread(folder.save, _text(given, "name"), _text(given, "text"), known)
        )

    actions: dict[str, Callable[[Request], Any]] = {
        "ask": ask, "news": news, "stop": stop, "list": listed, "read": read, "versions": versions, "save": save,
    }  # fmt: skip
    routes = [Route("/", page), Route("/static/{name}", part)]
    routes += [Route(f"/{name}", action, methods=["POST"]) for name, action in actions.items()]
    return Starlette(
        routes=routes,
        lifespan=running,
        exception_handlers={InputError: _refused, Refused: _refused},
    )


async def page(request: Request) -> Response:
    """Answer with the page."""
    return Response(_part("index.html"), media_type=TYPES["html"])


async def part(request: Request) -> Response:
    """Answer with a part of the page."""
    name = request.path_params["name"]
    content = _part(name) if NAME.fullmatch(name) else None
    if content is None:
        return Response("there is no such part\n", 404)
    return Response(content, media_type=TYPES[name.rpartition(".")[2]])


@cache
def _part(name: str) -> str | None:
    """Return a part of the page; None if there is no such part."""
    if name == "theme.css":
        return STYLE
    place = (
        files("puzzlekit.play").joinpath(name)
        if name in PLAYED
        else files("puzzlekit.serve").joinpath("static", name)
    )
    return place.read_text(encoding="utf-8") if place.is_file() else None


async def _refused(request: Request, error: Exception) -> Response:
    status = 409 if isinstance(error, Changed) else 429 if isinstance(error, Refused) else 400
    help = error.help if isinstance(error, PuzzlekitError) else ""
    return JSONResponse({"error": str(error), "help": help}, status)


def _told(pool: Pool, question: Question) -> dict[str, Any]:
    told = question.unread()
    if told["done"]:
        pool.forget(question)
    return told


def _named(pool: Pool, request: Request) -> list[Question]:
    """Return the questions that a request names; those of other people are not found."""
    ids = [name for name in _list(_object(request), "ids") if isinstance(name, str)]
    found = (pool.find(request.state.person, name) for name in ids[:200])
    return [question for question in found if question is not None]


def _object(request: Request) -> dict[str, Any]:
    """Return the object of a request. Raises InputError."""
    try:
        given = json.loads(request.state.body)
    except (ValueError, RecursionError):
        raise InputError("this is no JSON") from None
    if not isinstance(given, dict):
        raise InputError("expected an object")
    return given


def _question(given: dict[str, Any]) -> dict[str, Any]:
    """Return a question with limits. Raises InputError."""
    if _text(given, "question") not in QUESTIONS:
        raise InputError("there is no such question")
    seconds = given.get("seconds", 10)
    if not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST:
        raise InputError(f"a question has at most {LONGEST:g} seconds")
    for name in ("type", "spec", "text", "name"):
        if name in given:
            _text(given, name)
    return {**given, "seconds": seconds}


def _text(given: dict[str, Any], name: str) -> str:
    text = given.get(name)
    if not isinstance(text, str) or len(text) > FILE_CHARACTERS:
        raise InputError(f"{name}: expected a text of at most {FILE_CHARACTERS:,} characters")
    if SURROGATE.search(text):
        raise InputError(f"{name}: this is not text")
    return text


def _list(given: dict[str, Any], name: str) -> list[Any]:
    found = given.get(name)
    if not isinstance(found, list):
        raise InputError(f"expected a list: {name}")
    return found
