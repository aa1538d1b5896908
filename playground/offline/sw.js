// Stores the page on this machine, so that it opens and scores without a network. The
// build writes FILES at the beginning of this script: each of the page's files with the
// SHA-256 of its bytes, and whether the file is fetched only when it is needed.
//
// A file is stored under its hash. For the page itself, this script asks the network first.
// If that page has the hash in FILES, all its files come from the store. If the page is
// newer, all its files come from the network, and the new version of this script serves
// the next visit. So a page never gets files of another version. Files that are not in
// FILES always come from the network.

const CACHE = "boundcheck";
const PAGE = "index.html";
const PATIENCE = 4000; // ms to wait for the page from the network

const scope = new URL("./", self.location.href);
const keyOf = (name) => `${scope}${name}?sha256=${FILES[name].sha256}`;
const newerKey = (client) => `${scope}?newer=${client}`;

/** The name in FILES for an address; undefined for any other address. */
function nameOf(address) {
  const url = new URL(address);
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return undefined;
  const name = decodeURIComponent(url.pathname.slice(scope.pathname.length)) || PAGE;
  return Object.hasOwn(FILES, name) ? name : undefined;
}

async function sha256Hex(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(sum, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Stores an answer and returns true if its bytes have the hash in FILES; returns false otherwise. */
async function storeAnswer(cache, name, answer) {
  const bytes = await answer.arrayBuffer();
  if (!answer.ok || (await sha256Hex(bytes)) !== FILES[name].sha256) return false;
  const headers = new Headers(answer.headers);
  for (const gone of ["content-encoding", "content-length", "set-cookie"]) headers.delete(gone);
  await cache.put(keyOf(name), new Response(bytes, { headers }));
  return true;
}

async function storeFiles() {
  const cache = await caches.open(CACHE);
  for (const name of Object.keys(FILES)) {
    if (FILES[name].asked || (await cache.match(keyOf(name)))) continue;
    const answer = await fetch(scope + name, { cache: "no-cache" });
    if (!(await storeAnswer(cache, name, answer))) throw new Error(`file ${name} does not have the SHA-256 that the build recorded`);
  }
}

/** Deletes the stored files of older versions. */
async function deleteOldFiles() {
  const cache = await caches.open(CACHE);
  const mine = new Set(Object.keys(FILES).map(keyOf));
  const open = new Set((await self.clients.matchAll({ includeUncontrolled: true })).map((c) => newerKey(c.id)));
  for (const request of await cache.keys()) {
    if (!mine.has(request.url) && !open.has(request.url)) await cache.delete(request);
  }
  await self.clients.claim(); // so that a plugin that the first visit uses is stored, too
}

async function answerPage(event) {
  const cache = await caches.open(CACHE);
  let answer;
  try {
    answer = await fetch(event.request, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    return (await cache.match(keyOf(PAGE))) ?? Response.error();
  }
  const bytes = await answer.clone().arrayBuffer();
  if ((await sha256Hex(bytes)) === FILES[PAGE].sha256) return answer;
  if (answer.status >= 500) return (await cache.match(keyOf(PAGE))) ?? answer;
  await cache.put(newerKey(event.resultingClientId), new Response());
  // Another program may have this address now.
  if (answer.ok && !new TextDecoder().decode(bytes).includes("Boundcheck")) await self.registration.unregister();
  return answer;
}

async function answerFile(event, name) {
  const cache = await caches.open(CACHE);
  if (event.clientId && (await cache.match(newerKey(event.clientId)))) return fetch(event.request);
  const kept = await cache.match(keyOf(name));
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(storeAnswer(cache, name, answer.clone()));
  return answer;
}

self.addEventListener("install", (event) => event.waitUntil(storeFiles()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldFiles()));
self.addEventListener("fetch", (event) => {
  const name = event.request.method === "GET" ? nameOf(event.request.url) : undefined;
  if (!name) return;
  if (event.request.mode === "navigate") {
    if (name === PAGE) event.respondWith(answerPage(event));
    return;
  }
  event.respondWith(answerFile(event, name));
});
