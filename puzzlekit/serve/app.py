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
from puzzlekit.play import play_file
from puzzlekit.questions import checked_question, text_of
from puzzlekit.render import STYLE
from puzzlekit.serve.files import Changed, Folder
from puzzlekit.serve.pool import Pool, Question, Refused

SOON = 0.15  # seconds for which a request waits for an answer, before the page asks again
Action = Callable[[Request], Any]
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
NAME = re.compile(r"[a-z]+\.(js|css|svg)")


def application(pool: Pool, folder: Folder) -> Starlette:
    """Return the application, without its access control."""

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        pool.begin()
        yield
        pool.close()

    actions = _question_actions(pool) | _file_actions(folder)
    routes = [Route("/", page), Route("/static/{name}", static_file)]
    routes += [Route(f"/{name}", action, methods=["POST"]) for name, action in actions.items()]
    return Starlette(
        routes=routes,
        lifespan=running,
        exception_handlers={InputError: _refused, Refused: _refused},
    )


def _question_actions(pool: Pool) -> dict[str, Action]:
    """Return the actions on questions, by name."""

    async def ask(request: Request) -> Response:
        question = pool.ask(request.state.person, checked_question(_object(request)))
        with suppress(TimeoutError):
            await asyncio.wait_for(question.ended.wait(), SOON)
        return JSONResponse(_news(pool, question))

    async def news(request: Request) -> Response:
        questions = [_news(pool, question) for question in _named(pool, request)]
        return JSONResponse({"questions": questions})

    async def stop(request: Request) -> Response:
        for question in _named(pool, request):
            pool.stop(question)
        return JSONResponse({})

    return {"ask": ask, "news": news, "stop": stop}


def _file_actions(folder: Folder) -> dict[str, Action]:
    """Return the actions on files, by name."""

    async def list_files(request: Request) -> Response:
        names = await asyncio.to_thread(folder.names)
        return JSONResponse({"folder": {"name": folder.title, "id": folder.id}, "names": names})

    async def read(request: Request) -> Response:
        name = text_of(_object(request), "name")
        return JSONResponse(await asyncio.to_thread(folder.read, name))

    async def versions(request: Request) -> Response:
        names = _texts(_object(request), "names")
        return JSONResponse({"versions": await asyncio.to_thread(folder.versions, names[:10])})

    async def save(request: Request) -> Response:
        given = _object(request)
        version = given.get("version")
        if not isinstance(version, str):
            version = None
        name = text_of(given, "name")
        text = text_of(given, "text")
        return JSONResponse(await asyncio.to_thread(folder.save, name, text, version))

    return {"list": list_files, "read": read, "versions": versions, "save": save}


async def page(request: Request) -> Response:
    """Answer with the page. Styles that its editor adds have the nonce of the answer."""
    text = _static_text("index.html") or ""
    return Response(text.replace("NONCE", request.state.nonce), media_type=TYPES["html"])


async def static_file(request: Request) -> Response:
    """Answer with a script or a style sheet of the page."""
    name = request.path_params["name"]
    content = _static_text(name) if NAME.fullmatch(name) else None
    if content is None:
        return Response("there is no such part\n", 404)
    _, _, suffix = name.rpartition(".")
    return Response(content, media_type=TYPES[suffix])


@cache
def _static_text(name: str) -> str | None:
    """Return the text of a file of the page; None if there is no such file."""
    if name == "theme.css":
        return STYLE
    played = play_file(name)
    if played is not None:
        return played
    file = files("puzzlekit.serve").joinpath("static", name)
    return file.read_text(encoding="utf-8") if file.is_file() else None


async def _refused(request: Request, error: Exception) -> Response:
    status = 400
    if isinstance(error, Changed):
        status = 409
    elif isinstance(error, Refused):
        status = 429
    help = error.help if isinstance(error, PuzzlekitError) else ""
    return JSONResponse({"error": str(error), "help": help}, status)


def _news(pool: Pool, question: Question) -> dict[str, Any]:
    """Return what is new of a question; one that is over is forgotten."""
    news = question.unread()
    if news["done"]:
        pool.forget(question)
    return news


def _named(pool: Pool, request: Request) -> list[Question]:
    """Return the questions that a request names, without those of other people."""
    ids = _texts(_object(request), "ids")
    questions = [pool.find(request.state.person, name) for name in ids[:200]]
    return [question for question in questions if question is not None]


def _object(request: Request) -> dict[str, Any]:
    """Return the object of a request. Raises InputError."""
    try:
        given = json.loads(request.state.body)
    except (ValueError, RecursionError):
        raise InputError("this is no JSON") from None
    if not isinstance(given, dict):
        raise InputError("expected an object")
    return given


def _texts(given: dict[str, Any], name: str) -> list[str]:
    """Return the texts of a list. Raises InputError if it is no list."""
    members = given.get(name)
    if not isinstance(members, list):
        raise InputError(f"expected a list: {name}")
    return [member for member in members if isinstance(member, str)]
