// Keeps what the reader does on the page when the page draws a part of it again, such as a report
// after a change of its input, or a run when its messages are there. Two ways keep it:
//
// patch() changes the children of an element and leaves those in place that stay. It is for a view
// that draws itself again, and nothing of those children is lost.
//
// replaceKeeping() replaces a whole view and gives the newer one the state of the older: what is
// unfolded and listed, what is typed and selected, how far parts are scrolled, and where the focus
// is. A part of the old view is the part of the new one with the same key: the nearest step, message,
// finding or run that it belongs to, what it is and is called, and how many before it are the same.
// A view that draws a part later, such as an answer of the core, gets the state when that part is there.

const PARTS = "details, .scroll, a, button, input, select, textarea, summary, [tabindex], [data-keeps]";
const TEXTS = "p, h2, h3, h4, td, th, pre, blockquote, .said-text"; // what is selected is in one of them, or in a part
const OWNED = "[data-row], [data-message], [data-step], [data-finding], [data-run], [data-example]";

/** @type {WeakMap<Element, {save: () => unknown, restore: (state: any) => void}>} */
const own = new WeakMap();
/** @type {WeakMap<Element, () => void>} ends the waiting for parts of a holder that are drawn later */
const waiting = new WeakMap();

/** Declares a state that a part saves and restores itself. @param {HTMLElement} part @param {string} name @param {() => unknown} save @param {(state: any) => void} restore */
export function keeps(part, name, save, restore) {
  part.dataset.keeps = name;
  own.set(part, { save, restore });
}

let pressed = null; // a promise that ends after a press that has begun
globalThis.addEventListener?.("pointerdown", () => {
  pressed ??= new Promise((resolve) => {
    const done = () => {
      removeEventListener("pointerup", done, true);
      removeEventListener("pointercancel", done, true);
      setTimeout(() => resolve((pressed = null))); // after the click
    };
    addEventListener("pointerup", done, true);
    addEventListener("pointercancel", done, true);
  });
}, true);

/** Ends when the reader presses nothing, so that what is under the pointer does not change before the click. */
export const unpressed = async () => void (await pressed);

/** Puts nodes before a node, in order, and leaves those in place that already are there. Returns the node after the last. @param {Element} parent @param {Node[]} nodes @param {Node | null} at */
export function patch(parent, nodes, at) {
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  return at;
}

/** @param {HTMLElement} holder of the old view @param {HTMLElement} view the newer one */
export function replaceKeeping(holder, view) {
  waiting.get(holder)?.();
  const was = { parts: new Map(), focus: document.activeElement, range: null, selected: selectionIn(holder) };
  const [top, from] = topPart(holder) ?? [];
  const keys = new Map();
  for (const [key, e] of keyed(holder, was.selected && TEXTS)) {
    keys.set(e, key);
    if (!e.matches(PARTS)) continue;
    const state = stateOf(e);
    if (Object.keys(state).length) was.parts.set(key, state);
  }
  if (holder.contains(was.focus)) was.range = rangeOf(was.focus);
  was.focus = keys.get(was.focus) ?? was.focus;
  was.selected = was.selected?.map(({ part, ...place }) => ({ key: keys.get(part), ...place }));
  holder.replaceChildren(view);
  restore(holder, was);
  if (top !== undefined) for (const [key, e] of keyed(holder)) if (key === top) scrollBy({ top: e.getBoundingClientRect().top - from, behavior: "instant" });
  const watch = new MutationObserver(() => restore(holder, was));
  watch.observe(holder, { childList: true, subtree: true });
  const acts = () => (was.focus = was.selected = null); // from now on they are where the reader puts them
  const stop = () => {
    watch.disconnect();
    for (const type of ACTS) removeEventListener(type, acts, true);
    holder.removeEventListener("click", stop, true);
  };
  for (const type of ACTS) addEventListener(type, acts, true);
  setTimeout(() => holder.addEventListener("click", stop, true)); // a click may show other parts with the same keys
  waiting.set(holder, stop);
}

const ACTS = ["keydown", "pointerdown"];

const rangeOf = (e) => (e.matches("input, textarea") && e.selectionStart !== null ? [e.selectionStart, e.selectionEnd] : null);

