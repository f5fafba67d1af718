// A worker of the page: Python with puzzlekit, which answers questions.
// It gets {id, given}. It posts {loaded} while bytes come, {prepared} or {failed}, and for each
// question {id, began}, an {id, item} for each message, and {id, done, memory}.
import { FILES } from "./manifest.js";
import { start } from "./python.js";

const PACE = 100; // milliseconds between two reports of the bytes that came
const MEMORY = 1_000_000_000; // bytes that Python may have
const root = new URL("../python/", import.meta.url);

// ---- bytes --------------------------------------------------------------------------------------

const fetchAnything = self.fetch;
let loaded = 0;
let reported = 0;

function count(bytes) {
  loaded += bytes;
  if (performance.now() - reported < PACE) return;
  reported = performance.now();
  postMessage({ loaded });
}

/** Gives the content of a file, and counts its bytes as they come. */
async function content({ address, size, integrity }) {
  const response = await fetchAnything(new URL(address, root), { ...(integrity && { integrity }) });
  if (!response.ok) throw new Error(`${address}: the server answers ${response.status}`);
  if (!size) return response.body; // of a size that the build does not know
  const counter = new TransformStream({
    transform(chunk, controller) {
      count(chunk.length);
      controller.enqueue(chunk);
    },
  });
  return response.body.pipeThrough(counter);
}

const bytes = async (file) => new Response(await content(file)).arrayBuffer();

/** Gives the content of a file that the build has compressed. */
async function unpacked(file, options) {
  const packed = await content(file);
  return new Response(packed.pipeThrough(new DecompressionStream("gzip")), options);
}

/** Pyodide asks for its core by the name that it has outside of the site. */
self.fetch = (address, options) => {
  if (!String(address).endsWith("/pyodide.asm.wasm")) return fetchAnything(address, options);
  const core = unpacked(FILES.core, { headers: { "Content-Type": "application/wasm" } });
  core.catch(fail); // which Pyodide does not tell
  return core;
};

/** Gives the content of a file at once: Python waits for it. */
function fetchNow(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(name, root), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name}: the server answers ${request.status}`);
  return request.response;
}

// ---- memory -------------------------------------------------------------------------------------

const grow = WebAssembly.Memory.prototype.grow;

/** Refuses more memory than a page should take: Python then raises its MemoryError. */
WebAssembly.Memory.prototype.grow = function bounded(pages) {
  if (this.buffer.byteLength + pages * 65_536 > MEMORY) throw new RangeError("out of memory");
  return grow.call(this, pages);
};

// ---- questions ----------------------------------------------------------------------------------

const fail = (error) => postMessage({ failed: String(error.message ?? error) });

async function prepare() {
  const [files, snapshot] = [FILES.files, FILES.snapshot].map(
    (file) => file && unpacked(file).then((response) => response.arrayBuffer()),
  );
  const numpy = FILES.numpy && bytes(FILES.numpy);
  const python = await start(root, { files, snapshot, numpy }, FILES.archives, fetchNow);
  postMessage({ prepared: true, loaded });
  return python;
}

const python = prepare();
python.catch(fail);

/** The last line of a traceback of Python, or what else an error says. */
const lastLine = (error) =>
  String(error.message ?? error)
    .trim()
    .split("\n")
    .at(-1);

self.addEventListener("message", async ({ data: { id, given } }) => {
  const { ask, memory } = await python;
  postMessage({ id, began: true });
  try {
    ask(JSON.stringify(given), (text) => postMessage({ id, item: JSON.parse(text) }));
  } catch (error) {
    if (error.name !== "PythonError") {
      postMessage({ failed: lastLine(error) });
      return;
    }
    const text = `this is a bug in puzzlekit, please report it: ${lastLine(error)}`;
    postMessage({ id, item: { error: text } });
  }
  postMessage({ id, done: true, memory: memory() });
});
