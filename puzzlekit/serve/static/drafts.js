// Drafts: texts that are not saved, kept in the browser until they are. Each page writes a record of its own, so that no page
// writes over what another one keeps. A record has its `id`, the `writer` (a load of a page), the `folder` that was served, the
// time `at` which it was written, a `title`, and `texts`.

import {ofTab} from "./parts.js";

const DATABASE = "puzzlekit drafts", RECORDS = "drafts", PAUSE = 250, ANSWER = 250;  // milliseconds
const ID = "puzzlekit draft";  // of this tab, over a reload

const name = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");

let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, {keyPath: "id"});
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const opened = request.result;
      opened.onversionchange = () => { opened.close(); opening = null; };
      opened.onclose = () => { opening = null; };
      resolve(opened);
    };
  });
  opening.catch(() => { opening = null; });  // the next one tries again
  return opening;
}

// Runs a transaction; `action` gets the records, and what it gives to `done` comes when all is written.
async function transaction(mode, action) {
  const opened = await database();
  return new Promise((resolve, reject) => {
    const running = opened.transaction(RECORDS, mode);
    let given;
    running.oncomplete = () => resolve(given);
    running.onabort = () => reject(running.error ?? new Error("nothing was written"));
    action(running.objectStore(RECORDS), (found) => { given = found; });
  });
}

const all = () => transaction("readonly", (records, done) => {
  const request = records.getAll();
  request.onsuccess = () => done(request.result.sort((one, other) => other.at - one.at));
});

const remove = (id) => transaction("readwrite", (records) => records.delete(id));

export class Drafts {
  // `trouble` is called with true when texts cannot be kept, and with false when they are again.
  constructor(trouble) {
    Object.assign(this, {trouble, id: ofTab.getItem(ID) ?? name(), writer: name(), waiting: new Map(), written: new Set(), timer: 0, writing: false});
    this.channel = new BroadcastChannel(DATABASE);
    this.answers = new Set();
    this.channel.addEventListener("message", ({data: {asks, opened}}) => {
      if (asks) this.channel.postMessage({opened: this.id});
      else if (opened) this.answers.add(opened);
    });
    this.name(this.id);
    addEventListener("pagehide", () => this.write());
    document.addEventListener("visibilitychange", () => document.hidden && this.write());
  }

  get kept() { return !this.waiting.size && !this.writing; }

  async elsewhere() {  // the records of other pages that are open
    this.answers.clear();
    this.channel.postMessage({asks: true});
    await new Promise((resolve) => { setTimeout(resolve, ANSWER); });
    return this.answers;
  }

  // A tab that was duplicated has the record of the first one: it takes a new one.
  async begin() {
    if ((await this.elsewhere()).has(this.id)) this.fresh();
  }

  async list() {  // the drafts that no open page has, the last one first
    const open = await this.elsewhere();
    return (await all()).filter(({id}) => id !== this.id && !open.has(id));
  }

  take({id}) {  // goes on with a draft
    this.name(id);
    this.written.delete(id);
  }

  fresh() {  // leaves the draft as it is, and begins another
    this.name(name());
  }

  name(id) {
    this.id = id;
    try { ofTab.setItem(ID, id); } catch { /* a reload then begins another draft */ }
  }

  remove({id}) { return remove(id); }

  // Keeps texts, or removes the draft if there is nothing to keep.
  keep(draft) {
    this.waiting.set(this.id, draft);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), PAUSE);
  }

  write() {
    clearTimeout(this.timer);
    if (!this.waiting.size || this.writing) return;
    const [[id, draft]] = this.waiting;
    this.waiting.delete(id);
    this.writing = true;
    this.store(draft, id).then((own) => {
      if (own !== id) this.move(id, own);
      this.writing = false;
      this.trouble(false);
      this.write();
    }, () => {
      this.writing = false;
      if (!this.waiting.has(id)) this.waiting.set(id, draft);  // tried again with the next change
      this.trouble(true);
    });
  }

  move(id, own) {  // what comes after goes to another record, too
    if (id === this.id) this.name(own);
    if (!this.waiting.has(id)) return;
    this.waiting.set(own, this.waiting.get(id));
    this.waiting.delete(id);
  }

  // Gives the id under which the draft stands: another one if a page elsewhere has written there since.
  store(draft, id) {
    const {writer, written} = this;
    return transaction("readwrite", (records, done) => {
      const request = records.get(id);
      request.onsuccess = () => {
        const before = request.result, taken = before && written.has(id) && before.writer !== writer, own = taken ? name() : id;
        written.add(own);
        done(own);
        if (draft) records.put({...draft, id: own, writer, at: Date.now()});
        else if (before && !taken) records.delete(id);
      };
    });
  }
}
