// Replaces a view by a newer one of the same thing, such as a report after a change of its input,
// and keeps what the reader did to it: what is unfolded, how far parts are scrolled, and where the
// focus is. An element of the old view is that of the new one which has the same key: what it is,
// what it says or is called, and how many before it are the same.

const PARTS = "details, .scroll, a, button, input, select, textarea, summary, [tabindex]";

/** @param {HTMLElement} holder of the old view @param {HTMLElement} view the newer one */
export function replaceKeeping(holder, view) {
  const focus = holder.contains(document.activeElement) ? document.activeElement : null;
  const state = new Map();
  for (const [key, e] of keyed(holder)) {
    if (e === focus || e.scrollLeft || e.scrollTop || e.open !== undefined) state.set(key, { open: e.open, left: e.scrollLeft, top: e.scrollTop, focus: e === focus });
  }
  holder.replaceChildren(view);
  for (const [key, e] of keyed(view)) {
    const was = state.get(key);
    if (!was) continue;
    if (was.open !== undefined && e.open !== was.open) e.open = was.open;
    e.scrollTo({ left: was.left, top: was.top, behavior: "instant" });
    if (was.focus) e.focus({ preventScroll: true });
  }
}

/** The parts of a view that have a state, each with its key. @param {HTMLElement} view @returns {Iterable<[string, HTMLElement]>} */
function* keyed(view) {
  const seen = new Map();
  for (const e of view.querySelectorAll(PARTS)) {
    const named = e.matches("details") ? e.querySelector("summary") : e;
    const key = [e.tagName, e.className, e.id, Object.values(e.dataset).join(" "), e.getAttribute("aria-label") ?? (e.matches(".scroll") ? "" : named?.textContent.slice(0, 80))].join("\n");
    const n = seen.get(key) ?? 0;
    seen.set(key, n + 1);
    yield [key + "\n" + n, e];
  }
}
