// Elements of the page: shapes, buttons, fields.

const SVG = "http://www.w3.org/2000/svg";

/**
 * A shape, appended to a parent.
 *
 * @returns {SVGElement}
 */
export function shape(name, attributes, parent, text) {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  if (text !== undefined) created.textContent = text;
  parent?.append(created);
  return created;
}

/** An element with the shapes of a text, which this program has written. */
export function parsedShapes(text) {
  const page = new DOMParser().parseFromString(
    `<svg xmlns="${SVG}">${text}</svg>`,
    "image/svg+xml",
  );
  return document.importNode(page.documentElement, true);
}

/** @returns {SVGElement} */
export function lineShape(parent, className, ends, width) {
  const [x1, y1, x2, y2] = ends;
  return shape("line", { class: className, x1, y1, x2, y2, "stroke-width": width }, parent);
}

/**
 * @param {string} name
 * @param {Record<string, any>} [attributes] Those that are false are left out.
 * @param {(Node | string)[]} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== false || key.startsWith("aria-")) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

export function button(text, action, attributes = {}) {
  const created = element("button", { type: "button", ...attributes }, text);
  created.addEventListener("click", action);
  return created;
}

const nameOf = (child) => child.getAttribute("aria-label") ?? child.textContent;
const look = (child) => `${child.outerHTML}${child.value ?? ""}`;

/** Put other controls in a group, if they differ: that with the same name keeps the focus. */
export function refill(parent, ...children) {
  const before = [...parent.children];
  const same =
    before.length === children.length && before.every((c, n) => look(c) === look(children[n]));
  if (same && parent.dataset.kept !== "no") return;
  const focused = document.activeElement;
  const place = before.findIndex((child) => child.contains(focused));
  parent.replaceChildren(...children);
  if (place < 0 || !focused) return;
  const open = (child) => !child.disabled;
  const namesake = children.find((child) => nameOf(child) === nameOf(focused) && open(child));
  const near =
    children
      .slice(0, place + 1)
      .reverse()
      .find(open) ?? children.find(open);
  (namesake ?? near)?.focus({ preventScroll: true });
}
