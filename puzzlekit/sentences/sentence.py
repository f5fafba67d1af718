"""The base class of sentences: a template with braces, whose fields are the parts of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, ClassVar, dataclass_transform

from puzzlekit.sentences.formatting import sentence_case

PART = re.compile(r"\{(\w+)\}")
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")  # a segment that is left out if a part in it is empty


@dataclass_transform(frozen_default=True)
class Sentence:
    """A sentence, or a phrase of one.

    A subclass has a `template`, and an annotated attribute for each part in it, perhaps with a
    default, as a frozen dataclass has fields. (It is no dataclass: to make a hundred of these takes
    80 ms at each start.) `{part}` in the template stands for the text of a part. A segment in
    brackets, such as `[, since {given}]`, is left out if one of its parts is empty, that is None or
    an empty text.

    Attributes:
        template: The text with its parts.
        capitalized: Whether it begins with a capital letter.
        separator: What stands between the texts of a part that is a tuple.
        inner: The names of parts that do not begin with a capital letter, though they would alone.
        parts: The names of its parts.
    """

    template: ClassVar[str] = ""
    capitalized: ClassVar[bool] = False
    separator: ClassVar[str] = "; "
    inner: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[tuple[str, ...]] = ()
    _segments: ClassVar[tuple[tuple[bool, tuple[str, ...]], ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.parts = tuple(cls.__annotations__)
        cls._segments = tuple(_segments(cls.template))

    def __init__(self, *parts: Any, **named: Any) -> None:
        vars(self).update(zip(self.parts, parts))
        vars(self).update(named)

    def __eq__(self, operand: object) -> bool:
        if type(self) is not type(operand):
            return False
        return vars(self) == vars(operand)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        text = self._filled()
        return sentence_case(text) if self.capitalized else text

    def _filled(self) -> str:
        """Return the template with the texts of the parts."""
        segments = []
        for optional, pieces in self._segments:
            names = pieces[1::2]
            texts = list(map(self._text, names))
            if optional and not all(texts):
                continue
            filled = list(pieces)
            filled[1::2] = texts
            segments += filled
        return "".join(segments)

    def _text(self, name: str) -> str:
        """Return the text of a part; empty if it is None."""
        content = getattr(self, name)
        if content is None:
            return ""
        if name in self.inner and isinstance(content, Sentence):
            return content._filled()
        if isinstance(content, tuple):
            return self.separator.join(map(str, content))
        return str(content)

    def json(self) -> dict[str, Any]:
        """Return the name of the sentence, and the texts of its parts by name.

        A list of texts is a list; a part that is a sentence has parts of its own, beside its text.
        """
        parts = {}
        for name in self.parts:
            plain = _plain(getattr(self, name))
            if plain:
                parts[name] = plain
        return {"sentence": type(self).__name__, "parts": parts}


def _plain(content: object) -> Any:
    """Return the content of a part as plain data."""
    if content is None:
        return ""
    if isinstance(content, Sentence):
        return {**content.json(), "text": str(content)}
    if isinstance(content, tuple):
        return list(map(_plain, content))
    return str(content)


def _segments(template: str) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """Yield the segments of a template: whether it is optional, and by turns literal texts and
    names of parts.
    """
    for number, segment in enumerate(OPTIONAL.split(template)):
        is_optional = number % 2 == 1
        if segment:
            yield is_optional, tuple(PART.split(segment))


class Phrase(Enum):
    """A phrase about one thing and about several; each member is such a pair.

    Examples:
        >>> class Verb(Phrase):
        ...     IS = "it is left", "they are left"
        >>> Verb.IS.about(2)
        'they are left'
    """

    def __init__(self, of_one: str, of_several: str = "") -> None:
        self.of_one = of_one
        self.of_several = of_several or of_one

    def about(self, number: int) -> str:
        """Return the phrase about a number of things."""
        return self.of_one if number == 1 else self.of_several

    def __str__(self) -> str:
        return self.of_one
