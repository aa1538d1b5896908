// The bundled plugins, which the build puts next to the page. The page fetches their list at
// the start, and a plugin's module when it is needed. Their input never leaves the page.

/** @typedef {import("../npm/index.d.ts").PluginSource} PluginSource */
/** @typedef {{name: string, summary: string, operations: string[], environment?: {summary: string, names: string[]}, templates?: object[]}} Description */

export class Plugins {
  #modules = [];
  #plugins = [];
  #fetched = new Map();

  /** Reads the list. It is empty if the page was built without plugins. */
  static async load() {
    const all = new Plugins();
    const answer = await fetch(moduleURL("catalog.json"));
    if (answer.ok) {
      const { modules, plugins } = await answer.json();
      [all.#modules, all.#plugins] = [modules, plugins];
    }
    return all;
  }

  /** @returns {Description[]} the plugins that check runs */
  get checkers() {
    return this.#plugins.map((p) => p.description).filter((d) => d.operations.includes("equivalence.check"));
  }

  /** @returns {Description | undefined} */
  describe(name) {
    return this.#plugins.find((p) => p.description.name === name)?.description;
  }

  /** The approximate download size in bytes; 0 if the plugin is already here. */
  weight(name) {
    const m = this.#module(name);
    return m && !this.#fetched.has(m) ? m.gzip : 0;
  }

  /**
   * Returns a plugin for the client. The first time it fetches the plugin's module. The
   * client checks the hash when it loads the module.
   * @param {string} name
   * @param {(percent: number) => void} [progress]
   * @returns {Promise<PluginSource>}
   */
  async source(name, progress = () => {}) {
    const m = this.#module(name);
    if (!m) throw new Error(`this page was built without the plugin ${name}`);
    if (!this.#fetched.has(m)) this.#fetched.set(m, fetchModule(m, progress));
    try {
      return { name, wasm: await this.#fetched.get(m), sha256: m.sha256, of: m.of };
    } catch (e) {
      this.#fetched.delete(m); // try again the next time
      throw new Error(`the plugin ${name} could not be fetched: ${e.message}`);
    }
  }

  #module(name) {
    return this.#modules[this.#plugins.find((p) => p.description.name === name)?.module];
  }
}

const moduleURL = (file) => new URL("plugins/" + file, import.meta.url);

/** A cache may hold the file of an older build. If the length differs, the file is fetched again. */
async function fetchModule(m, progress) {
  const first = await fetchBytes(moduleURL(m.file), m.bytes, progress, "default");
  return first.length === m.bytes ? first : fetchBytes(moduleURL(m.file), m.bytes, progress, "reload");
}

async function fetchBytes(url, total, progress, cache) {
  const answer = await fetch(url, { cache });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const parts = [];
  let done = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { value, done: end } = await reader.read();
    if (end) break;
    parts.push(value);
    progress(Math.round((100 * (done += value.length)) / total));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * Gives files the names that a plugin sees: their paths, without the top folder if all
 * files are in the same one.
 * @param {{path: string, file: File}[]} all
 * @returns {{name: string, file: File}[]}
 */
export function nameFiles(all) {
  const tops = new Set(all.map(({ path }) => path.split("/")[0]));
  const one = tops.size === 1 && all.every(({ path }) => path.includes("/"));
  return all.map(({ path, file }) => ({ name: one ? path.slice(path.indexOf("/") + 1) : path, file }));
}

/** The files that were dropped, including those in dropped folders. @param {DataTransfer} data @returns {Promise<{path: string, file: File}[]>} */
export async function droppedFiles(data) {
  const entries = [...data.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...data.files].map((file) => ({ path: file.name, file }));
  return (await Promise.all(entries.map(walkEntry))).flat();
}

async function walkEntry(entry) {
  if (entry.isFile) return [{ path: entry.fullPath.slice(1), file: await new Promise((ok, bad) => entry.file(ok, bad)) }];
  const reader = entry.createReader(), all = [];
  for (let some; (some = await new Promise((ok, bad) => reader.readEntries(ok, bad))).length; ) all.push(...some);
  return (await Promise.all(all.map(walkEntry))).flat();
}
