"""How texts are compared: without case, and with each accented letter as one character."""

import unicodedata


def fold(text: str) -> str:
    """Text without case, each accented letter one character: how texts are compared.

    Folding twice is folding once, and canonically equivalent texts fold alike.

    >>> fold("Ä") == fold("A\N{COMBINING DIAERESIS}") == "ä"
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
