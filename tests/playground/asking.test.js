// The scripts of the playground in node, with workers and a page that are none.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, mock, test } from "node:test";
import { pathToFileURL } from "node:url";

const PAGE = "playground/page";
const LOADING = `export class Loading {
  begin() {}
  show(loaded) { globalThis.shown = loaded; }
  end() {}
  fail(reason, again) { globalThis.failure = { reason, again }; }
}
export const agreed = async () => {};
export const keepFiles = () => { globalThis.areKept = true; };
`;
const PARTS = "export const download = (...given) => { globalThis.downloaded = given; };\n";

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Copies a script of the page to where other scripts of its page stand for theirs. */
async function script(name) {
  const folder = mkdtempSync(join(tmpdir(), "playground-"));
  folders.push(folder);
  cpSync(join(PAGE, name), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "loading.js"), LOADING);
  writeFileSync(join(folder, "parts.js"), PARTS);
  return import(pathToFileURL(join(folder, name)));
}

/** A worker that does what the test says. */
class FakeWorker {
  static all = [];

  constructor() {
    Object.assign(this, { hears: {}, questions: [], ended: false });
    FakeWorker.all.push(this);
  }

  addEventListener(type, action) {
    this.hears[type] = action;
  }

  postMessage(message) {
    this.questions.push(message);
  }

  terminate() {
    this.ended = true;
  }

  post(data) {
    this.hears.message({ data });
  }

  /** Begins the last question; gives a function for its messages. */
  begin() {
    const { id } = this.questions.at(-1);
    this.post({ id, began: true });
    return (message) => this.post({ id, ...message });
  }

  answer(text) {
    const post = this.begin();
    post({ item: { answer: text } });
    post({ done: true, memory: 1 });
  }
}

/** Asks two questions, of which the second one has waited for the first worker, and lost patience. */
function askTwo() {
  const asked = [ask("a"), ask("b")];
  FakeWorker.all[0].post({ prepared: true });
  assert.equal(FakeWorker.all.length, 1);
  mock.timers.tick(400);
  assert.equal(FakeWorker.all.length, 2);
  FakeWorker.all[1].post({ prepared: true });
  return asked;
}

const running = () => FakeWorker.all.filter(({ ended }) => !ended);
let ask;

beforeEach(async () => {
  FakeWorker.all = [];
  globalThis.Worker = FakeWorker;
  mock.timers.enable({ apis: ["setTimeout"] });
  ({ ask } = await script("ask.js"));
  await Promise.resolve();
});

afterEach(() => mock.timers.reset());

test("one worker answers at first, and a second one is started when that has time", async () => {
  const board = ask("board");
  assert.equal(FakeWorker.all.length, 1);
  const [first] = FakeWorker.all;
  first.post({ loaded: 5 });
  assert.equal(globalThis.shown, 5);
  first.post({ prepared: true });
  first.answer("a board");
  assert.equal(await board, "a board");
  assert.equal(FakeWorker.all.length, 1);
  assert.equal(globalThis.areKept, undefined);
  mock.timers.tick(1_500);
  assert.equal(FakeWorker.all.length, 2);
  assert.equal(globalThis.areKept, true);
});

test("a worker whose stopped question ends soon is kept for the next one", async () => {
  const stopped = ask("board");
  const [worker] = FakeWorker.all;
  worker.post({ prepared: true });
  const post = worker.begin();
  stopped.stop();
  await assert.rejects(stopped, { message: "stopped" });
  const board = ask("board");
  post({ done: true, memory: 1 });
  worker.answer("a board");
  assert.equal(await board, "a board");
  mock.timers.tick(700);
  assert.equal(FakeWorker.all.length, 1);
});

test("a short question waits for the first worker, rather than for a second one", async () => {
  const asked = [ask("board"), ask("solutions")];
  const [worker] = FakeWorker.all;
  mock.timers.tick(5_000); // while Python is loaded
  worker.post({ prepared: true });
  worker.answer("a board");
  worker.answer("one solution");
  assert.deepEqual(await Promise.all(asked), ["a board", "one solution"]);
  mock.timers.tick(400);
  assert.equal(FakeWorker.all.length, 1);
});

test("messages come in order, and an error has its problems", async () => {
  const seen = [];
  const asked = ask("solve", {}, { progress: (progress) => seen.push(progress) });
  const [worker] = FakeWorker.all;
  const post = worker.begin();
  post({ item: { progress: 1 } });
  post({ item: { progress: 2 } });
  post({ item: { error: "wrong", problems: ["here"], help: "write this" } });
  await assert.rejects(asked, { message: "wrong", problems: ["here"], help: "write this" });
  assert.deepEqual(seen, [1, 2]);
});

test("a question that is stopped ends at once, and its worker soon", async () => {
  const asked = ask("solve");
  const [worker] = FakeWorker.all;
  worker.post({ prepared: true });
  worker.begin();
  asked.stop();
  await assert.rejects(asked, { message: "stopped" });
  assert.equal(worker.ended, false);
  mock.timers.tick(700);
  assert.equal(worker.ended, true);
  assert.equal(running().length, 1);
});

