// Keeps the inputs that were scored, so that Back and a reload can show them again. Each input has
// an id, which is in the browser's history. The inputs are lost when the tab closes, unless the
// reader chooses to store them in this browser.

import { keepInTab, leaveTab, readTab } from "./tab.js";

const MOST = 16; // inputs
const HEAVIEST = 128 << 20; // bytes of all of them
const KEEP = "boundcheck.keep";

/**
 * @typedef {{name: string, bytes: Uint8Array}} NamedBytes
 * @typedef {{trace: string, files: NamedBytes[], reference: string, config: string, parameters?: import("../npm/types.d.ts").Parameters, profile: string, checker: string, example: string, title?: string, about?: string, marks?: Record<string, import("../run/marks.js").Mark>}} Input
 */

export const EMPTY = Object.freeze({ trace: "", files: [], reference: "", config: "", profile: "auto", checker: "", example: "" });

/** Whether the input has any content that the reader could lose. @param {Input} input */
export const hasContent = (input) => Boolean(input.trace || input.files.length || input.reference || input.config);

/** @param {Input} a @param {Input} b */
export function isSameInput(a, b) {
  const files = a.files === b.files || (a.files.length === b.files.length && a.files.every((f, i) => f.bytes === b.files[i].bytes && f.name === b.files[i].name));
  return files && JSON.stringify(a.parameters ?? {}) === JSON.stringify(b.parameters ?? {}) && ["trace", "reference", "config", "profile", "checker", "example"].every((key) => (a[key] ?? "") === (b[key] ?? ""));
}

const inputWeight = (input) => input.trace.length + input.files.reduce((n, f) => n + f.bytes.length, 0);

export class Inputs {
  /** @type {Map<string, Input>} the oldest first */
  #all = new Map();
  #session = Date.now().toString(36);
  #count = 0;

  /** Whether the reader chose to store inputs in this browser. */
  get kept() {
    return readKeep() === "yes";
  }

  /** @param {boolean} yes @param {string} id the input that is on the page */
  async keep(yes, id) {
    try {
      if (yes) localStorage.setItem(KEEP, "yes");
      else localStorage.removeItem(KEEP);
      if (!yes) {
        leaveTab();
        await runTransaction("readwrite", (s) => s.clear());
      } else if (this.#all.has(id)) await this.#store(id);
      return true;
    } catch {
      return false; // this browser stores nothing
    }
  }

  /** @param {Input} input @returns {string} its id */
  add(input) {
    const id = `${this.#session}-${this.#count++}`;
    this.#all.set(id, input);
    for (const old of this.#all.keys()) {
      if (old === id || (this.#all.size <= MOST && this.#weight() <= HEAVIEST)) break;
      this.#all.delete(old);
    }
    this.#keep(id, input);
    return id;
  }

  /** Replaces an input by a changed one under the same id. @param {string} id @param {Input} input */
  replace(id, input) {
    this.#all.set(id, input);
    this.#keep(id, input);
  }

  #keep(id, input) {
    keepInTab(id, input);
    if (this.kept) this.#store(id).catch(() => {});
  }

  /** @param {string} id @returns {Promise<Input | null>} */
  async find(id) {
    if (this.#all.has(id)) return this.#all.get(id);
    const inTab = await readTab(id);
    if (inTab) this.#all.set(id, inTab);
    if (inTab || !this.kept) return inTab;
    try {
      const input = await runTransaction("readonly", (s) => s.get(id));
      if (input) this.#all.set(id, input);
      return input ?? null;
    } catch {
      return null;
    }
  }

  #weight() {
    return [...this.#all.values()].reduce((n, input) => n + inputWeight(input), 0);
  }

  /** Stores one input and drops the oldest if there are too many. */
  async #store(id) {
    await runTransaction("readwrite", (s) => s.put(this.#all.get(id), id));
    const ids = await runTransaction("readonly", (s) => s.getAllKeys());
    const old = ids.slice(0, Math.max(0, ids.length - MOST)); // ids sort by time
    await runTransaction("readwrite", (s) => old.map((k) => s.delete(k)).at(-1));
  }
}

function readKeep() {
  try {
    return localStorage.getItem(KEEP);
  } catch {
    return null;
  }
}

/** Runs work in one transaction on the browser's database (IndexedDB). */
function runTransaction(mode, work) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("boundcheck", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("inputs");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const transaction = db.transaction("inputs", mode);
      const request = work(transaction.objectStore("inputs"));
      transaction.oncomplete = () => (db.close(), resolve(request?.result));
      transaction.onerror = transaction.onabort = () => (db.close(), reject(transaction.error));
    };
  });
}
