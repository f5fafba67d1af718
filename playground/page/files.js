// Files in a page without a server: the machine's, by the browser. `puzzlekit serve` has a script
// of this name that offers the same.
import { download } from "./parts.js";

const LONGEST = 300_000; // characters of a type or a spec, as puzzlekit reads them
const MARK = "text=";

export const list = async () => ({
  folder: { name: "this machine", id: "the playground" },
  names: [],
});

export const read = async (name) => {
  throw new Error(`A page cannot read ${name} again: choose it under Files.`);
};

// Saves a text as a download; the browser asks where, or takes its folder for downloads.
export const save = async (name, text) => {
  if (!/\.ya?ml$/.test(name)) throw new Error("Expected a name that ends in .yaml.");
  download(name, text, "text/yaml");
  return { name, version: null };
};

export const versions = async () => ({}); // nobody can say what became of a download

/** Lets the user choose files; gives the name and the text of each. */
export function choose() {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", multiple: true, accept: ".yaml,.yml,.txt" });
  return new Promise((resolve, reject) => {
    input.addEventListener("cancel", () => resolve([]));
    input.addEventListener("change", () => {
      Promise.all([...input.files].map(chosen)).then(resolve, reject);
    });
    input.click();
  });
}

async function chosen(file) {
  if (file.size > 4 * LONGEST) throw new Error(`${file.name} is too large for a type or a spec.`);
  return { name: file.name, text: await file.text() };
}

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

/** Gives an address of this page that carries texts, compressed. */
export async function linkTo({ type, spec }) {
  const text = new TextEncoder().encode(JSON.stringify({ type, spec }));
  const packed = through(text, new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const base64 = btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin}${location.pathname}#${MARK}${base64}`;
}

/** Gives the texts that the part of an address after # carries; null if it carries none. */
export async function carried(hash) {
  if (!hash.startsWith(MARK)) return null;
  let texts;
  try {
    const base64 = hash.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    texts = JSON.parse(await unpacked(bytes));
  } catch {
    throw new Error("This link is damaged: a part of it is missing.");
  }
  const { type, spec } = texts;
  if (typeof type !== "string" || typeof spec !== "string") {
    throw new Error("This link carries no type and no spec.");
  }
  return { type, spec };
}

/** Unpacks a text, of which a few bytes may stand for more than fits into the memory. */
async function unpacked(bytes) {
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > 3 * LONGEST) throw new Error("too long");
  }
}
