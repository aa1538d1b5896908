// The worker's side of the client. It starts one core and handles one call at a time.
//
//   in   {wasm: Module, split?: boolean}                  first, once; split: true if some functions are only in a second module
//        {second: Module}                                 the second module, at any time; only the first one counts
//        {id, method, body: Uint8Array}                   then, any number
//        {id, method: "score", body, plugins, known}      plugins: their keys; known: descriptions of checkers that are not loaded
//        {id, load: {key, name, …}}                       loads a plugin; see shelf.mjs of the JavaScript host
//        {id, ask: {key, op, body: Uint8Array}}           one request to a plugin
//   out  {id, body: Uint8Array}                           the bytes of the core or plugin: a result or an error envelope
//        {…, found: string[]}                             after a score: the names in known that would apply
//        {…, module, sum}                                 after a load: the compiled module and its hash, for the next load
//        {needs: "second"}                                the second module is needed now
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
  /** @typedef {{handle: Handle, digest: Digest, meter: Meter, instance: WebAssembly.Instance, hasTrapped: () => boolean}} Core */
  /** @typedef {(message: any, transfer?: Transferable[]) => void} Post */
  /** @typedef {{importObject: WebAssembly.Imports, run(instance: WebAssembly.Instance): Promise<void>, _resume(): void, _scheduledTimeouts: Map<number, any>}} GoProgram */
  const realm = /** @type {any} */ (globalThis);

  /**
   * Starts a core from one module, or from both.
   * @param {WebAssembly.Module} wasm
   * @param {WebAssembly.Module} [second]
   * @returns {Promise<Core>}
   */
  async function startCore(wasm, second) {
    // @ts-ignore: copied beside this file at build time, it defines globalThis.Go
    if (!realm.Go) await import("./wasm_exec.js");
    /** @type {GoProgram} */
    const go = new realm.Go();
    const instance = await WebAssembly.instantiate(wasm, go.importObject);
    if (second) await addSecond(instance, second);
    const trap = holdTrap(go);
    return new Promise((resolve, reject) => {
      realm.boundcheckReady = (/** @type {Handle} */ handle, /** @type {Digest} */ digest, /** @type {Meter} */ meter) => resolve({ handle: trap.rethrow(handle), digest: trap.rethrow(digest), meter: trap.rethrow(meter), instance, hasTrapped: trap.isHeld }); // called before run returns to us
      const ended = () => reject(new Error("the core ended before it was ready"));
      go.run(instance).then(ended, (e) => {
        trap.hold(e); // it may also happen after the program was ready
        reject(e);
      });
      delete realm.boundcheckReady;
    });
  }

  /**
   * Keeps the first trap of a program, which may also happen in a timer. Every later call
   * throws it, and the program does not run again.
   * @param {GoProgram} go
   */
  function holdTrap(go) {
    /** @type {unknown} */
    let trap;
    const hold = (/** @type {unknown} */ e) => {
      trap ??= e;
      for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
      go._scheduledTimeouts.clear(); // a timer repeats until its number is gone
    };
    const resume = go._resume.bind(go);
    go._resume = () => {
      try {
        if (!trap) resume();
      } catch (e) {
        hold(e);
      }
    };
    return {
      hold,
      isHeld: () => Boolean(trap),
      /** @template {(...args: any[]) => any} F @param {F} f @returns {F} */
      rethrow: (f) => /** @type {F} */ ((...args) => {
        const answer = trap ? undefined : f(...args);
        if (trap) throw trap;
        return answer;
      }),
    };
  }

  /**
   * Adds the functions of the second module to a program that is made of the first one. See
   * Split in internal/wasmpack/pack. Throws an error if the modules do not belong together,
   * for example because the page's files were replaced after the first one was loaded.
   * @param {WebAssembly.Instance} first
   * @param {WebAssembly.Module} second
   */
  async function addSecond(first, second) {
    const imports = WebAssembly.Module.imports(second);
    const shared = imports.find(({ kind }) => kind === "table");
    const table = /** @type {WebAssembly.Table | undefined} */ (shared && first.exports[shared.name]);
    if (shared && !table) throw new Error("the page was updated after you opened it, and the second module of the core is from another build. Reload the page");
    /** @type {WebAssembly.ModuleImports} */
    const place = {};
    for (const { module, name } of imports) if (module === "place") place[name] = table?.get(Number(name));
    await WebAssembly.instantiate(second, { core: first.exports, place });
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
    /** @type {WebAssembly.Module} */
    let first;
    let whole = true; // no function is missing
    /** @type {(second: WebAssembly.Module) => void} */
    let setSecond = () => {};
    /** @type {Promise<WebAssembly.Module>} */
    const second = new Promise((resolve) => (setSecond = resolve));

    /** Starts the core again as soon as the second module is here. */
    function restart() {
      core = second.then(async (module) => {
        const made = await startCore(first, module);
        whole = true;
        return made;
      });
      return core;
    }

    /** Adds the second module to the core as soon as it is here. */
    async function addMissing() {
      const mine = core;
      const now = await mine?.catch(() => undefined);
      const module = await second;
      if (core !== mine) await core; // it starts with both modules
      else if (!now || now.hasTrapped()) await restart();
      else {
        await addSecond(now.instance, module);
        whole = true;
      }
    }

    /** @type {Promise<void> | undefined} */
    let adding;
    const complete = async () => whole || (adding ??= addMissing().finally(() => (adding = undefined)));

    /**
     * Calls use with the core. If use calls a function that is missing, waits for the second
     * module, starts the core again, and calls use again. The core keeps nothing between two
     * calls that changes an answer.
     * @template T
     * @param {(core: Core) => T} use
     * @returns {Promise<T>}
     */
    async function withCore(use) {
      if (!core) throw new Error("the core was not started");
      const mine = core;
      const missing = !whole;
      try {
        return use(await mine);
      } catch (e) {
        if (!missing || !(e instanceof WebAssembly.RuntimeError)) throw e;
        if (core === mine) {
          post({ needs: "second" });
          restart();
        }
        return use(await core);
      }
    }

    async function makeShelf() {
      // @ts-ignore: the build makes this file from the JavaScript host; it defines globalThis.boundcheckPlugins
      if (!realm.boundcheckPlugins) await import("./plugins.js");
      const { digest, meter } = await /** @type {Promise<Core>} */ (core);
      return realm.boundcheckPlugins(digest, meter, (/** @type {string | null} */ busy) => post({ busy }));
    }

    /** @param {any} message */
    async function receiveMessage(message) {
      try {
        if (message.wasm) {
          first = message.wasm;
          whole = !message.split;
          core = startCore(first);
          await withCore(() => {});
        } else if (message.second) {
          setSecond(message.second);
          await complete().catch(() => {}); // the call that needs it returns the error
        } else if (message.load) {
          if (!whole) post({ needs: "second" }); // loading a plugin calls functions of the second module
          await complete();
          shelf ??= makeShelf();
          post({ id: message.id, ...(await shelf).add(message.load) });
        } else if (message.ask) post({ id: message.id, body: (await shelf).ask(message.ask) });
        else if (message.plugins) await scoreWithPlugins(message);
        else postAnswer(message.id, await withCore(({ handle }) => handle(message.method, message.body)));
      } catch (e) {
        post({ dead: e instanceof Error ? e.message : String(e) });
      }
    }

    /** @param {{id: number, body: Uint8Array, plugins: number[], known: string[]}} message */
    async function scoreWithPlugins({ id, body, plugins, known }) {
      const all = await shelf;
      /** @type {Set<string>} */
      const found = new Set();
      const answer = await withCore(({ handle }) => handle("score", body, { plugins: plugins.map((key) => all.get(key)), known, found: (/** @type {string} */ name) => found.add(name) }));
      postAnswer(id, answer, { found: [...found] });
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