test("a worker whose question was stopped and ends in time goes on", async () => {
  const asked = ask("solve");
  const [worker] = FakeWorker.all;
  worker.post({ prepared: true });
  const post = worker.begin();
  asked.stop();
  await assert.rejects(asked, { message: "stopped" });
  post({ done: true, memory: 1 });
  mock.timers.tick(700);
  assert.equal(worker.ended, false);
});

test("a question does not wait long for stopped ones", async () => {
  for (const asked of askTwo()) {
    asked.stop();
    await assert.rejects(asked, { message: "stopped" });
  }
  const board = ask("board");
  mock.timers.tick(400);
  assert.equal(running().length, 2);
  running().at(-1).answer("a board");
  assert.equal(await board, "a board");
});

test("a question that waits can be stopped, and another one waits for a worker", async () => {
  const asked = [...askTwo(), ask("c"), ask("d")];
  asked[2].stop();
  await assert.rejects(asked[2], { message: "stopped" });
  FakeWorker.all[0].answer("first");
  assert.equal(FakeWorker.all[0].questions.at(-1).given.question, "d");
  FakeWorker.all[0].answer("fourth");
  assert.equal(await asked[3], "fourth");
});

test("the time of a question is up some time after its limit", async () => {
  const asked = ask("solve", {}, { seconds: 3 });
  const [worker] = FakeWorker.all;
  mock.timers.tick(60_000); // while Python is loaded
  worker.post({ prepared: true });
  worker.begin();
  mock.timers.tick(4_999);
  assert.equal(worker.ended, false);
  mock.timers.tick(1);
  await assert.rejects(asked, { message: "stopped: the time is up" });
  assert.equal(worker.ended, true);
});

test("a worker that has ended is replaced, and a large one gets no further question", async () => {
  const asked = ask("solve");
  const [first] = FakeWorker.all;
  first.post({ prepared: true });
  first.begin();
  first.post({ failed: "out of memory" });
  await assert.rejects(asked, { message: "stopped: Python has ended: out of memory" });
  const [second] = running();
  second.post({ prepared: true });
  const large = ask("count");
  const post = second.begin();
  post({ item: { answer: 3 } });
  post({ done: true, memory: 500_000_000 });
  assert.equal(await large, 3);
  assert.equal(second.ended, true);
});

test("where a later worker cannot be loaded, the next question tries again", async () => {
  const asked = ask("solve");
  const [first] = FakeWorker.all;
  first.post({ prepared: true });
  first.begin();
  first.post({ failed: "out of memory" });
  await assert.rejects(asked, { message: "stopped: Python has ended: out of memory" });
  running()[0].post({ failed: "no network" });
  assert.equal(running().length, 0);
  const board = ask("board");
  running()[0].answer("a board");
  assert.equal(await board, "a board");
});

test("where Python cannot be loaded, all questions end, and a button tries again", async () => {
  const asked = [ask("board"), ask("solutions"), ask("solve")];
  FakeWorker.all[0].post({ failed: "no network" });
  for (const question of asked) await assert.rejects(question, { message: "no network" });
  assert.equal(globalThis.failure.reason, "no network");
  globalThis.failure.again();
  const board = ask("board");
  running()[0].answer("a board");
  assert.equal(await board, "a board");
});

test("a link carries texts, and a damaged one is refused", async () => {
  globalThis.location = { origin: "https://example.org", pathname: "/site/playground/" };
  const { linkTo, carried } = await script("files.js");
  const texts = { type: "puzzle: é\n".repeat(500), spec: "puzzle: é\n" };
  const address = await linkTo(texts);
  assert.match(address, /^https:\/\/example\.org\/site\/playground\/#text=[\w-]+$/);
  assert.ok(address.length < 300);
  const hash = new URL(address).hash.slice(1);
  assert.deepEqual(await carried(hash), texts);
  assert.equal(await carried("sudoku/six"), null);
  await assert.rejects(carried(hash.slice(0, -9)), /damaged/);
  await assert.rejects(carried("text=%%%"), /damaged/);
  const wrong = await linkTo({ type: 3, spec: "" });
  await assert.rejects(carried(new URL(wrong).hash.slice(1)), /no type and no spec/);
  const bomb = await linkTo({ type: "x".repeat(5_000_000), spec: "" });
  await assert.rejects(carried(new URL(bomb).hash.slice(1)), /damaged/);
});

test("a text is saved under a name of YAML only", async () => {
  const { save } = await script("files.js");
  await assert.rejects(save("program.exe", "x"), /ends in \.yaml/);
  await save("lamps.yaml", "puzzle: lamps\n");
  assert.deepEqual(globalThis.downloaded, ["lamps.yaml", "puzzle: lamps\n", "text/yaml"]);
});
