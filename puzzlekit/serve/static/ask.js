// Asks the server. Each question gets an answer, is stopped, or ends with an error. Requests are short, since a browser has
// only a few connections for all tabs: what takes long is asked about again and again.

const FIRST = 50, LAST = 300;  // milliseconds between two requests

export async function post(path, given) {
  let response;
  try {
    response = await fetch(`/${path}`, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(given)});
  } catch {
    throw new Error("The server does not answer. Is puzzlekit serve still running?");
  }
  if (response.status === 403) throw new Error("This page is of an earlier start: open the address that puzzlekit serve has printed.");
  const found = response.headers.get("content-type")?.startsWith("application/json") ? await response.json() : {error: await response.text()};
  if (!response.ok) throw Object.assign(new Error(found.error), {status: response.status, help: found.help});
  return found;
}

const open = new Map();  // questions without an answer, by their ids
let timer = null, pause = FIRST;

function take({id, news, done}) {
  const own = open.get(id);
  if (!own) return;
  for (const item of news) {
    if ("progress" in item) own.progress?.(item.progress);
    else if ("answer" in item) own.resolve(item.answer);
    else own.reject(Object.assign(new Error(item.error), {problems: item.problems, help: item.help}));
  }
  if (news.length) pause = FIRST;
  if (done) open.delete(id);
}

async function look() {
  timer = null;
  const ids = [...open.keys()];
  if (!ids.length) return;
  try {
    const {questions} = await post("news", {ids}), known = new Set(questions.map((one) => one.id));
    questions.forEach(take);
    for (const id of ids) if (!known.has(id)) take({id, news: [{error: "The server has lost this question."}], done: true});
  } catch (error) {
    for (const id of ids) take({id, news: [{error: error.message}], done: true});
  }
  pause = Math.min(LAST, pause * 1.3);
  timer ??= open.size ? setTimeout(look, pause) : null;
}

export function ask(question, given = {}, {seconds = 10, progress} = {}) {  // a promise with the method `stop`
  let id = null, stopped = false, own;
  const stop = () => {
    stopped = true;
    if (id && open.has(id)) post("stop", {ids: [id]}).catch(() => {});
  };
  const promise = new Promise((resolve, reject) => { own = {progress, resolve, reject}; });
  post("ask", {...given, question, seconds}).then((told) => {
    id = told.id;
    open.set(id, own);
    take(told);
    pause = FIRST;
    if (stopped) stop();
    timer ??= open.size ? setTimeout(look, pause) : null;
  }, own.reject);
  return Object.assign(promise, {stop});
}

addEventListener("pagehide", () => {
  if (open.size) navigator.sendBeacon("/stop", new Blob([JSON.stringify({ids: [...open.keys()]})], {type: "application/json"}));
});
