// Starts Python with puzzlekit: in a worker of the page, and in node for its tests.
import { loadPyodide } from "../python/pyodide.mjs";

const HOME = "/home/playground";
// Pyodide loads no package by itself
const LOCK = {
  info: { abi_version: "2025_0", arch: "wasm32", platform: "", python: "" },
  packages: {},
};

/**
 * Gives `ask`, which takes a question and a function for messages, and `memory` in bytes.
 *
 * `root` is the folder of Pyodide, and `parts` are promises of the contents of archives that Python
 * unpacks. `archives` names that of each package that is loaded on demand, by `fetchNow`.
 */
export async function start(root, parts, archives, fetchNow) {
  const indexURL = root.protocol === "file:" ? root.pathname : root.href;
  const py = await loadPyodide({ env: { HOME }, lockFileContents: LOCK, indexURL });
  const packages = py.runPython("import site; site.getsitepackages()[0]");
  for (const part of parts) py.unpackArchive(await part, "zip", { extractDir: packages });
  const { prepare, ask } = py.pyimport("puzzlekit.playground");
  prepare(py.toPy(archives), (name) => py.toPy(fetchNow(name)), packages);
  return { ask, memory: () => py._module.HEAP8.length };
}
