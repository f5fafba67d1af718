// What the page says while Python is loaded: how many bytes of how many, and from where.
import { FILES } from "./manifest.js";
import { button, element, lasting } from "./parts.js";

const AGREED = "puzzlekit playground: numpy from elsewhere";
const MB = 1_000_000;
const total = FILES.counted.reduce((sum, { size }) => sum + size, 0);
const megabytes = (bytes) => (bytes / MB).toFixed(1);

export class Loading {
  constructor() {
    this.text = element("span");
    this.bar = element("progress", { max: total, value: 0, "aria-label": "Loaded" });
    this.box = element("div", { id: "loading", role: "status" });
    document.querySelector("main").before(this.box);
  }

  begin() {
    this.box.replaceChildren(this.bar, this.text);
    this.show(0);
  }

  show(loaded) {
    if (!this.text.isConnected) return; // that of another worker
    this.bar.value = loaded;
    this.text.textContent =
      loaded < total
        ? `Loading Python and puzzlekit: ${megabytes(loaded)} of ${megabytes(total)} MB`
        : "Starting Python";
  }

  end() {
    this.box.replaceChildren();
  }

  fail(reason, again) {
    this.box.replaceChildren(
      element("span", { class: "wrong" }, `Python cannot be loaded: ${reason}. `),
      button("Try again", again),
    );
  }
}

/** Waits until the user agrees to a file from elsewhere, if one comes from there. */
export async function agreed(loading) {
  if (!FILES.numpy) return;
  const { address } = FILES.numpy;
  const host = new URL(address, location.href).host;
  if (host === location.host || lasting.getItem(AGREED) === host) return;
  const text = `One file, numpy, comes from ${host}, which then sees your address, and nothing else. `;
  await new Promise((load) => {
    loading.box.replaceChildren(
      element("span", {}, text),
      button("Load", load, { class: "first" }),
    );
  });
  lasting.setItem(AGREED, host);
}

/** Lets the next visit take all files from the browser's cache. */
export function keepFiles() {
  try {
    const script = new URL("../sw.js", import.meta.url);
    navigator.serviceWorker?.register(script).catch(() => {});
  } catch {
    // some frames may keep nothing: the next visit loads the files again
  }
}
