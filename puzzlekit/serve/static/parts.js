// Elements, and the dialog that asks for something.

export const $ = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A name with its signs that are not seen as written, so that none looks like another.
export const visible = (name) => name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);

export const button = (text, action, attributes = {}) => element("button", {type: "button", onclick: action, ...attributes}, text);

// A storage of the browser. Where a page may keep nothing, as in some frames, it lasts as long as the page.
function storage(name) {
  try {
    return window[name];
  } catch {
    const texts = new Map();
    return {getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => texts.set(key, text), removeItem: (key) => texts.delete(key)};
  }
}

export const lasting = storage("localStorage"), ofTab = storage("sessionStorage");

// A bar between two parts of `main`, moved by the mouse or by arrow keys: `--NAME` is the share of the first.
export function splitter(bar) {
  const main = bar.parentElement, name = bar.dataset.split, wide = name === "left", kept = `puzzlekit ${name}`;
  const share = (percent) => {
    const own = Math.min(80, Math.max(15, percent));
    main.style.setProperty(`--${name}`, `${own}fr`);
    main.style.setProperty(`--${name}-rest`, `${100 - own}fr`);
    for (const [state, value] of [["min", 15], ["max", 80], ["now", Math.round(own)]]) bar.setAttribute(`aria-value${state}`, value);
    try { lasting.setItem(kept, own); } catch { /* the next visit begins with the usual share */ }
  };
  share(Number(lasting.getItem(kept)) || (wide ? 44 : 55));
  bar.addEventListener("pointerdown", (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener("pointermove", (event) => {
    const box = main.getBoundingClientRect();
    if (bar.hasPointerCapture(event.pointerId)) share(100 * (wide ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height));
  });
  bar.addEventListener("keydown", (event) => {
    const by = {ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2}[event.key];
    if (by) share(Number(bar.getAttribute("aria-valuenow")) + by);
  });
}

export function download(name, data, type) {
  const link = element("a", {href: URL.createObjectURL(new Blob([data], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Asks in a dialog: `choices` are pairs of a text and what is done then, which may give an error to stay.
export function dialog(heading, body, choices) {
  const box = $("ask");
  $("ask-heading").textContent = heading;
  $("ask-body").replaceChildren(...body);
  $("ask-error").textContent = "";
  const act = async (action) => {
    try {
      await action?.();
      box.close();
    } catch (error) {
      $("ask-error").textContent = [error.message, error.help].filter(Boolean).join("; ");
    }
  };
  $("ask-buttons").replaceChildren(...choices.map(([text, action], n) => n ? button(text, () => act(action)) : element("button", {type: "submit", class: "first"}, text)));
  box.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    act(choices[0][1]);
  };
  box.showModal();
  (body.find((part) => part.matches?.("input, textarea")) ?? $("ask-buttons").firstChild).focus();
}
