// What is pasted into the box for a trace. Pasted files and long texts are handled like opened files,
// because a browser needs minutes to lay out very long lines.

/**
 * @param {HTMLTextAreaElement} box
 * @param {number} limit characters of the longest text that is put into the box
 * @param {{open: (files: File[]) => void, load: (text: string) => void, before: () => () => void, tell: (text: string) => void}} to
 *   open takes files, and load a long text; before is called before a text is inserted, and what it returns after that; tell says what is the matter
 */
export function acceptPastes(box, limit, to) {
  const pastes = new Pastes(box, limit, to);
  box.addEventListener("paste", (e) => pastes.paste(e));
  box.addEventListener("keydown", (e) => pastes.undoByKey(e));
}

class Pastes {
  #box;
  #limit;
  #to;
  /** whether a paste event may read the clipboard: true only in Chromium, and only if no frame forbids it */
  #clipboard = document.featurePolicy?.allowsFeature("clipboard-read") ?? false;
  /** the last text with several lines that was pasted: the box before and after, or null */
  #inserted = null;

  constructor(box, limit, to) {
    this.#box = box;
    this.#limit = limit;
    this.#to = to;
  }

  paste(e) {
    const files = [...(e.clipboardData?.files ?? [])];
    if (files.length) {
      e.preventDefault();
      setTimeout(() => this.#to.open(files)); // in a separate task
      return;
    }
    if (e.isTrusted && this.#clipboard && e.clipboardData.types.includes("text/plain")) {
      e.preventDefault();
      this.#readClipboard();
      return;
    }
    const text = e.clipboardData?.getData("text/plain") ?? "";
    if (text.length > this.#limit) {
      e.preventDefault();
      setTimeout(() => this.#to.load(text));
      return;
    }
    const after = this.#to.before();
    setTimeout(after); // after the text has arrived
  }

  /**
   * Pastes the clipboard's text. During a paste event Chromium lets a page read it without a
   * question. The page can react while a long text is read, which it cannot do during getData.
   */
  async #readClipboard() {
    let text;
    try {
      text = await navigator.clipboard.readText();
    } catch {
      this.#clipboard = false; // the next paste reads the text from the event
      this.#to.tell("The browser did not allow reading the clipboard. Paste again.");
      return;
    }
    if (text.length > this.#limit) return this.#to.load(text);
    if (!text) return;
    const after = this.#to.before();
    this.#box.focus();
    if (/[\r\n]/.test(text)) this.#insertLines(text);
    else document.execCommand("insertText", false, text); // unlike a new value, this keeps the browser's own undo
    after();
  }

  /**
   * Replaces the selection in the trace by a text with several lines. With insertText, the browser
   * would lay out the whole text again after each line: 2,500 lines take 14 s.
   */
  #insertLines(text) {
    const box = this.#box;
    const { value, selectionStart, selectionEnd } = box;
    box.setRangeText(text, selectionStart, selectionEnd, "end");
    this.#inserted = { before: { value, selectionStart, selectionEnd }, after: { value: box.value, selectionStart: box.selectionEnd, selectionEnd: box.selectionEnd } };
    box.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
  }

  /** Undoes or repeats insertLines if a key asks for it, because the browser cannot do so. */
  undoByKey(e) {
    const key = e.key.toLowerCase();
    if (!this.#inserted || !(e.ctrlKey || e.metaKey) || e.altKey || (key !== "z" && key !== "y")) return;
    const undo = key === "z" && !e.shiftKey;
    const { before, after } = this.#inserted;
    const [from, to] = undo ? [after, before] : [before, after];
    if (this.#box.value !== from.value) return;
    e.preventDefault();
    Object.assign(this.#box, to);
    this.#box.dispatchEvent(new InputEvent("input", { inputType: undo ? "historyUndo" : "historyRedo", bubbles: true }));
  }
}
