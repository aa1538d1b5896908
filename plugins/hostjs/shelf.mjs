// The plugins of one worker. The core calls them in the same thread. All arguments and results
// are the contents of messages, so code outside the worker does not need this module.
import { envLoadRequest } from "./environment.mjs";
import { PluginError, compile, load } from "./host.mjs";

const PAGES = 4096, LARGEST = 32 << 20; // of memory and of a module in bytes, as the native host has them

/**
 * Returns the functions add, ask and get, which load, call and find a plugin by its key.
 * @param {(bytes: Uint8Array) => string} digest returns the sha256 of bytes
 * @param {(module: Uint8Array, pages: number) => Uint8Array | {code: string, why: string}} meter rewrites a module as plugins/meter does, or says why it refuses the module
 * @param {(name: string | null) => void} busy is called with a plugin's name before the plugin runs, and with null after it
 */
export function shelf(digest, meter, busy) {
  const all = new Map(); // by key: {name, ...} of a plugin, {name, message} of one that could not be loaded

  const watched = (name, f) => {
    busy(name);
    try { return f(); } catch (e) { return { error: { code: e.code ?? "internal", why: e.why ?? e.message, message: e.message } }; } finally { busy(null); }
  };

  const metered = (name, wasm) => {
    const out = meter(wasm, PAGES);
    if (out instanceof Uint8Array) return out;
    throw new PluginError(name, out.code, out.why);
  };

  /**
   * Loads a plugin under a key. A plugin that cannot be loaded stays under its key with the
   * error message, so that a score can report it. The members of the argument are:
   *
   *   wasm         the module's bytes
   *   module, sum  instead of wasm: the compiled module and its sha256, from an earlier load
   *   sha256       the hash that the bytes must have; undefined accepts all
   *   of           the sha256 of the module before the build metered it; with sha256, the bytes are not metered again
   *   files        the user's files for the plugin's environment
   *   timeout      limit of a call, in ms
   *   stopped      the message for a plugin that must not run again
   *   refused      {code, why} if there is no module
   */
  const add = ({ key, name, wasm, module, sum, sha256, of, files, timeout, stopped, refused }) => {
    const loaded = watched(name, () => {
      if (refused) throw new PluginError(name, refused.code, refused.why);
      if (stopped) throw Object.assign(new Error(stopped), { code: "deadline" });
      if (wasm?.length > LARGEST) throw new PluginError(name, "module-too-large", `module has ${wasm.length} bytes, limit ${LARGEST}`);
      sum ??= digest(wasm);
      if (sha256 && sha256 !== sum) throw new PluginError(name, "hash-mismatch", `the module's sha256 is ${sum}, but the pinned sha256 is ${sha256}`);
      module ??= compile(name, of && sha256 ? wasm : metered(name, wasm));
      let given = { id: "" };
      const setup = (description) => (files ? [(given = envLoadRequest(name, description, files, digest)).request] : []);
      const { description, said, invoke } = load(name, module, { maxPages: PAGES, timeout, setup, reuse: Boolean(of && sha256) });
      const ask = (request) => { const answer = watched(name, () => invoke(request)); return answer.error ?? answer; };
      all.set(key, { name, sha256: of ?? sum, description: JSON.stringify(description), operations: description.operations, environment: given.id, ask });
      return { ok: { description, sha256: of ?? sum, environment: said[0]?.summary ?? null }, module, sum };
    });
    if (loaded.error) all.set(key, { name, message: loaded.error.message });
    return { body: encodeAnswer(loaded.error ? { error: loaded.error } : { ok: loaded.ok }), module, sum };
  };

  /** Sends one request to a plugin. Returns the bytes of its answer, or of an error envelope if the plugin gave no answer. */
  const ask = ({ key, op, body }) => {
    const { name, operations, message, ask } = all.get(key);
    if (!ask) return encodeAnswer({ error: { code: "internal", message } });
    if (!operations.includes(op)) return encodeAnswer({ error: new PluginError(name, "op-not-described", `unknown operation "${op}"; the plugin offers ${operations.join(", ")}`) });
    const answer = ask(body);
    return answer instanceof Uint8Array ? answer : encodeAnswer({ error: answer });
  };

  return { add, ask, get: (key) => all.get(key) };
}

/** Returns the bytes of an envelope. From an error it takes only the code and the message. */
function encodeAnswer({ ok, error }) {
  return new TextEncoder().encode(JSON.stringify(error ? { error: { code: error.code, message: error.message } } : { ok }) + "\n");
}
