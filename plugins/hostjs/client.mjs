// A page's plugin: it runs in a Web Worker of its own, which is terminated when a call takes too long, because nothing else
// stops a guest that was not metered. The next call starts anew.
import { PluginError, tooLong } from "./host.mjs";

/** Opens a plugin of the module's bytes. @returns {Promise<{description: object, invoke(request: Uint8Array): Promise<Uint8Array>, close(): void}>}
 *  Errors are PluginErrors that name the plugin. `timeout` is in ms, for each call and for the start; `sha256` pins the bytes. */
export async function open(name, bytes, { timeout = 10_000, sha256, ...options } = {}) {
  let worker = null, next = 0, queue = Promise.resolve();

  const stop = () => { worker?.terminate(); worker = null; };

  const ask = (message) => new Promise((resolve, reject) => {
    const id = next++, here = worker;
    const late = setTimeout(() => {
      stop();
      reject(new PluginError(name, "deadline", tooLong(timeout)));
    }, timeout);
    const done = (f, value) => { clearTimeout(late); here.onmessage = here.onerror = null; f(value); };
    here.onerror = (e) => { stop(); done(reject, new PluginError(name, "internal", e.message ?? "its worker does not start")); };
    here.onmessage = ({ data }) => {
      if (data.id !== id) return;
      if (!data.error) return done(resolve, data.value);
      done(reject, Object.assign(new Error(data.error.message), { name: "PluginError", plugin: name, code: data.error.code }));
    };
    here.postMessage({ id, ...message });
  });

  const ready = async () => {
    if (worker) return undefined;
    worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
    try {
      return await ask({ start: { name, bytes, sha256, options } });
    } catch (e) {
      stop();
      throw e;
    }
  };

  const description = await ready();
  const invoke = (request) => {
    const answer = queue.then(async () => { await ready(); return ask({ request }); });
    queue = answer.catch(() => {});
    return answer;
  };
  return { description, invoke, close: stop };
}
