"""What is said of an unknown, in parts: sentences about several places are joined from these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlekit.sentences.formatting import Located

MANY = {"is": "are", "has": "have", "does": "do"}
BRACES = re.compile(r"\{(\w+)\}")  # a part of a sentence
NOWHERE = Located("", "")
ONE = re.compile(r"(\{value\} \w+)s\b")  # a noun of which there is one


def of_many(template: str) -> str:
    """Return a template about one thing as one about several."""
    return re.sub(r" (is|has|does) ", lambda verb: f" {MANY[verb[1]]} ", template, count=1)


def denied(template: str) -> str:
    """Return the opposite of a template."""
    for verb, opposite in (
        (" is ", " is not "),
        (" are ", " are not "),
        (" has ", " does not have "),
        (" have ", " do not have "),
    ):
        if verb in template:
            return template.replace(verb, opposite, 1)
    return f"it is not so that {template}"


@dataclass(frozen=True)
class Saying:
    """A text about an unknown: a word, or a sentence with indexes in braces.

    Attributes:
        singular: The text about one place.
        plural: The text about several places; empty where the type does not state it.
    """

    singular: str
    plural: str = ""


@dataclass(frozen=True)
class Pattern:
    """The templates of what is said of an unknown: of one place and of several, if it holds and if
    not.
    """

    yes: str
    no: str
    yes_of_many: str
    no_of_many: str
    placed: bool = False  # whether {who} stands for a place with its preposition

    @classmethod
    def of(cls, yes: Saying, no: Saying | None = None) -> Pattern:
        """Return the pattern of templates: if it holds, and perhaps other ones if it does not."""
        no = no or Saying(denied(yes.singular), denied(yes.plural) if yes.plural else "")
        return cls(
            yes.singular,
            no.singular,
            yes.plural or of_many(yes.singular),
            no.plural or of_many(no.singular),
        )


VALUE = Pattern.of(Saying("{who} is {value}"))


def value_of(name: str, placed: bool) -> Pattern:
    """Return `letter of r1c1 is A`."""
    return Pattern.of(
        Saying(f"{name} of {{who}} is {{value}}" if placed else f"{name} is {{value}}")
    )


def true_or_false(name: str) -> Pattern:
    """Return `swapped is true`."""
    return Pattern.of(Saying(f"{name} is true"), Saying(f"{name} is false"))


def thing(name: str) -> Pattern:
    """Return `there is a lamp at r1c1`."""
    article, names = "an" if name[0] in "aeiou" else "a", name if name.endswith("s") else f"{name}s"
    yes, no = f"there is {article} {name} {{who}}", f"there is no {name} {{who}}"
    of_many = f"there are {names} {{who}}", f"there are no {names} {{who}}"
    return Pattern(yes, no, *of_many, placed=True)


def saying_pattern(
    sayings: Sequence[Saying], indexes: Sequence[str]
) -> tuple[Pattern, tuple[int, ...] | None]:
    """Return what a type says, and in which order its indexes stand there: the one that it begins
    with, then the others.
    """
    if "{" not in sayings[0].singular:
        return Pattern.of(*map(_predicate, sayings)), None
    first = BRACES.search(sayings[0].singular)
    lead = indexes.index(first[1]) if first and first[1] in indexes else 0
    order = (lead, *(place for place in range(len(indexes)) if place != lead))
    parts = {
        indexes[place]: f"{{{number - 1}}}" if number else "{who}"
        for number, place in enumerate(order)
    }

    def template(text: str) -> str:
        return BRACES.sub(lambda name: parts.get(name[1], "{value}"), text)

    templates = (Saying(template(saying.singular), template(saying.plural)) for saying in sayings)
    return Pattern.of(*templates), order


def _predicate(saying: Saying) -> Saying:
    """Return the templates of a word: what the places are."""
    return Saying(
        f"{{who}} is {saying.singular}", f"{{who}} are {saying.plural}" if saying.plural else ""
    )


@dataclass(frozen=True)
class Clause:
    """What is said of one place, or of several."""

    pattern: Pattern
    positive: bool
    value: str
    others: tuple[str, ...] = ()  # the places of its further indexes
    who: Located = NOWHERE
    many: bool = False

    @property
    def template(self) -> str:
        """Its words, with {who}, {value}, and numbers for other places."""
        of = self.pattern
        template = (
            (of.yes_of_many if self.many else of.yes)
            if self.positive
            else of.no_of_many
            if self.many
            else of.no
        )
        return ONE.sub(r"\1", template) if self.value == "1" else template

    def __str__(self) -> str:
        parts = {
            "who": str(self.who),
            "value": self.value,
            **{str(place): other for place, other in enumerate(self.others)},
        }
        return BRACES.sub(lambda found: parts[found[1]], self.template)

    def predicate(self) -> Clause:
        """Return what it says, whatever it is about."""
        return replace(self, who=NOWHERE, value=self.value if "{value}" in self.template else "")
