// Compiles all modules below a folder, by the Python that runs them in the browser: `node
// compile.js FOLDER`. Compiled modules take the place of their sources, and have no docstrings.
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.mkdirTree("/stage");
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.argv[2] }, "/stage");
python.runPython(`
import sys
from compileall import compile_dir
from pathlib import Path
from py_compile import PycInvalidationMode

is_compiled = compile_dir(
    "/stage", quiet=1, legacy=True, maxlevels=50, optimize=2, stripdir="/stage",
    prependdir="/lib/python3.13", invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
)
if not is_compiled:
    sys.exit("there are modules that cannot be compiled")
for path in Path("/stage").rglob("*.py"):
    path.unlink()
`);
