// The worker's side of the client. It starts one core and handles one call at a time.
//
//   in   {wasm: WebAssembly.Module}                       first, once
//        {id, method, body: Uint8Array}                   then, any number
//        {id, method: "score", body, plugins, known}      plugins: their keys; known: descriptions of checkers that are not loaded
//        {id, load: {key, name, …}}                       loads a plugin; see shelf.mjs of the JavaScript host
//        {id, ask: {key, op, body: Uint8Array}}           one request to a plugin
//   out  {id, body: Uint8Array}                           the bytes of the core or plugin: a result or an error envelope
//        {…, found: string[]}                             after a score: the names in known that would apply
//        {…, module, sum}                                 after a load: the compiled module and its hash, for the next load
//        {busy: string | null}                            the plugin that starts to run; null after it has returned
//        {dead: string}                                   the core has ended, and the worker cannot be used any more
//
// There is no static import, no import.meta and no top-level await. So the same text runs
// as a module, as a Node worker thread, and as a classic worker made from a Blob. Such a
// Blob contains wasm_exec.js and plugins.js first, so that the worker fetches nothing.
(() => {
  /** @typedef {(method: string, body: Uint8Array, asked?: object) => Uint8Array | undefined} Handle */
  /** @typedef {(bytes: Uint8Array) => string} Digest */
  /** @typedef {(module: Uint8Array, pages: number) => Uint8Array | {code: string, why: string}} Meter */
  /** @typedef {{handle: Handle, digest: Digest, meter: Meter}} Core */
  /** @typedef {(message: any, transfer?: Transferable[]) => void} Post */
  /** @typedef {{importObject: WebAssembly.Imports, run(instance: WebAssembly.Instance): Promise<void>}} GoProgram */
  const realm = /** @type {any} */ (globalThis);

  /**
   * @param {WebAssembly.Module} wasm
   * @returns {Promise<Core>}
   */
  async function startCore(wasm) {
    // @ts-ignore: copied beside this file at build time, it defines globalThis.Go
    if (!realm.Go) await import("./wasm_exec.js");
    /** @type {GoProgram} */
    const go = new realm.Go();
    const instance = await WebAssembly.instantiate(wasm, go.importObject);
    return new Promise((resolve, reject) => {
      realm.boundcheckReady = (/** @type {Handle} */ handle, /** @type {Digest} */ digest, /** @type {Meter} */ meter) => resolve({ handle, digest, meter }); // called before run returns to us
      const ended = () => reject(new Error("the core ended before it was ready"));
      go.run(instance).then(ended, reject);
      delete realm.boundcheckReady;
    });
  }

  /**
   * Returns the function that handles the messages to one core.
   * @param {Post} post
   * @returns {(message: any) => Promise<void>} to be called with each message
   */
  function serveCore(post) {
    /** @type {Promise<Core> | undefined} */
    let core;
    /** @type {any} the loaded plugins; undefined before the first load */
    let shelf;

    /** @param {Core} core */
    async function makeShelf({ digest, meter }) {
      // @ts-ignore: the build makes this file from the JavaScript host; it defines globalThis.boundcheckPlugins
      if (!realm.boundcheckPlugins) await import("./plugins.js");
      return realm.boundcheckPlugins(digest, meter, (/** @type {string | null} */ busy) => post({ busy }));
    }

    /** @param {any} message */
    async function receiveMessage(message) {
      try {
        if (message.wasm) core = startCore(message.wasm);
        if (!core) throw new Error("the core was not started");
        const { handle } = await core;
        if (message.wasm) return;
        if (message.load) {
          shelf ??= makeShelf(await core);
          post({ id: message.id, ...(await shelf).add(message.load) });
        } else if (message.ask) post({ id: message.id, body: (await shelf).ask(message.ask) });
        else if (message.plugins) await scoreWithPlugins(message, handle);
        else postAnswer(message.id, handle(message.method, message.body));
      } catch (e) {
        post({ dead: e instanceof Error ? e.message : String(e) });
      }
    }

    /** @param {{id: number, body: Uint8Array, plugins: number[], known: string[]}} message @param {Handle} handle */
    async function scoreWithPlugins({ id, body, plugins, known }, handle) {
      const all = await shelf;
      /** @type {string[]} */
      const found = [];
      postAnswer(id, handle("score", body, { plugins: plugins.map((key) => all.get(key)), known, found: (/** @type {string} */ name) => found.push(name) }), { found });
    }

    /** @param {number} id @param {Uint8Array | undefined} body @param {object} [more] */
    function postAnswer(id, body, more) {
      if (!body) throw new Error("the core ended during this call");
      post({ id, body, ...more }, [body.buffer]);
    }

    return receiveMessage;
  }

  if (realm.boundcheckInline) realm.boundcheckInline.serve = serveCore; // inline.js runs it in its own thread
  else if (typeof realm.WorkerGlobalScope === "function" && typeof realm.postMessage === "function") {
    const receive = serveCore((message, transfer = []) => realm.postMessage(message, transfer));
    realm.addEventListener("message", (/** @type {MessageEvent} */ e) => receive(e.data));
  } else {
    const threads = "node:worker_threads"; // a variable, so that bundlers for browsers do not resolve it
    import(/* @vite-ignore */ /* webpackIgnore: true */ threads).then(({ parentPort }) => {
      const receive = serveCore((message, transfer = []) => parentPort.postMessage(message, transfer));
      parentPort.on("message", receive); // the port keeps earlier messages
    });
  }
})();
