// Asks Python in workers of this page. `puzzlekit serve` has a script of this name that asks its
// server, and offers the same.
import { Loading, agreed, keepFiles } from "./loading.js";

const MOST = 2; // workers: one answers, and another is ready for what comes meanwhile
// milliseconds: in which Python may end a question after its limit, and after a request to stop;
// after an answer until the page is idle; that a question waits before another worker is started
const LATE = 2_000;
const STOPPING = 700;
const IDLE = 1_500;
const PATIENCE = 400;
const LARGE = 400_000_000; // bytes with which a worker gets no further question

const loading = new Loading();
const slots = []; // workers
const waiting = []; // questions
let last = 0;
let isReady = false; // whether a worker ever was
let hasBegun = false; // whether workers may be started

/** A worker and the question that it answers. */
class Slot {
  constructor() {
    this.question = null;
    this.ready = false;
    this.timer = 0;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.fail(event.message || "its script cannot be loaded");
    });
  }

  receive(message) {
    if ("loaded" in message) loading.show(message.loaded);
    else if ("began" in message) this.began();
    else if ("failed" in message) this.fail(message.failed);
    else if (message.id === this.question?.id) this.hear(message);
    if (message.prepared) this.prepared();
  }

  prepared() {
    this.ready = true;
    isReady = true;
    loading.end();
    next();
  }

  give(question) {
    this.question = question;
    this.worker.postMessage({ id: question.id, given: question.given });
  }

  /** Python works on the question now: from here its time counts. */
  began() {
    const most = 1000 * this.question.given.seconds + LATE;
    this.timer = setTimeout(() => this.end("stopped: the time is up"), most);
  }

  hear({ item, done, memory }) {
    if (item) this.question.take(item);
    if (!done) return;
    this.question.fail("stopped");
    clearTimeout(this.timer);
    this.question = null;
    if (memory > LARGE) this.leave();
    next();
    setTimeout(idle, IDLE);
  }

  /** Python has ended, for want of memory or by a defect; or it never began. */
  fail(reason) {
    if (this.ready) {
      this.end(`stopped: Python has ended: ${reason}`);
      return;
    }
    this.leave();
    for (const question of [this.question, ...waiting.splice(0)]) question?.fail(reason);
    if (isReady) return;
    hasBegun = false;
    loading.fail(reason, begin);
  }

  /** Ends the worker with its question. */
  end(reason) {
    const { question } = this;
    this.leave();
    question?.fail(reason);
    if (slots.length < MOST) slots.push(new Slot());
    next();
  }

  leave() {
    clearTimeout(this.timer);
    this.worker.terminate();
    const place = slots.indexOf(this);
    if (place >= 0) slots.splice(place, 1);
  }
}

/** A question that gets one answer, or one error. */
class Question {
  constructor(given, progress) {
    Object.assign(this, { id: ++last, given, progress, over: false });
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  take(item) {
    if (this.over) return;
    if ("progress" in item) this.progress?.(item.progress);
    else if ("answer" in item) this.settle(() => this.resolve(item.answer));
    else this.fail(item.error, item);
  }

  fail(message, { problems, help } = {}) {
    this.settle(() => this.reject(Object.assign(new Error(message), { problems, help })));
  }

  settle(action) {
    if (!this.over) action();
    this.over = true;
  }
}

/** Gives the questions that wait to free workers. */
function next() {
  while (waiting.length) {
    if (!slots.length) slots.push(new Slot());
    const free = slots.filter((slot) => !slot.question).sort((a, b) => b.ready - a.ready)[0];
    if (!free) {
      setTimeout(another, PATIENCE);
      return;
    }
    free.give(waiting.shift());
  }
}

/** Starts another worker if questions still wait, and none is starting: for one that is stopped. */
function another() {
  if (!waiting.length || slots.some((slot) => !slot.ready)) return;
  const stopped = slots.find((slot) => slot.question?.over);
  if (!stopped && slots.length >= MOST) return;
  stopped?.leave();
  slots.push(new Slot());
  next();
}

/** Does what is for later, when no question is asked: a second worker, and the next visit. */
function idle() {
  if (!slots.every((slot) => slot.ready && !slot.question)) return;
  keepFiles();
  if (slots.length < MOST) slots.push(new Slot());
}

/** Stops a question: at once for the page, and soon for Python, which may end it by itself. */
function stop(question) {
  question.fail("stopped");
  const place = waiting.indexOf(question);
  if (place >= 0) waiting.splice(place, 1);
  next();
  setTimeout(() => slots.find((slot) => slot.question === question)?.end("stopped"), STOPPING);
}

/** Asks a question; gives a promise of the answer with the method `stop`. */
export function ask(name, given = {}, { seconds = 10, progress } = {}) {
  const question = new Question({ ...given, question: name, seconds }, progress);
  waiting.push(question);
  if (hasBegun) next();
  return Object.assign(question.promise, { stop: () => stop(question) });
}

function begin() {
  hasBegun = true;
  loading.begin();
  slots.push(new Slot());
  next();
}

agreed(loading).then(begin);
