// What a page shows and how: run in the page, by tests/render/test_pages.py.
(() => {
  const parsed = css => {
    const parts = css.match(/[\d.]+/g).map(Number);
    return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const over = (top, alpha, below) => top.map((part, i) => alpha * part + (1 - alpha) * below[i]);
  const luminance = rgb => {
    const linear = rgb.map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const canvas = (() => {
    const probe = document.body.appendChild(document.createElement("div"));
    probe.style.background = "Canvas";
    const rgb = parsed(getComputedStyle(probe).backgroundColor).rgb;
    probe.remove();
    return rgb;
  })();
  // The colours that an element paints at a point, the uppermost first, each with its opacity.
  const paints = (element, x, y) => {
    const style = getComputedStyle(element), found = [];
    if (!(element instanceof SVGElement)) {
      const {rgb, alpha} = parsed(style.backgroundColor);
      return [[rgb, alpha]];
    }
    if (!(element instanceof SVGGeometryElement)) return [];
    const at = new DOMPoint(x, y).matrixTransform(element.getScreenCTM().inverse());
    if (style.stroke !== "none" && element.isPointInStroke(at)) {
      found.push([parsed(style.stroke).rgb, parsed(style.stroke).alpha * style.strokeOpacity]);
    }
    if (style.fill !== "none" && element.isPointInFill(at)) {
      found.push([parsed(style.fill).rgb, parsed(style.fill).alpha * style.fillOpacity]);
    }
    return found;
  };
  // The colour that lies behind a text at a point: that of its rim, if it has one.
  const behind = (text, x, y) => {
    const own = getComputedStyle(text);
    if (text instanceof SVGElement && own.stroke !== "none" && own.paintOrder.startsWith("stroke")) return parsed(own.stroke).rgb;
    const stack = document.elementsFromPoint(x, y), at = stack.indexOf(text);
    if (at < 0) return null;
    const layers = stack.slice(text instanceof SVGElement ? at + 1 : at).flatMap(element => paints(element, x, y));
    return layers.reverse().reduce((below, [rgb, alpha]) => over(rgb, alpha, below), canvas);
  };
  const found = {texts: [], outside: [], faint: [], hidden: [], shapes: {}};
  document.querySelectorAll("details").forEach(details => { details.open = true; });
  found.sideways = document.documentElement.scrollWidth - innerWidth;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || element.closest("title, desc, style")) continue;
    // a wide table scrolls inside its own frame
    if (element.closest("table")) element.scrollIntoView({block: "nearest", inline: "center"});
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = [...range.getClientRects()].find(rect => rect.width > 0);
    const said = node.data.trim();
    if (!box) { found.hidden.push(said); continue; }
    if (element.closest("section") && !element.closest("pre, .found")) found.texts.push(said);
    const style = getComputedStyle(element), ink = parsed(element instanceof SVGElement ? style.fill : style.color).rgb;
    const seen = element.getBoundingClientRect();
    for (const part of said.length < 3 ? [0.5] : [0.2, 0.8]) {
      const x = box.x + part * box.width;
      if (element.closest("pre") && x > seen.right) continue; // it is scrolled to, inside its own frame
      const ground = behind(element, x, box.y + box.height / 2);
      if (!ground) found.hidden.push(said);
      else if (contrast(ink, ground) < 4.5) found.faint.push(`${said}: ${contrast(ink, ground).toFixed(2)}`);
    }
  }
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    if (frame.right > innerWidth) found.outside.push("svg");
    for (const element of svg.querySelectorAll("path, line, polyline, polygon, rect, circle, text")) {
      const box = element.getBoundingClientRect(), slack = 0.6;
      if (box.left < frame.left - slack || box.right > frame.right + slack
        || box.top < frame.top - slack || box.bottom > frame.bottom + slack) {
        found.outside.push(`${element.tagName} ${element.className.baseVal} ${element.textContent}`);
      }
      for (const name of svg.closest("section") ? element.classList : []) found.shapes[name] = (found.shapes[name] || 0) + 1;
    }
  }
  return found;
})()
