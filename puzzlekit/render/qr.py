"""QR codes of links, by the library segno, which the extra `print` installs."""

from __future__ import annotations

from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import MissingExtra, installing, option

MODULE = 1.28  # points of a black square: 0.45 mm
LEAST = 0.94  # points of a black square if the code would be too large: 0.33 mm
LARGEST = 85.0  # points: 30 mm


def require_segno() -> None:
    """Raise InputError if segno is not installed."""
    try:
        import segno  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(f"{option('qr')} requires an extra: {installing('print')}") from None


@dataclass(frozen=True)
class Code:
    """A code as SVG, with its side in points."""

    svg: str
    side: float

    def data(self) -> dict[str, Any]:
        """Return what typst draws."""
        return {"svg": self.svg, "width": self.side}


def code_of(address: str) -> Code | None:
    """Return the code of an address; None if it is too long for a code that is easily read."""
    import segno

    try:
        code = segno.make_qr(address, error="l", boost_error=False)
    except segno.DataOverflowError:
        return None
    across = code.symbol_size(border=0)[0]
    module = min(MODULE, LARGEST / across)
    if module < LEAST:
        return None
    svg = code.svg_inline(border=0, omitsize=True)
    return Code(svg, module * across)
