// Keeps games in the browser, with their whole history: each step is written once. Where nothing
// can be kept, `problem` is told.

const NAME = "puzzlekit";
const FULL = "This browser has no more room: what you enter is not kept. Save the game as a file.";
const CLOSED =
  "This browser keeps nothing for this page. Save the game as a file before you close it.";

const promised = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "key" });
    request.result.createObjectStore("steps");
  };
  return promised(request);
}

/** A game in the database of the browser, which other tabs with the same page share. */
export class PageStore {
  /**
   * @param {string} key The puzzle and the page.
   * @param {(text: string) => void} problem
   * @param {() => void} changed Is called when another tab has changed the game.
   */
  constructor(key, problem, changed) {
    this.key = key;
    this.problem = problem;
    this.tab = Math.random().toString(36).slice(2);
    this.written = 0; // steps that stand in the database
    this.database = this.#open();
    this.#hear(changed);
  }

  async #open() {
    try {
      const database = await opened();
      database.onversionchange = () => database.close();
      return database;
    } catch {
      this.problem(CLOSED);
      return null;
    }
  }

  #hear(changed) {
    if (typeof BroadcastChannel === "undefined") return;
    this.channel = new BroadcastChannel(NAME);
    this.channel.onmessage = ({ data }) => {
      if (data.key === this.key && data.tab !== this.tab) changed();
    };
  }

  /** The game that was kept, with its steps; null if there is none. */
  async load() {
    const database = await this.database;
    if (!database) return null;
    try {
      const transaction = database.transaction(["games", "steps"]);
      const header = await promised(transaction.objectStore("games").get(this.key));
      if (!header) return null;
      const range = IDBKeyRange.bound([this.key, 0], [this.key, header.length], false, true);
      const steps = await promised(transaction.objectStore("steps").getAll(range));
      this.written = steps.length;
      return { header, steps };
    } catch {
      this.problem(CLOSED);
      return null;
    }
  }

  /**
   * Keep the game.
   *
   * @param {any} header
   * @param {import("./game.js").Game} game
   * @param {number} from The number of the first step that has changed.
   * @param {boolean} isMove Whether other tabs are to follow.
   */
  async save(header, game, from, isMove = true) {
    const first = Math.min(from, this.written);
    const steps = game.steps(first);
    this.written = first + steps.length;
    const database = await this.database;
    if (!database) return;
    const failed = () => {
      this.written = Math.min(this.written, first);
      this.problem(FULL);
    };
    try {
      const transaction = database.transaction(["games", "steps"], "readwrite");
      transaction.onabort = failed;
      transaction.oncomplete = () => {
        this.problem("");
        if (isMove) this.channel?.postMessage({ key: this.key, tab: this.tab });
      };
      this.#put(transaction, header, steps, first);
    } catch {
      failed(); // the database was closed
    }
  }

  #put(transaction, header, steps, first) {
    const store = transaction.objectStore("steps");
    try {
      steps.forEach((step, number) => store.put(step, [this.key, first + number]));
      transaction.objectStore("games").put({ ...header, key: this.key });
      transaction.commit();
    } catch {
      transaction.abort();
    }
  }

  end() {
    this.channel?.close();
    this.database.then((database) => database?.close());
  }
}

/** A game in a storage like localStorage, for one tab alone. */
export class TabStore {
  constructor(key, problem, storage) {
    this.key = `${NAME} ${key}`;
    this.problem = problem;
    this.storage = storage;
  }

  async load() {
    try {
      return JSON.parse(this.storage.getItem(this.key));
    } catch {
      return null;
    }
  }

  async save(header, game) {
    try {
      this.storage.setItem(this.key, JSON.stringify({ header, steps: game.steps() }));
      this.problem("");
    } catch {
      this.problem(FULL);
    }
  }

  end() {}
}

/** What a player has chosen for all puzzles, such as options. */
export const choicesKept = {
  read(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`${NAME} ${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  write(name, choice) {
    try {
      localStorage.setItem(`${NAME} ${name}`, JSON.stringify(choice));
    } catch {
      // not allowed, or no room: a choice is easily made again
    }
  },
};
