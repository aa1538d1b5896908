// Wraps the Worker for the tests of plugins: the real entry, also without its binding
// (/bare) and with a binding that does not answer (/away).
import worker from "./shell.mjs";

const away = { fetch: () => { throw new Error("away"); } };

export default {
  fetch(req, env, ctx) {
    const url = new URL(req.url);
    const how = /^\/(bare|away)(\/.*)$/.exec(url.pathname);
    if (!how) return worker.fetch(req, env, ctx);
    url.pathname = how[2];
    return worker.fetch(new Request(url, req), { ...env, PLUGINS: how[1] === "away" ? away : undefined }, ctx);
  },
};
