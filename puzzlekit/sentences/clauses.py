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
    ):
        if verb in template:
            return template.replace(verb, opposite, 1)
    return f"it is not so that {template}"


@dataclass(frozen=True)
class Pattern:
    """The templates of what is said of an unknown: of one place and of several, if it holds and if not."""

    yes: str
    no: str
    yes_of_many: str
    no_of_many: str
    placed: bool = False  # whether {who} stands for a place with its preposition

    @classmethod
    def of(cls, yes: str, no: str = "") -> Pattern:
        """Return the pattern of a template, and perhaps of another one if it does not hold."""
        no = no or denied(yes)
        return cls(yes, no, of_many(yes), of_many(no))


VALUE = Pattern.of("{who} is {value}")


def value_of(name: str, placed: bool) -> Pattern:
    """Return `letter of r1c1 is A`."""
    return Pattern.of(f"{name} of {{who}} is {{value}}" if placed else f"{name} is {{value}}")


def true_or_false(name: str) -> Pattern:
    """Return `swapped is true`."""
    return Pattern.of(f"{name} is true", f"{name} is false")


def thing(name: str) -> Pattern:
    """Return `there is a lamp at r1c1`."""
    article, names = "an" if name[0] in "aeiou" else "a", name if name.endswith("s") else f"{name}s"
    yes, no = f"there is {article} {name} {{who}}", f"there is no {name} {{who}}"
    of_many = f"there are {names} {{who}}", f"there are no {names} {{who}}"
    return Pattern(yes, no, *of_many, placed=True)


def stated(texts: Sequence[str], indexes: Sequence[str]) -> tuple[Pattern, tuple[int, ...] | None]:
    """Return what a type says, and in which order its indexes stand there: the one that it begins with, then the others."""
    if "{" not in texts[0]:
        return Pattern.of(*(f"{{who}} is {text}" for text in (texts[0], *texts[1:]))), None
    first = BRACES.search(texts[0])
    lead = indexes.index(first[1]) if first and first[1] in indexes else 0
    order = (lead, *(place for place in range(len(indexes)) if place != lead))
    parts = {
        indexes[place]: f"{{{number - 1}}}" if number else "{who}"
        for number, place in enumerate(order)
    }
    return Pattern.of(
        *(BRACES.sub(lambda found: parts.get(found[1], "{value}"), text) for text in texts)
    ), order


@dataclass(frozen=True)
class Clause:
    """What is said of one place, or of several."""

    pattern: Pattern
    holds: bool
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
            if self.holds
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

    def said(self) -> Clause:
        """Return what it says, whatever it is about."""
        return replace(self, who=NOWHERE, value=self.value if "{value}" in self.template else "")
