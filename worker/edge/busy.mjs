// The gate's requests that are not answered yet: batches in the same isolate let them go
// first. It stands by itself, so that a Worker of batches alone has no gate in it.

/** By number, in the order of their beginning: when each began, in ms. */
export const open = new Map();

/** Whether a request has come a short time ago: not one that waits for a person or a model. */
export function busy() {
  const since = Date.now() - 2000;
  for (const { begun } of open.values()) if (begun > since) return true;
  return false;
}
