"""What is said of an unknown, in parts: sentences about several places are joined from these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlekit.lang.puzzle_type import Saying

MANY = {"is": "are", "has": "have", "does": "do"}
BRACES = re.compile(r"\{(\w+)\}")  # a part of a sentence
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
class Pattern:
    """The templates of what is said of an unknown: of one place and of several, if it holds and if not."""

    yes: str
    no: str
    yes_of_many: str
    no_of_many: str

    @classmethod
    def of(cls, yes: Saying, no: Saying | None = None) -> Pattern:
        """Return the pattern of templates: if it holds, and perhaps other ones if it does not."""
        no = no or Saying(denied(yes.one), denied(yes.many) if yes.many else "")
        return cls(yes.one, no.one, yes.many or of_many(yes.one), no.many or of_many(no.one))


VALUE = Pattern.of(Saying("{who} is {value}"))


def value_of(name: str, placed: bool) -> Pattern:
    """Return `letter of r1c1 is A`."""
    return Pattern.of(
        Saying(f"{name} of {{who}} is {{value}}" if placed else f"{name} is {{value}}")
    )


def true_or_false(name: str) -> Pattern:
    """Return `swapped is true`."""
    return Pattern.of(Saying(f"{name} is true"), Saying(f"{name} is false"))


def quality(name: str) -> Pattern:
    """Return `r1c1 is shaded`."""
    return Pattern.of(Saying(f"{{who}} is {name}"))


def thing(name: str) -> Pattern:
    """Return `there is a lamp at r1c1`."""
    article, names = "an" if name[0] in "aeiou" else "a", name if name.endswith("s") else f"{name}s"
    yes, no = f"there is {article} {name} {{who}}", f"there is no {name} {{who}}"
    return Pattern(yes, no, f"there are {names} {{who}}", f"there are no {names} {{who}}")


def stated(
    sayings: Sequence[Saying], indexes: Sequence[str]
) -> tuple[Pattern, tuple[int, ...] | None]:
    """Return what a type says, and in which order its indexes stand there: the one that it begins with, then the others."""
    if "{" not in sayings[0].one:
        return Pattern.of(*map(_predicate, sayings)), None
    first = BRACES.search(sayings[0].one)
    lead = indexes.index(first[1]) if first and first[1] in indexes else 0
    order = (lead, *(place for place in range(len(indexes)) if place != lead))
    parts = {
        indexes[place]: f"{{{number - 1}}}" if number else "{who}"
        for number, place in enumerate(order)
    }

    def template(text: str) -> str:
        return BRACES.sub(lambda name: parts.get(name[1], "{value}"), text)

    templates = (Saying(template(saying.one), template(saying.many)) for saying in sayings)
    return Pattern.of(*templates), order


def _predicate(saying: Saying) -> Saying:
    """Return the templates of a word: what the places are."""
    return Saying(f"{{who}} is {saying.one}", f"{{who}} are {saying.many}" if saying.many else "")


@dataclass(frozen=True)
class Clause:
    """What is said of one place, or of several."""

    pattern: Pattern
    holds: bool
    value: str
    others: tuple[str, ...] = ()  # the places of its further indexes
    who: str = ""
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
            "who": self.who,
            "value": self.value,
            **{str(place): other for place, other in enumerate(self.others)},
        }
        return BRACES.sub(lambda found: parts[found[1]], self.template)

    def said(self) -> Clause:
        """Return what it says, whatever it is about."""
        return replace(self, who="", value=self.value if "{value}" in self.template else "")
