// The archives and the snapshots that the playground reads.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { putBack, read, taken } from "../../playground/page/snapshot.js";
import { filesOf } from "../../playground/page/tar.js";

const LONG = "a".repeat(90);

test("an archive has the files that tar has put into it", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const contents = { "empty.txt": "", "é.txt": "x".repeat(512), [`${LONG}/${LONG}.txt`]: "long" };
  mkdirSync(join(folder, LONG));
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  const names = Object.keys(contents);
  execFileSync("tar", ["--format=ustar", "-C", folder, "-cf", join(folder, "all.tar"), ...names]);
  const archive = new Uint8Array(readFileSync(join(folder, "all.tar")));
  const files = [...filesOf(archive)].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]);
  assert.deepEqual(Object.fromEntries(files), contents);
});

/** A Python whose memory has these numbers at these addresses. */
function python(memory, functions, counter = 0) {
  const HEAPU8 = new Uint8Array(memory);
  const module = {
    HEAPU8,
    HEAP32: new Int32Array(HEAPU8.buffer),
    wasmTable: { length: functions },
    _PyEM_CountArgsPtr: counter,
    __PyEM_EMSCRIPTEN_COUNT_ARGS_OFFSET: 1000,
    __PyRuntime: 2000,
    _emscripten_builtin_malloc: () => HEAPU8.length, // none is free
    _emscripten_builtin_free: () => {},
  };
  module.HEAP32[250] = 40; // of the counter's address in the runtime
  return { _module: module, _api: { serializeHiwireState: () => ["references"] } };
}

test("a snapshot puts the memory back, and keeps a counter of arguments", async () => {
  const before = python(4096, 10)._module.HEAPU8.slice();
  const there = python(8192, 10);
  for (const address of [0, 63, 64, 1500, 3000, 8191]) there._module.HEAPU8[address] = 7;
  const file = await taken(there, before);
  assert.ok(file.byteLength < 800);
  const saved = read(file);
  assert.equal(saved.memory, 8192);
  const here = python(saved.memory, 11, 10)._module; // in a browser that counts arguments
  assert.deepEqual(putBack(saved, here), ["references"]);
  assert.equal(here.HEAP32[510], 10);
  here.HEAP32[510] = 0;
  assert.deepEqual(here.HEAPU8, there._module.HEAPU8);
});

test("a snapshot of another Python is refused", async () => {
  const there = python(4096, 10);
  const saved = read(await taken(there, python(4096, 10)._module.HEAPU8));
  assert.throws(() => putBack(saved, python(4096, 12)._module), /has 10 functions, here are 12/);
});
