// The contrast of each text, dot and cross of the boards of a page with what lies below it, as
// [ratio, tag, classes, text]. What lies there is composed of the fills in the order of drawing.
() => {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const colours = new Map();

  /** Red, green, blue and opacity of a colour of CSS. */
  const parts = (css) => {
    if (!colours.has(css)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, alpha] = context.getImageData(0, 0, 1, 1).data;
      colours.set(css, [r, g, b, alpha / 255]);
    }
    return colours.get(css);
  };
  const over = (ground, [r, g, b, alpha], opacity) =>
    ground.map((part, k) => part + ([r, g, b][k] - part) * alpha * opacity);
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) =>
    0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const opacityOf = (shape) => {
    let opacity = 1;
    for (let at = shape; at.tagName !== "svg"; at = at.parentElement)
      opacity *= Number(getComputedStyle(at).opacity);
    return opacity;
  };

  const paper = parts(getComputedStyle(document.body).backgroundColor).slice(0, 3);
  const outlines = ".conflict, .faulty, .selected, .cursor";
  const marks = `.cross, ${outlines}`;
  const found = [];
  for (const board of document.querySelectorAll("svg.board")) {
    const kinds = "rect, polygon, path, circle, ellipse, line, polyline, text";
    const all = [...board.querySelectorAll(kinds)].filter(
      (shape) => shape.matches(".cursor") || !shape.closest(".grid, defs"),
    );
    const shapes = all.map((shape) => {
      const { fill, fillOpacity, stroke, strokeOpacity, strokeWidth, paintOrder } =
        getComputedStyle(shape);
      const hasRim = stroke !== "none" && paintOrder.startsWith("stroke");
      const isWide = stroke !== "none" && parseFloat(strokeWidth) > 15; // no line, but a ground
      const isGround = isWide || shape.matches(".casing, .halo *");
      return {
        shape,
        fill: fill === "none" ? null : [parts(fill), Number(fillOpacity)],
        stroke: isGround ? [parts(stroke), Number(strokeOpacity)] : null,
        ink: shape.matches(`path.cross, ${outlines}`)
          ? [parts(stroke), Number(strokeOpacity)]
          : null,
        rim: hasRim ? parts(stroke) : null, // around a text or a dot, below it
        opacity: opacityOf(shape),
        inverse: shape.getCTM().inverse(),
      };
    });
    shapes.forEach(({ shape, fill, ink, rim, opacity }, number) => {
      const isText = shape.tagName === "text" && shape.textContent.trim();
      if (!isText && !shape.matches(marks)) return;
      const box = shape.getBBox();
      const half = shape.matches(outlines) ? 0 : box.height / 2; // at the edge of an outline
      const middle = new DOMPoint(box.x + box.width / 2, box.y + half);
      const at = middle.matrixTransform(shape.getCTM());
      let ground = paper;
      for (const below of shapes.slice(0, number)) {
        if (below.shape.tagName === "text" || below.shape.matches(".cross")) continue;
        const point = at.matrixTransform(below.inverse);
        if (below.fill && below.shape.isPointInFill(point))
          ground = over(ground, below.fill[0], below.fill[1] * below.opacity);
        if (below.stroke && below.shape.isPointInStroke(point))
          ground = over(ground, below.stroke[0], below.stroke[1] * below.opacity);
      }
      if (rim) ground = over(ground, rim, opacity);
      const [colour, alpha] = ink ?? fill;
      const ratio = contrast(over(ground, colour, alpha * opacity), ground);
      const classes = shape.getAttribute("class");
      found.push([Math.round(ratio * 100) / 100, shape.tagName, classes, shape.textContent]);
    });
  }
  return found;
};
