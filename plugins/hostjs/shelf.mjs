// The plugins of one worker: what runs the core there has them called by it, in the same thread. All are messages' contents, so that
// whoever is outside needs nothing of this.
import { envLoadRequest } from "./environment.mjs";
import { PluginError, compile, load } from "./host.mjs";

const PAGES = 4096, LARGEST = 32 << 20; // of memory and of a module in bytes, as the native host has them

/** `digest` gives the sha256 of bytes; `meter` a module's bytes as plugins/meter rewrites them, or {code, why}; `busy` is told the plugin that runs from here on, and null when it has returned. */
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

  /** Loads a plugin under a key, from its bytes or from what an earlier load gave as module and sum. One that is refused stays there
   *  broken, so that a score can say so; `stopped` says of one that it is not to be tried, `refused` why there is no module. `sha256` pins the bytes, `of` is the sha256
   *  of the module before it was metered, where that was done when it was built, by whom the pin says; `timeout` is a call's, in ms. */
  const add = ({ key, name, wasm, module, sum, sha256, of, files, timeout, stopped, refused }) => {
    const loaded = watched(name, () => {
      if (refused) throw new PluginError(name, refused.code, refused.why);
      if (stopped) throw Object.assign(new Error(stopped), { code: "deadline" });
      if (wasm?.length > LARGEST) throw new PluginError(name, "module-too-large", `module has ${wasm.length} bytes, limit ${LARGEST}`);
      sum ??= digest(wasm);
      if (sha256 && sha256 !== sum) throw new PluginError(name, "hash-mismatch", `sha256 is ${sum}, but the pinned one is ${sha256}`);
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

  /** Asks a plugin once: the bytes of its answer, or of an envelope that says why there is none. */
  const ask = ({ key, op, body }) => {
    const { name, operations, message, ask } = all.get(key);
    if (!ask) return encodeAnswer({ error: { code: "internal", message } });
    if (!operations.includes(op)) return encodeAnswer({ error: new PluginError(name, "op-not-described", `unknown operation "${op}"; it offers ${operations.join(", ")}`) });
    const answer = ask(body);
    return answer instanceof Uint8Array ? answer : encodeAnswer({ error: answer });
  };

  return { add, ask, get: (key) => all.get(key) };
}

/** An answer's bytes. Of an error only what a reader is told. */
function encodeAnswer({ ok, error }) {
  return new TextEncoder().encode(JSON.stringify(error ? { error: { code: error.code, message: error.message } } : { ok }) + "\n");
}
