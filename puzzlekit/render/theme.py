"""Colours, styles of the terminal, and style sheets of SVG and HTML, light and dark."""

from __future__ import annotations

# ColorBrewer's Set3, changed so that any two differ without red, green or blue cones, too
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
    f".side.found,.path.found,.sign.found{{stroke:{FOUND}}}"
    f".cage{{fill:none;stroke:#1b1b1b;stroke-dasharray:3 2.5}}"
    f".dot{{fill:{RIM}}}"
    f".dots{{fill:none;stroke:{RIM};stroke-width:3.6px;stroke-linecap:round}}"
    ".walk{fill:none;stroke:#1b1b1b;stroke-opacity:.6;stroke-linecap:round;"
    "stroke-linejoin:round}.tube{fill:none;stroke:#c4c4c4;stroke-linecap:round;"
    "stroke-linejoin:round}.bulb{fill:#c4c4c4}"
    ".divide{stroke:#fff}"
    f".ink{{fill:#1b1b1b;stroke:none}}.ink.found{{fill:{FOUND}}}"
    f".hollow{{fill:#fff;stroke:#1b1b1b}}.hollow.found{{stroke:{FOUND}}}"
    f".under .ink{{fill:{UNDER}}}.under .sign,.under .hollow{{stroke:{UNDER}}}"
    f".over{{stroke:{CELL};stroke-width:4px;stroke-linejoin:round;paint-order:stroke}}"
    f".pearl{{stroke:#1b1b1b}}.pearl.found{{stroke:{FOUND}}}.white{{fill:#fff}}"
    f".half{{fill:#9a9a9a}}.black{{fill:#1b1b1b}}"
    ".seam{fill:none;stroke:#1b1b1b;stroke-linecap:square}"
    + "".join(f".{name}{{fill:{colour}}}" for name, colour in MARKS.items())
    + ".cell.green,.cell.yellow,.cell.grey{stroke:#fff}"
    + f".full-given{{fill:{BLOCK};stroke:{BLOCK}}}.full-found{{fill:{SHADE};stroke:none}}"
    ".on{fill:#1b1b1b}.on-green,.on-grey,.on-full-given,.on-full-found{fill:#fff}"
    + "".join(f".region-{number}{{fill:{colour}}}" for number, colour in enumerate(REGIONS))
    + "".join(f".tube.line-{number}{{stroke:{colour}}}" for number, colour in enumerate(REGIONS))
    + f"@media(prefers-color-scheme:dark){{.back{{fill:{DARK_PAPER}}}"
    f".text,.letter{{fill:{DARK_INK}}}"
    f".dot,.letter.rim{{fill:{DARK_RIM}}}.dots{{stroke:{DARK_RIM}}}"
    f".cell.green,.cell.yellow,.cell.grey{{stroke:{DARK_PAPER}}}"
    f".cell{{fill:{DARK_CELL};stroke:#7d8187}}"
    f".outline,.side,.path,.sign,.cage,.walk{{stroke:{DARK_INK}}}"
    ".walk.dark{stroke:#1b1b1b}.tube:not([class*=line]){stroke:#2f3236}.bulb:not([class*=region]),"
    ".set{fill:#2f3236}"
    f".side.found,.path.found,.sign.found,.hollow.found{{stroke:{DARK_FOUND}}}"
    f".letter.found{{fill:{DARK_FOUND}}}"
    f".ink{{fill:{DARK_INK}}}.ink.found{{fill:{DARK_FOUND}}}"
    f".hollow{{fill:{DARK_CELL};stroke:{DARK_INK}}}"
    f".under .ink{{fill:{DARK_UNDER}}}.under .sign,.under .hollow{{stroke:{DARK_UNDER}}}"
    f".over{{stroke:{DARK_CELL}}}"
    f".pearl{{stroke:{DARK_INK}}}.pearl.found{{stroke:{DARK_FOUND}}}"
    + "".join(f".cell.region-{number}{{fill:{colour}}}" for number, colour in enumerate(REGIONS))
    + "".join(f".cell.{name}{{fill:{colour}}}" for name, colour in MARKS.items())
    + f".full-given{{fill:{DARK_BLOCK};stroke:{DARK_BLOCK}}}.full-found{{fill:{DARK_SHADE}}}"
    ".letter.on,.text.on{fill:#1b1b1b}"
    ".letter.on-green,.letter.on-grey,.letter.on-full-given,.letter.on-full-found{fill:#fff}}"
    # not as style=, which CairoSVG takes amiss
    "@media screen{svg{max-width:100%;height:auto}}@media print{.back{fill:none}}"
)

