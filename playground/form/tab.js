// Keeps the last inputs in the browser's tab, compressed, so that a reload and Back from another
// page land on the verdict. The browser deletes them when the tab closes, and no other tab sees them.

const PREFIX = "boundcheck.tab.";
const MOST = 4; // inputs
const LARGEST = 4_000_000; // characters of all of them; browsers keep about five million

/** @typedef {import("./inputs.js").Input} Input */

const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX)).sort(byAge);
const byAge = (a, b) => a.length - b.length || (a < b ? -1 : 1); // ids end with a count

let last = Promise.resolve(); // one is written after the other

/** Keeps an input under its id, and drops the oldest. Too large ones are not kept. @param {string} id @param {Input} input */
export function keepInTab(id, input) {
  last = last.then(() => write(id, input)).catch(() => {}); // this browser stores nothing, or has no room
}

async function write(id, input) {
  const text = await packInput(input);
  sessionStorage.removeItem(PREFIX + id);
  if (text.length > LARGEST) return;
  const size = () => keys().reduce((n, key) => n + sessionStorage.getItem(key).length, 0);
  while (keys().length >= MOST || (keys().length && size() + text.length > LARGEST)) sessionStorage.removeItem(keys()[0]);
  sessionStorage.setItem(PREFIX + id, text);
}

/** Deletes all inputs of this tab. */
export function leaveTab() {
  try {
    for (const key of keys()) sessionStorage.removeItem(key);
  } catch {
    // this browser stores nothing
  }
}

/** @param {string} id @returns {Promise<Input | null>} */
export async function readTab(id) {
  try {
    const text = sessionStorage.getItem(PREFIX + id);
    return text ? await unpackInput(text) : null;
  } catch {
    return null;
  }
}

/** An input as text: its members as one line of JSON, then the bytes of its files, compressed. @param {Input} input */
async function packInput(input) {
  const head = { ...input, files: input.files.map(({ name, bytes }) => ({ name, size: bytes.length })) };
  const stream = new Blob([JSON.stringify(head) + "\n", ...input.files.map((f) => f.bytes)]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let i = 0; i < packed.length; i += 8192) text += String.fromCharCode(...packed.subarray(i, i + 8192));
  return btoa(text);
}

/** @param {string} text @returns {Promise<Input>} */
async function unpackInput(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const all = new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  let at = all.indexOf(10) + 1;
  const head = JSON.parse(new TextDecoder().decode(all.subarray(0, at)));
  return { ...head, files: head.files.map(({ name, size }) => ({ name, bytes: all.slice(at, (at += size)) })) };
}
