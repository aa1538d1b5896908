// The worker's side of the client: starts one core and answers its calls in turn.
//
//   in   {wasm: WebAssembly.Module}           first, once
//        {id, method, body: Uint8Array}       then, any number
//   out  {id, body: Uint8Array}               the core's bytes, result or error envelope
//        {dead: string}                       the core has ended; so has this worker's use
//
// No static import, no import.meta and no top-level await, so that the same text
// runs as a module, as a Node worker thread and as a classic worker made from a
// Blob (then wasm_exec.js stands before it and nothing more is fetched).
(() => {
  /** @typedef {(method: string, body: Uint8Array) => Uint8Array | undefined} Handle */
  /** @typedef {{importObject: WebAssembly.Imports, run(instance: WebAssembly.Instance): Promise<void>}} GoProgram */
  const realm = /** @type {any} */ (globalThis);

  /** @type {(message: any, transfer?: Transferable[]) => void} */
  let post;
  /** @type {Promise<Handle> | undefined} */
  let core;

  /**
   * @param {WebAssembly.Module} wasm
   * @returns {Promise<Handle>}
   */
  async function start(wasm) {
    // @ts-ignore: copied beside this file at build time, it defines globalThis.Go
    if (!realm.Go) await import("./wasm_exec.js");
    /** @type {GoProgram} */
    const go = new realm.Go();
    const instance = await WebAssembly.instantiate(wasm, go.importObject);
    return new Promise((resolve, reject) => {
      realm.boundcheckReady = resolve; // called before run returns to us
      const ended = () => reject(new Error("the core ended before it was ready"));
      go.run(instance).then(ended, reject);
      delete realm.boundcheckReady;
    });
  }

  /** @param {any} message */
  async function receive(message) {
    try {
      if (message.wasm) core = start(message.wasm);
      if (!core) throw new Error("the core was not started");
      const handle = await core;
      if (message.wasm) return;
      const body = handle(message.method, message.body);
      if (!body) throw new Error("the core ended during this call");
      post({ id: message.id, body }, [body.buffer]);
    } catch (e) {
      post({ dead: e instanceof Error ? e.message : String(e) });
    }
  }

  if (typeof realm.WorkerGlobalScope === "function" && typeof realm.postMessage === "function") {
    post = (message, transfer = []) => realm.postMessage(message, transfer);
    realm.addEventListener("message", (/** @type {MessageEvent} */ e) => receive(e.data));
  } else {
    const threads = "node:worker_threads"; // a variable, so that bundlers for browsers leave it alone
    import(threads).then(({ parentPort }) => {
      post = (message, transfer = []) => parentPort.postMessage(message, transfer);
      parentPort.on("message", receive); // the port holds what came before
    });
  }
})();
