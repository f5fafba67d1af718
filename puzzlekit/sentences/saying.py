"""What a type says of an unknown."""

from typing import NamedTuple


class Saying(NamedTuple):
    """A text about an unknown: a word, or a sentence with indexes in braces.

    Attributes:
        singular: The text about one thing.
        plural: The text about several things; empty where the type does not state it.
    """

    singular: str
    plural: str = ""
