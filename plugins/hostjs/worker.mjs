// The worker's side of client.mjs: one plugin, one request after another.
import { cap } from "./cap.mjs";
import { PluginError, compile, load } from "./host.mjs";

let plugin;

async function start({ name, bytes, sha256, options }) {
  if (sha256) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const sum = [...digest].map((b) => b.toString(16).padStart(2, "0")).join("");
    if (sum !== sha256) throw new PluginError(name, "hash-mismatch", `sha256 is ${sum}, pinned was ${sha256}`);
  }
  const maxPages = options.maxPages ?? 4096;
  plugin = load(name, compile(name, cap(bytes, maxPages)), { ...options, maxPages });
  return plugin.description;
}

addEventListener("message", async ({ data }) => {
  try {
    const value = data.start ? await start(data.start) : plugin.invoke(data.request);
    postMessage({ id: data.id, value });
  } catch (e) {
    postMessage({ id: data.id, error: { code: e.code ?? "internal", message: e.message } });
  }
});
