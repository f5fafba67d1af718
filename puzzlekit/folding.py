"""Normalise texts for comparison: ignore case, and write each accented letter as one character."""

import unicodedata


def fold(text: str) -> str:
    """Fold case, and write each accented letter as one character.

    Folding is idempotent, and canonically equivalent texts have the same result.

    Examples:
        >>> fold("Ä") == fold("A\N{COMBINING DIAERESIS}") == "ä"
        True
    """
    composed = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", composed.casefold())
