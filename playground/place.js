// The reader's position within a result: the open run, the filters, the order. The page
// keeps it in the address, and a saved report as long as it is open.

export class Place {
  #query;
  #write;
  #moved = () => {};

  /**
   * @param {string} [query] as in an address, without "?"
   * @param {(query: string, step: boolean) => void} [write] puts it into the address; a step is one that Back takes back
   */
  constructor(query = "", write = () => {}) {
    this.#query = new URLSearchParams(query);
    this.#write = write;
  }

  get(name) {
    return this.#query.get(name) ?? "";
  }

  /** Changes members; an empty text removes one. */
  set(changes, step = false) {
    for (const [name, value] of Object.entries(changes)) {
      if (value) this.#query.set(name, value);
      else this.#query.delete(name);
    }
    this.#write(this.#query.toString(), step);
  }

  /** Goes to the position in an address. */
  go(query) {
    this.#query = new URLSearchParams(query);
    this.#moved();
  }

  /** @param {() => void} f is called when the reader went back or forth */
  onMove(f) {
    this.#moved = f;
  }
}
