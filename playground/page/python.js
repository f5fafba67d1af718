// Starts Python with puzzlekit: in a worker of the page, and in node for its build and its tests.
import "../python/pyodide.asm.js";
import { loadPyodide } from "../python/pyodide.mjs";
import { putBack, read } from "./snapshot.js";
import { filesOf } from "./tar.js";

const HOME = "/home/playground";
const MODULES = "/lib/python3.13";
const PACKAGES = "site-packages/"; // of MODULES
const isLibrary = ([path]) => path.endsWith(".so");
// Pyodide loads no package by itself
const LOCK = {
  info: { abi_version: "2025_0", arch: "wasm32", platform: "", python: "" },
  packages: {},
};
const createModule = globalThis._createPyodideModule;

/**
 * Starts Python; gives Pyodide's object.
 *
 * `files` is an archive of files, of which libraries and Python's own modules are loaded before
 * Python starts. Libraries are loaded in the order of the archive: then all that is in them has the
 * address that a snapshot expects. `ready` gets the module before Python starts.
 */
export async function boot(root, files, snapshot, options = {}, ready = () => {}) {
  const contents = [...filesOf(files)];
  const isPackage = ([path]) => path.startsWith(PACKAGES);
  const saved = snapshot && read(snapshot);
  const isLocal = root.protocol === "file:";
  let fail;
  const failed = new Promise((_, reject) => (fail = reject));
  globalThis._createPyodideModule = async (settings) => {
    settings.preRun.push((module) => {
      module.addRunDependency("files");
      for (const [path, content] of contents.filter((file) => !isPackage(file)))
        write(module.FS, path, content);
      loadLibraries(module, contents).then(() => module.removeRunDependency("files"), fail);
    });
    settings.onRuntimeInitialized = () => ready(settings);
    if (saved) settings.INITIAL_MEMORY = saved.memory;
    const module = await createModule(settings);
    if (saved) module.API.restoreSnapshot = () => putBack(saved, module);
    return module;
  };
  const loaded = loadPyodide({
    env: { HOME, PYTHONHASHSEED: "0", PYTHONOPTIMIZE: "2" },
    lockFileContents: LOCK,
    indexURL: isLocal ? root.pathname : root.href,
    stdLibURL: isLocal ? "/dev/null" : "data:,", // Python's modules are in the archive
    ...(saved && { _loadSnapshot: new Uint8Array() }),
    ...options,
  });
  const python = await Promise.race([loaded, failed]);
  for (const [path, content] of contents.filter(isPackage)) write(python.FS, path, content);
  return python;
}

async function loadLibraries(module, contents) {
  const libraries = contents.filter(isLibrary);
  const flags = { loadAsync: true, nodelete: true };
  const compiled = await Promise.all(libraries.map(([, content]) => WebAssembly.compile(content)));
  for (const [number, [path]] of libraries.entries()) {
    const name = `${MODULES}/${path}`;
    const exports = await module.loadWebAssemblyModule(compiled[number], flags, name, {});
    module.newDSO(name, undefined, exports);
  }
}

/** Writes a file; that of a library is empty, since the library is loaded. */
function write(FS, path, content) {
  const target = `${MODULES}/${path}`;
  FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
  FS.writeFile(target, isLibrary([path]) ? new Uint8Array() : content, { canOwn: true });
}

/**
 * Gives `ask`, which takes a question and a function for messages, and `memory` in bytes.
 *
 * `root` is the folder of Pyodide, `files` an archive, and `numpy` a wheel if the archive does not
 * have it. `archives` has the archive of each module that is loaded on demand, by `fetchNow`.
 */
export async function start(root, { files, snapshot, numpy }, archives, fetchNow) {
  const python = await boot(root, new Uint8Array(await files), await snapshot);
  if (numpy) {
    const extractDir = `${MODULES}/${PACKAGES}`;
    python.unpackArchive(await numpy, "zip", { extractDir });
  }
  const { load, prepare, ask } = python.pyimport("puzzlekit.playground");
  if (!snapshot) load();
  prepare(python.toPy(archives), (name) => python.toPy(fetchNow(name)));
  return { ask, memory: () => python._module.HEAP8.length };
}
