// Work that can wait until the page has nothing else to do, in slices of a few milliseconds.

const SLICE = 5;

export class Idle {
  constructor() {
    /** @type {(() => boolean)[]} Each does one small piece, and returns whether there are others. */
    this.jobs = [];
    this.timer = 0;
    this.isPaused = () => false;
  }

  add(job) {
    this.jobs.push(job);
  }

  /** Go on as soon as the page is idle. */
  wake() {
    if (!this.timer) this.timer = setTimeout(() => this.#slice(), 20);
  }

  #slice() {
    this.timer = 0;
    if (this.isPaused()) return this.wake();
    const end = performance.now() + SLICE;
    let isOpen = true;
    while (isOpen && performance.now() < end) {
      isOpen = false;
      for (const job of this.jobs) if (job()) isOpen = true;
    }
    if (isOpen) this.wake();
  }

  end() {
    clearTimeout(this.timer);
    this.jobs = [];
  }
}
