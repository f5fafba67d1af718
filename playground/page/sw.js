// Keeps the files of the playground for the next visit. A new build has another VERSION: its files
// replace these when no page of the old ones is open any more.
/* global FILES, VERSION, WORDS, NUMPY */

const PREFIX = `puzzlekit playground ${self.registration.scope} `;
const NAME = `${PREFIX}${VERSION}`;
const addressOf = (name) => new URL(name, self.registration.scope).href;

async function fill() {
  const cache = await caches.open(NAME);
  const missing = [...FILES.map(addressOf), NUMPY].filter((address) => address);
  for (const address of missing) {
    const response = await fetch(new Request(address, { cache: "force-cache", mode: "cors" }));
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, response);
  }
}

async function clean() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request) {
  const address = request.url.split(/[?#]/)[0];
  const cache = await caches.open(NAME);
  const cached = await cache.match(
    address === self.registration.scope ? addressOf("index.html") : address,
  );
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok && WORDS.map(addressOf).includes(address))
    await cache.put(address, response.clone());
  return response;
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(clean()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const isOurs = url.startsWith(self.registration.scope) || (NUMPY && url === NUMPY);
  if (method === "GET" && isOurs) event.respondWith(answer(event.request));
});