/** What a reader may have done to a part. */
function stateOf(e) {
  const was = {};
  if (own.has(e)) was.own = own.get(e).save();
  if (e.pages) was.pages = e.pages;
  if (e.getAttribute("aria-expanded") === "true") was.expanded = true;
  if (e.open !== undefined) was.open = e.open;
  if (e.matches("select")) {
    if ([...e.options].some((o) => o.selected !== o.defaultSelected)) was.value = e.value;
  } else if (e.type === "checkbox") {
    if (e.checked !== e.defaultChecked) was.checked = e.checked;
  } else if (e.matches("textarea, input") && !e.readOnly && e.value !== e.defaultValue) was.value = e.value;
  if (e.scrollLeft || e.scrollTop) was.scroll = { left: e.scrollLeft, top: e.scrollTop, behavior: "instant" };
  return was;
}

/** Gives the parts of a holder their state, and forgets the state that is given. Parts that a part shows come after it. */
function restore(holder, was) {
  for (let more = was.parts.size > 0; more;) {
    more = false;
    for (const [key, e] of keyed(holder)) {
      const state = was.parts.get(key);
      if (!state) continue;
      more = was.parts.delete(key);
      if ("own" in state) own.get(e)?.restore(state.own);
      while (e.pages < state.pages && !e.hidden) e.click();
      if (state.expanded && e.getAttribute("aria-expanded") === "false") e.click();
      if (state.open !== undefined && e.open !== state.open) {
        e.open = state.open;
        e.dispatchEvent(new Event("toggle")); // the browser's own comes later
      }
      for (const name of ["value", "checked"]) {
        if (!(name in state) || e[name] === state[name]) continue;
        e[name] = state[name];
        for (const type of ["input", "change"]) e.dispatchEvent(new Event(type, { bubbles: true }));
      }
      if (state.scroll) e.scrollTo(state.scroll);
    }
  }
  const at = (key) => (typeof key === "string" ? keyed(holder, was.selected && TEXTS).find(([k]) => k === key)?.[1] : key);
  const focus = at(was.focus);
  if (focus === document.body) document.activeElement?.blur();
  else if (focus?.isConnected && focus !== document.activeElement) {
    focus.focus({ preventScroll: true });
    if (was.range) focus.setSelectionRange(...was.range);
  }
  if (!was.selected || !getSelection().isCollapsed) return;
  const [from, to] = was.selected.map(({ key, offset, last }) => at(key) && placeIn(at(key), offset, last));
  if (from && to) getSelection().setBaseAndExtent(...from, ...to);
}

/** The parts of a view that have a state, each with its key. @param {Element} view @param {string | null} [others] selects further elements @returns {[string, HTMLElement][]} */
function keyed(view, others) {
  const seen = new Map();
  return [...view.querySelectorAll([PARTS, OWNED, others ?? []].flat().join())].map((e) => {
    const owner = e.parentElement.closest(OWNED);
    const key = [owner && view.contains(owner) ? nameOf(owner) : "", nameOf(e)].join("\n");
    const n = seen.get(key) ?? 0;
    seen.set(key, n + 1);
    return [`${key}\n${n}`, e];
  });
}

/** What an element is and is called. What it says is no name if it changes with the state. */
function nameOf(e) {
  if (e.matches(OWNED)) return e.tagName + JSON.stringify(e.dataset);
  const says = e.matches("details, [aria-expanded], .more, .scroll, [data-keeps], select, textarea, [data-row] > details > summary") ? "" : e.textContent.slice(0, 80);
  return [e.tagName, e.className, e.id, Object.values(e.dataset).join(" "), e.getAttribute("aria-label") ?? says].join(" ");
}

/** The first part in the reader's view, by its key, and where it is. @returns {[string, number] | undefined} */
function topPart(holder) {
  if (!scrollY) return;
  for (const [key, e] of keyed(holder)) {
    const { top, height } = e.getBoundingClientRect();
    if (top >= 0 && height) return [key, top];
  }
}

/** Both ends of the selection, each as the part that has it, the number of characters before it there, and whether it is after them in their text. Null if nothing of the holder is selected. */
function selectionIn(holder) {
  const s = getSelection();
  if (s.isCollapsed || !holder.contains(s.anchorNode) || !holder.contains(s.focusNode)) return null;
  return [[s.anchorNode, s.anchorOffset], [s.focusNode, s.focusOffset]].map(([node, at]) => {
    const part = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest([PARTS, OWNED, TEXTS].join()) ?? holder;
    const range = new Range();
    range.setStart(part, 0);
    range.setEnd(node, at);
    return { part, offset: range.toString().length, last: at > 0 };
  });
}

/** The place after a number of characters in a part; last says that it is after the last one, and not before the next. @returns {[Node, number]} */
function placeIn(part, offset, last) {
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (offset < walk.currentNode.length || (last && offset === walk.currentNode.length)) return [walk.currentNode, offset];
    offset -= walk.currentNode.length;
  }
  return [part, part.childNodes.length];
}
