"""XML from strangers as a tree: without entities, and without anything outside the text."""

from __future__ import annotations

from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from puzzlekit.errors import InputError


def parsed_xml(text: str) -> Element:
    """Return the root element of an XML text.

    Args:
        text: The text. A document type may be named in it; it is not loaded.

    Raises:
        InputError: The text is not well-formed, or it declares an entity.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(
            f"line {error.lineno}: the file is not well-formed XML: {reason}"
        ) from None
    return builder.close()


def _refuse_entities(*declaration: object) -> NoReturn:
    raise InputError("the file declares an XML entity, which is not read")


def text_in(element: Element, path: str) -> str:
    """Return the text of the first element at a path, on one line; empty without one."""
    return " ".join(element.findtext(path, "").split())
