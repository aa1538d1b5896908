// Tells worker.js that inline.js has loaded it. It is a module of its own, because
// imports are executed before all other code.
/** @type {any} */ (globalThis).boundcheckInline ??= {};