LOOK = (  # of a page, beside STYLE
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;"
    "margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.4rem}h2{font-size:1rem}figure{margin:1rem 0;overflow-x:auto}"
    ".boards{display:flex;flex-wrap:wrap;gap:1rem}"
    "pre,.line{font:14px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre;margin:0;"
    "overflow-x:auto;min-height:1.5em}"
    ".line{white-space:pre-wrap;padding-left:8ch;text-indent:-8ch}"
    ".line [class]{padding:.1rem 0;border-radius:3px;color:#1b1b1b}summary{cursor:pointer}"
    "h1,h2,p,.line{overflow-wrap:anywhere}.solved{display:flex;flex-wrap:wrap;gap:0 2rem}"
    ".solved section{max-width:100%}"
    ".solved p{font-style:italic;margin:0}"
    # texts do not widen a puzzle, so that as many stand side by side as boards fit
    ".puzzles{display:flex;flex-wrap:wrap;gap:1rem 2rem}.puzzle{max-width:100%;min-width:9rem}"
    "@media(max-width:30rem){.puzzle{width:100%}}"
    ".puzzle>:is(h2,h3,p){width:0;min-width:100%}.puzzle>:is(h2,h3){font-size:1rem}"
    "h2[id]{font-size:1.2rem}small{font-weight:400}"
    "table{border-collapse:collapse;font-size:15px}th,td{padding:.2rem .5rem;text-align:left}"
    "thead{border-bottom:1px solid}"
    # shadows where a table goes on: they stand still, and blinds that scroll with the table hide
    # them at its ends
    ".table{background:linear-gradient(90deg,Canvas 50%,#0000) 0 0/2.5rem 100% no-repeat local,"
    "linear-gradient(270deg,Canvas 50%,#0000) 100% 0/2.5rem 100% no-repeat local,"
    "linear-gradient(90deg,#8889,#0000) 0 0/1rem 100% no-repeat scroll,"
    "linear-gradient(270deg,#8889,#0000) 100% 0/1rem 100% no-repeat scroll}"
    "tbody th{border-right:1px solid;position:sticky;left:0;background:Canvas}"
    ".number{text-align:right}"
    "@media print{body{max-width:none;margin:0}details,.open{display:none}"
    "nav{display:none}.solutions{break-before:page}.puzzles{zoom:.75}.puzzle{break-inside:avoid}"
    "figure{break-inside:avoid;overflow:visible}h1,h2,section>p{break-after:avoid}"
    "section>p{break-inside:avoid}"
    "svg{max-width:100%;height:auto;max-height:20cm}.solved section{break-inside:avoid}"
    ".solved figure{zoom:.7}}"
)

# of the points of a step, the lowest first; few pictures have them, so they are not in STYLE
HIGHLIGHTS = {
    "scope": 'fill="#e2b93b" fill-opacity=".22"',
    "reason": 'fill="none" stroke="#b36b00" stroke-width="2.5"',
    "base": 'fill="#2f6fde" fill-opacity=".14" stroke="#2f6fde" stroke-width="3"',
    "line": 'fill="none" stroke="#2f6fde" stroke-width="2" stroke-dasharray="2 3"',
    "contradiction": 'fill="#e5484d" fill-opacity=".12" stroke="#e5484d" stroke-width="2.5" '
    'stroke-dasharray="6 3"',
    "struck": 'fill="#e5484d" fill-opacity=".14"',
    "assumed": 'fill="none" stroke="#d97706" stroke-width="3"',
    "new": 'fill="#2e8b57" fill-opacity=".3" stroke="#2e8b57" stroke-width="3"',
}

STRIKE = 'fill="none" stroke="#e5484d" stroke-linecap="round"'  # through what a step strikes
LABEL = 'fill="#2f6fde"'  # below the label of a line of a chain

STYLES = {  # of backgrounds and of lines on a terminal
    "green": "bold white on green",
    "yellow": "bold black on yellow",
    "grey": "white on bright_black",
    "base": "bold white on blue",
    "struck": "bold white on red",
    "assumed": "bold black on yellow",
    "contradiction": "bold red",
    "found": "reverse",
    "given": "bold reverse",
    "block": "bold reverse",
    "grey area": "white on bright_black",
    **{f"region {number}": f"black on {colour}" for number, colour in enumerate(REGIONS)},
    **{f"area {number}": f"black on {colour}" for number, colour in enumerate(REGIONS)},
    **{f"line {number}": f"bold {colour}" for number, colour in enumerate(REGIONS)},
}
INKS = {"given": "bold", "found": "cyan", "faint": "dim"}
