"""Lists, numbers of things, and first letters, as English writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

MOST_NAMED = 6  # things that a sentence names before it counts the rest
FEWEST_IN_ROW = 5  # numbers that are told by the ends of their row
TO_SIX = ("no", "one", "two", "three", "four", "five", "six")
NUMBERS = (*TO_SIX, "seven", "eight", "nine", "ten", "eleven", "twelve")
VERB = re.compile(r" (is|has|does) ")


def and_list(words: Sequence[str], most: int | None = MOST_NAMED, separator: str = ", ") -> str:
    """Return `a, b and c`. Of more than `most` words, the first `most` stand before `and 7 more`.

    Args:
        words: The words.
        most: How many are named; None for all. A single word is never counted instead of named.
        separator: What stands between words. With another one than a comma, there is no last *and*.

    Examples:
        >>> and_list(["a", "b", "c"]), and_list(["a", "b"], separator="; ")
        ('a, b and c', 'a; b')
        >>> and_list(list("abcde"), most=3)
        'a, b, c and 2 more'
    """
    if most is not None and len(words) > most + 1:
        named = separator.join(words[:most])
        return f"{named} and {len(words) - most:,} more"
    if separator != ", " or len(words) < 2:
        return separator.join(words)
    first = ", ".join(words[:-1])
    return f"{first} and {words[-1]}"


def comma_list(words: Sequence[str], most: int) -> str:
    """Return `a, b, c`. Of more than `most` words, the first `most` stand before `and 7 more`.

    Examples:
        >>> comma_list(["a", "b", "c"], 3), comma_list(["a", "b", "c"], 2)
        ('a, b, c', 'a, b and 1 more')
    """
    named = ", ".join(words[:most])
    uncounted = len(words) - most
    if uncounted <= 0:
        return named
    return f"{named} and {uncounted:,} more"


def or_list(words: Sequence[str]) -> str:
    """Return `a, b or c`.

    Examples:
        >>> or_list(["a", "b", "c"]), or_list(["a"])
        ('a, b or c', 'a')
    """
    if len(words) < 2:
        return "".join(words)
    first = ", ".join(words[:-1])
    return f"{first} or {words[-1]}"


def nested_list(words: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return a list of words that may be lists: these are separated by semicolons.

    Examples:
        >>> nested_list(["r1c1 and r1c2", "r3c1"]), nested_list(["r1c1", "r3c1"])
        ('r1c1 and r1c2; r3c1', 'r1c1 and r3c1')
    """
    text = "\n".join(words)
    are_lists = ", " in text or " and " in text
    return and_list(words, most, "; " if are_lists else ", ")


def shortened(words: Sequence[str], most: int) -> str:
    """Return the first words, with `…` for the others.

    Examples:
        >>> shortened(["a", "b", "c"], 2), shortened(["a", "b"], 2)
        ('a, b, …', 'a, b')
    """
    named = list(words[:most])
    if len(words) > most:
        named.append("…")
    return ", ".join(named)


def sentence_case(text: str) -> str:
    """Return a text with a capital first letter, unless it begins with a name such as r1c2.

    Examples:
        >>> sentence_case("there is a lamp at r1c1"), sentence_case("r1c1 is 3")
        ('There is a lamp at r1c1', 'r1c1 is 3')
    """
    if text[1:2].isdigit():
        return text
    return text[:1].upper() + text[1:]


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number of things.

    Args:
        number: How many there are.
        noun: What one is called.
        plural: What several are called, if this is not the noun with an s.

    Examples:
        >>> counted(1, "solution"), counted(3000, "solution"), counted(2, "is left", "are left")
        ('1 solution', '3,000 solutions', '2 are left')
    """
    if number != 1:
        noun = plural or f"{noun}s"
    return f"{number:,} {noun}"


def plural_of(noun: str) -> str:
    """Return the plural of a noun; one that ends in s is a plural already.

    Examples:
        >>> plural_of("box"), plural_of("arch"), plural_of("lamp"), plural_of("lights")
        ('boxes', 'arches', 'lamps', 'lights')
    """
    if noun.endswith("s"):
        return noun
    if noun.endswith(("x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article.

    Examples:
        >>> with_article("star"), with_article("arrow")
        ('a star', 'an arrow')
    """
    article = "an" if noun[0] in "aeiou" else "a"
    return f"{article} {noun}"


def joined(texts: Iterable[str], separator: str) -> str:
    """Return the texts that are not empty, with a separator between them."""
    return separator.join(filter(None, texts))


def number_word(number: int) -> str:
    """Return a small number as a word, and any other one in digits.

    Examples:
        >>> number_word(2), number_word(13)
        ('two', '13')
    """
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def range_text(numbers: Sequence[int], domain: Sequence[int]) -> str:
    """Return numbers of a domain, joined by *or*; of many numbers in a row, only the ends.

    Args:
        numbers: The numbers, in order.
        domain: All numbers that there may be, in order.

    Examples:
        >>> digits = list(range(1, 10))
        >>> range_text([5, 6, 7, 8, 9], digits), range_text([1, 2, 3, 4, 5], digits)
        ('at least 5', 'at most 5')
        >>> range_text([1, 3], digits), range_text([2, 3, 4, 5, 6], digits)
        ('1 or 3', '2 to 6')
    """
    numbers, domain = sorted(numbers), sorted(domain)
    start = domain.index(numbers[0])
    is_row = numbers == domain[start : start + len(numbers)]
    if len(numbers) < FEWEST_IN_ROW or not is_row:
        return or_list(list(map(str, numbers)))
    if numbers[-1] == domain[-1]:
        return f"at least {numbers[0]}"
    if start == 0:
        return f"at most {numbers[-1]}"
    return f"{numbers[0]} to {numbers[-1]}"


def missing(number: int, differences: Sequence[int]) -> str:
    """Return the numbers that can be instead of one that cannot; empty if they are on both sides.

    Args:
        number: The number.
        differences: By how much the numbers that can be differ from it, in order.

    Examples:
        >>> missing(5, [-2, -1]), missing(5, [-3, 1, 2]), missing(5, [2])
        ('at most 4', '', '7')
    """
    if len(differences) == 1:
        return str(number + differences[0])
    if differences and differences[-1] < 0:
        return f"at most {number + differences[-1]}"
    if differences and differences[0] > 0:
        return f"at least {number + differences[0]}"
    return ""
