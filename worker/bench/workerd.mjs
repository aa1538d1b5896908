// Serves a built Worker in workerd, with the bindings of its configuration. serve does this in
// the same process. The command serves in a process of its own:
//
//   VARS='{"NAME":"value"}' node worker/bench/workerd.mjs CONFIG ENTRY STATE [BATCHES]
//
// BATCHES is the address of a Worker for batches (HOST:PORT), to which this one forwards. In the
// environment, the variable SCORES is that of a Worker for scores, PORT is the port to listen
// at, and PAGE=1 also serves the page of the configuration.
//
// "wrangler dev" does the same, but each of its requests also passes through a proxy, which
// is a second workerd, and through Node. They take more processor time than the gate, and
// they are not part of the platform. A measurement of the gate would measure them. It also takes
// twice the processor time to start.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const need = createRequire(import.meta.url);
const wrangler = need.resolve("wrangler");
const { unstable_getMiniflareWorkerOptions: options } = need(wrangler);
const { Miniflare } = createRequire(wrangler)("miniflare");

/**
 * serve returns the Miniflare of a Worker. vars are its variables, and state is the folder where
 * wrangler keeps its data. more are the addresses of the Workers for batches and for scores, the
 * port, and whether the page is served.
 */
export function serve(config, entry, state, vars, { batches, scores, port = 0, page = false } = {}) {
  const { assets, modulesRules, ...bindings } = options(config).workerOptions;
  if (batches) { // as docs/batches.md says
    delete bindings.d1Databases.BATCH_DB;
    Object.assign(bindings, { r2Buckets: {}, queueProducers: {}, queueConsumers: {} });
    bindings.serviceBindings.BATCH_WORKER = { external: { address: batches, http: {} } };
  }
  if (scores) bindings.serviceBindings.SCORE_WORKER = { external: { address: scores, http: {} } };
  return new Miniflare({
    ...bindings,
    ...(page && { assets }),
    port,
    bindings: vars,
    modules: true,
    modulesRoot: dirname(entry),
    scriptPath: entry,
    modulesRules: [{ type: "ESModule", include: ["**/*.mjs", "**/*.js"] }, ...modulesRules],
    defaultPersistRoot: join(state, "v3"),
    cf: false, // uses no network
    logRequests: false,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [config, entry, state, batches] = process.argv.slice(2);
  const { VARS, SCORES, PORT, PAGE } = process.env;
  const worker = serve(config, entry, state, JSON.parse(VARS), { batches, scores: SCORES, port: Number(PORT ?? 0), page: Boolean(PAGE) });
  console.log(`workerd is at ${(await worker.ready).host}`);
}
