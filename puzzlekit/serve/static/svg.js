// Pictures of the server as elements of the page: only shapes and texts, and nothing that runs or loads.

const ELEMENTS = new Set(["svg", "g", "defs", "rect", "path", "line", "circle", "ellipse", "polygon", "polyline", "text", "tspan", "title", "desc", "use"]);
const REFUSED = /^(on|style$|xmlns|src|formaction)/i;

function cleaned(from) {
  if (!ELEMENTS.has(from.localName)) return null;
  const to = document.createElementNS("http://www.w3.org/2000/svg", from.localName);
  for (const {name, value} of from.attributes) {
    if (REFUSED.test(name) || (/href$/.test(name) && !/^#[\w-]+$/.test(value)) || /url\(/i.test(value)) continue;
    to.setAttribute(name, value);
  }
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE) to.append(cleaned(node) ?? "");
  }
  return to;
}

export function shapes(text) {  // an element with the shapes of a text
  const whole = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, "image/svg+xml");
  return cleaned(whole.documentElement) ?? document.createElementNS("http://www.w3.org/2000/svg", "svg");
}

export function boardOf([width, height, text]) {
  const board = shapes(text), entered = shapes("").appendChild(document.createElementNS(board.namespaceURI, "g"));
  board.setAttribute("class", "board");
  board.setAttribute("viewBox", `0 0 ${Math.round(width)} ${Math.round(height)}`);
  board.style.setProperty("--wide", Math.round(width));
  board.style.setProperty("--high", Math.round(height));
  entered.setAttribute("class", "entered");
  board.append(entered);
  return board;
}

export function signs(drawings) {  // the shapes of signs, for `use`
  const all = shapes(Object.entries(drawings).map(([name, text]) => `<g id="sign-${name.replace(/[^\w-]/g, "")}">${text}</g>`).join(""));
  all.setAttribute("width", 0);
  all.setAttribute("height", 0);
  all.setAttribute("aria-hidden", true);
  all.setAttribute("class", "signs");
  return all;
}

export const source = (text) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
