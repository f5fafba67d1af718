// The memory of a Python that has loaded puzzlekit. The build takes it, and a page puts it back
// instead of starting Python. A snapshot has only what differs from the memory before the start,
// which each page has by itself: the constants of the core and of its libraries.
//
// Its file has the numbers {pairs of numbers, bytes of text}, for each range of the memory its first
// block and its count of blocks, a JSON text, and the bytes of all ranges.

const BLOCK = 64; // bytes
const NUMBER = Uint32Array.BYTES_PER_ELEMENT;

/** Gives the file with the memory of a Python; `before` was its memory before the start. */
export function taken(python, before) {
  zeroFreeMemory(python._module);
  const memory = python._module.HEAPU8;
  const ranges = differences(memory, before);
  const references = python._api.serializeHiwireState();
  const functions = functionsOf(python._module);
  const about = { memory: memory.length, functions, references };
  const description = new TextEncoder().encode(JSON.stringify(about));
  const parts = [new Uint32Array([ranges.length, description.length, ...ranges.flat()])];
  parts.push(description);
  for (const [first, count] of ranges)
    parts.push(memory.subarray(first * BLOCK, (first + count) * BLOCK));
  return new Blob(parts).arrayBuffer();
}

/** Gives the ranges of blocks that differ from what they were; memory that is new was zero. */
function differences(memory, before) {
  const ranges = [];
  const words = new BigUint64Array(memory.buffer, 0, memory.length / 8);
  const old = new BigUint64Array(words.length);
  old.set(new BigUint64Array(before.buffer, 0, before.length / 8));
  const perBlock = BLOCK / 8;
  let last = -1;
  for (let number = 0; number < words.length; number++) {
    const block = Math.floor(number / perBlock);
    if (words[number] === old[number] || block === last) continue;
    if (ranges.length && block === last + 1) ranges.at(-1)[1]++;
    else ranges.push([block, 1]);
    last = block;
  }
  return ranges;
}

/** Writes zeros to memory that was freed, which makes a snapshot smaller. */
function zeroFreeMemory(module) {
  const { _emscripten_builtin_malloc: allocate } = module;
  const end = module.HEAPU8.findLastIndex((byte) => byte !== 0);
  const addresses = [];
  for (let size = 1 << 20; size >= 16; size >>= 1) {
    let address = allocate(size);
    for (; address < end; address = allocate(size)) {
      module.HEAPU8.fill(0, address, address + size);
      addresses.push(address);
    }
    addresses.push(address);
  }
  addresses.forEach((address) => module._emscripten_builtin_free(address));
}

/** What a snapshot says about its Python: bytes of memory, functions, references to JavaScript. */
export function read(file) {
  const [count, length] = new Uint32Array(file, 0, 2);
  const ranges = new Uint32Array(file, 2 * NUMBER, 2 * count);
  const start = (2 + 2 * count) * NUMBER;
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(file, start, length)));
  return { ...about, ranges, blocks: new Uint8Array(file, start + length) };
}

/** Puts the memory of a snapshot into a Python that is not started; gives its references. */
export function putBack({ functions, references, ranges, blocks }, module) {
  const here = functionsOf(module);
  if (functions !== here)
    throw new Error(`the snapshot has ${functions} functions, here are ${here}`);
  let start = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    const [address, length] = [ranges[at] * BLOCK, ranges[at + 1] * BLOCK];
    module.HEAPU8.set(blocks.subarray(start, start + length), address);
    start += length;
  }
  setCounter(module);
  return references;
}

// Where WebAssembly allows it, Pyodide adds a function that counts the arguments of functions. It
// comes last, and Python has its address in its memory.

const functionsOf = ({ wasmTable, _PyEM_CountArgsPtr: counter }) =>
  wasmTable.length - (counter ? 1 : 0);

function setCounter(module) {
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET / 4];
  module.HEAP32[(module.__PyRuntime + offset) / 4] = module._PyEM_CountArgsPtr;
}
