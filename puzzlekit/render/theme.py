"""The colours of the pens, and the style of SVG pictures in light and dark."""

from __future__ import annotations

# ColorBrewer's Set3, moved so far that any two are told apart without red, green or blue cones, too.
REGIONS = (
    *("#64d7b5", "#ffffab", "#aaabb8", "#ff7c6a", "#92bbdc", "#f2ab48"),
    *("#cde470", "#ffc9ff", "#c0c8d3", "#b77fba", "#c7f1cc", "#ffeb19"),
)
MARKS = {"green": "#3a7d34", "yellow": "#e2b93b", "grey": "#6b7075"}

INK, PAPER, DARK_INK, DARK_PAPER = "#1b1b1b", "#fff", "#ececec", "#17181a"
CELL, DARK_CELL = "#fff", "#50545a"  # a cell to fill: lighter than any shade
FOUND, DARK_FOUND = "#1b4fbf", "#b4ccff"  # the ink of what is found
RIM, DARK_RIM = "#6e6e6e", "#a5a8ad"  # of the numbers of rows and columns
SHADE, DARK_SHADE = "#4a5670", "#101d40"  # found shaded cells
BLOCK, DARK_BLOCK = INK, "#000"  # given ones
UNDER, DARK_UNDER = "#d0d0d0", "#2f3236"  # signs below a text

STYLE = (
    f".back{{fill:{PAPER}}}.text{{fill:{INK};font:14px monospace;white-space:pre}}"
    f".letter{{fill:{INK};font-family:system-ui,sans-serif;font-weight:600;text-anchor:middle}}"
    f".letter.rim{{fill:{RIM};font-weight:400}}"
    ".corner,.left{text-anchor:start}.right{text-anchor:end}.given{font-weight:700}"
    f".found{{fill:{FOUND};font-weight:400}}.small{{font-weight:400}}"
    f".cell{{fill:{CELL};stroke:#b5b5b5}}"
    ".set{fill:#e3e3e3}.outline{fill:none;stroke:#1b1b1b;stroke-linecap:square}"
    ".side,.path,.sign{stroke:#1b1b1b;stroke-linecap:round;stroke-linejoin:round}.path{fill:none}"
    f".side.found,.path.found,.sign.found{{stroke:{FOUND}}}.cage{{fill:none;stroke:#1b1b1b;stroke-dasharray:3 2.5}}"
    f".dot{{fill:{RIM}}}"
    ".walk{fill:none;stroke:#1b1b1b;stroke-opacity:.6;stroke-linecap:round;"
    "stroke-linejoin:round}.tube{fill:none;stroke:#c4c4c4;stroke-linecap:round;stroke-linejoin:round}.bulb{fill:#c4c4c4}"
    ".divide{stroke:#fff}"
    f".ink{{fill:#1b1b1b;stroke:none}}.ink.found{{fill:{FOUND}}}.hollow{{fill:#fff;stroke:#1b1b1b}}.hollow.found{{stroke:{FOUND}}}"
    f".under .ink{{fill:{UNDER}}}.under .sign,.under .hollow{{stroke:{UNDER}}}"
    f".over{{stroke:{CELL};stroke-width:4px;stroke-linejoin:round;paint-order:stroke}}"
    f".pearl{{stroke:#1b1b1b}}.pearl.found{{stroke:{FOUND}}}.white{{fill:#fff}}.half{{fill:#9a9a9a}}.black{{fill:#1b1b1b}}"
    ".seam{fill:none;stroke:#1b1b1b;stroke-linecap:square}"
    + "".join(f".{name}{{fill:{colour}}}" for name, colour in MARKS.items())
    + ".cell.green,.cell.yellow,.cell.grey{stroke:#fff}"
    + f".full-given{{fill:{BLOCK};stroke:{BLOCK}}}.full-found{{fill:{SHADE};stroke:none}}"
    ".on{fill:#1b1b1b}.on-green,.on-grey,.on-full-given,.on-full-found{fill:#fff}"
    + "".join(f".region-{number}{{fill:{colour}}}" for number, colour in enumerate(REGIONS))
    + f"@media(prefers-color-scheme:dark){{.back{{fill:{DARK_PAPER}}}.text,.letter{{fill:{DARK_INK}}}"
    f".dot,.letter.rim{{fill:{DARK_RIM}}}"
    f".cell.green,.cell.yellow,.cell.grey{{stroke:{DARK_PAPER}}}"
    f".cell{{fill:{DARK_CELL};stroke:#7d8187}}.outline,.side,.path,.sign,.cage,.walk{{stroke:{DARK_INK}}}"
    ".walk.dark{stroke:#1b1b1b}.tube{stroke:#2f3236}.bulb,.set{fill:#2f3236}"
    f".side.found,.path.found,.sign.found,.hollow.found{{stroke:{DARK_FOUND}}}.letter.found{{fill:{DARK_FOUND}}}"
    f".ink{{fill:{DARK_INK}}}.ink.found{{fill:{DARK_FOUND}}}.hollow{{fill:{DARK_CELL};stroke:{DARK_INK}}}"
    f".under .ink{{fill:{DARK_UNDER}}}.under .sign,.under .hollow{{stroke:{DARK_UNDER}}}.over{{stroke:{DARK_CELL}}}"
    f".pearl{{stroke:{DARK_INK}}}.pearl.found{{stroke:{DARK_FOUND}}}"
    + "".join(f".cell.region-{number}{{fill:{colour}}}" for number, colour in enumerate(REGIONS))
    + "".join(f".cell.{name}{{fill:{colour}}}" for name, colour in MARKS.items())
    + f".full-given{{fill:{DARK_BLOCK};stroke:{DARK_BLOCK}}}.full-found{{fill:{DARK_SHADE}}}"
    ".letter.on,.text.on{fill:#1b1b1b}"
    ".letter.on-green,.letter.on-grey,.letter.on-full-given,.letter.on-full-found{fill:#fff}}"
    "@media screen{svg{max-width:100%;height:auto}}@media print{.back{fill:none}}"  # not as style=, which CairoSVG takes amiss
)
