"""What is said of an unknown, as clauses: sentences about several things are joined from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from puzzlekit.dataclass import dataclass
from puzzlekit.sentences.formatting import plural_of, with_article
from puzzlekit.sentences.locations import Located
from puzzlekit.sentences.saying import Saying

MANY = {"is": "are", "has": "have", "does": "do"}
OPPOSITES = {
    " is ": " is not ",
    " are ": " are not ",
    " has ": " does not have ",
    " have ": " do not have ",
}
BRACES = re.compile(r"\{(\w+)\}")  # what stands for a part of a sentence
VERB = re.compile(r" (is|are|has|have|does|do) (?!not )")
NOWHERE = Located("", "")
THERE_IS = re.compile(r"there is an? (.+)")
ONE = re.compile(r"(\{value\} \w+)s\b")  # a noun of which there is one


def of_many(template: str) -> str:
    """Return a template about one thing as one about several."""

    def plural(verb: re.Match[str]) -> str:
        return f" {MANY[verb[1]]} "

    return re.sub(r" (is|has|does) ", plural, template, count=1)


def would_be(clause: str, number: int) -> str:
    """Return a clause as what would be so: of two things that both would, of more that all would.

    An empty text is returned if that cannot be said of the clause.

    Args:
        clause: The clause.
        number: Of how many things it is.

    Examples:
        >>> would_be("r1c1–r2c2 are sea", 4), would_be("there are stars at r1c1 and r1c2", 2)
        ('r1c1–r2c2 would all be sea', 'there would be stars at r1c1 and r1c2')
    """
    if VERB.findall(clause) not in (["is"], ["are"]) or number < 2 or " not " in clause:
        return ""
    if clause.startswith("there "):
        return VERB.sub(" would be ", clause)
    return VERB.sub(" would both be " if number == 2 else " would all be ", clause)


def subject_of(clause: str) -> str:
    """Return the words of a clause before its verb.

    Examples:
        >>> subject_of("the tree at r1c2 has its tent at r2c2")
        'the tree at r1c2'
    """
    verb = VERB.search(clause)
    return clause[: verb.start()] if verb else clause


def the_thing(clause: str) -> str:
    """Return a thing with its place, of which a clause says that it is there; else nothing.

    Examples:
        >>> the_thing("there is a lamp at r1c2")
        'the lamp at r1c2'
    """
    match = THERE_IS.match(clause)
    return f"the {match[1]}" if match else ""


def denied(template: str) -> str:
    """Return the opposite of a template."""
    for verb, opposite in OPPOSITES.items():
        if verb in template:
            return template.replace(verb, opposite, 1)
    return f"it is not so that {template}"


@dataclass(frozen=True)
class Pattern:
    """The templates of what is said of an unknown: of one thing and of several, if it is so and if
    not.
    """

    yes: str
    no: str
    yes_of_many: str
    no_of_many: str
    placed: bool = False  # whether {who} stands for a location with its preposition

    @classmethod
    def of(cls, yes: Saying, no: Saying | None = None) -> Pattern:
        """Return the pattern of templates: if it holds, and perhaps other ones if it does not."""
        if no is None:
            no = Saying(denied(yes.singular), denied(yes.plural) if yes.plural else "")
        yes_of_many = yes.plural or of_many(yes.singular)
        no_of_many = no.plural or of_many(no.singular)
        return cls(yes.singular, no.singular, yes_of_many, no_of_many)


VALUE = Pattern.of(Saying("{who} is {value}"))


def value_of(name: str, placed: bool) -> Pattern:
    """Return `letter of r1c1 is A`."""
    subject = f"{name} of {{who}}" if placed else name
    return Pattern.of(Saying(f"{subject} is {{value}}"))


def true_or_false(name: str) -> Pattern:
    """Return `swapped is true`."""
    yes = Saying(f"{name} is true")
    return Pattern.of(yes, Saying(f"{name} is false"))


def thing(name: str) -> Pattern:
    """Return `there is a lamp at r1c1`."""
    plural = plural_of(name)
    yes = f"there is {with_article(name)} {{who}}"
    no = f"there is no {name} {{who}}"
    yes_of_many = f"there are {plural} {{who}}"
    no_of_many = f"there are no {plural} {{who}}"
    return Pattern(yes, no, yes_of_many, no_of_many, placed=True)


def saying_pattern(
    sayings: Sequence[Saying], indexes: Sequence[str]
) -> tuple[Pattern, tuple[int, ...] | None]:
    """Return what a type says, and in which order its indexes stand there.

    The index that it begins with is the first, then come the others.
    """
    if "{" not in sayings[0].singular:
        return Pattern.of(*map(_predicate, sayings)), None
    first_name = BRACES.search(sayings[0].singular)
    lead = 0
    if first_name is not None and first_name[1] in indexes:
        lead = indexes.index(first_name[1])
    further = [position for position in range(len(indexes)) if position != lead]
    braces = {indexes[lead]: "{who}"} if indexes else {}
    for number, position in enumerate(further):
        braces[indexes[position]] = f"{{{number}}}"

    def template(text: str) -> str:
        return BRACES.sub(lambda name: braces.get(name[1], "{value}"), text)

    templates = (Saying(template(saying.singular), template(saying.plural)) for saying in sayings)
    return Pattern.of(*templates), (lead, *further)


def _predicate(saying: Saying) -> Saying:
    """Return the templates of a word: what the subjects are."""
    plural = f"{{who}} are {saying.plural}" if saying.plural else ""
    return Saying(f"{{who}} is {saying.singular}", plural)


@dataclass(frozen=True)
class Clause:
    """What is said of one thing, or of several.

    Attributes:
        pattern: The templates.
        positive: Whether it is said that it is so, or that it is not.
        value: The value.
        others: The further indexes.
        who: The subject.
        many: Whether the subject is several things.
    """

    pattern: Pattern
    positive: bool
    value: str
    others: tuple[str, ...] = ()
    who: Located = NOWHERE
    many: bool = False

    @property
    def template(self) -> str:
        """Its words, with {who}, {value}, and numbers for further indexes."""
        pattern = self.pattern
        if self.positive:
            template = pattern.yes_of_many if self.many else pattern.yes
        else:
            template = pattern.no_of_many if self.many else pattern.no
        return ONE.sub(r"\1", template) if self.value == "1" else template

    def __str__(self) -> str:
        texts = {"who": str(self.who), "value": self.value}
        for number, index in enumerate(self.others):
            texts[str(number)] = index
        return BRACES.sub(lambda name: texts[name[1]], self.template)

    def predicate(self) -> Clause:
        """Return what it says, whatever it is about."""
        value = self.value if "{value}" in self.template else ""
        return replace(self, who=NOWHERE, value=value)
