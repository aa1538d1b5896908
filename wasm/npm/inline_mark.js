// Says to worker.js that it runs where inline.js does. A module of its own, because
// imports are carried out before anything else.
/** @type {any} */ (globalThis).boundcheckInline ??= {};
