// Where the reader is within a result: the open run, the filters, the order. In the
// page it is in the address; in a saved report it is kept as long as that is open.

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

  /** Changes members; an empty text takes one out. */
  set(changes, step = false) {
    for (const [name, value] of Object.entries(changes)) {
      if (value) this.#query.set(name, value);
      else this.#query.delete(name);
    }
    this.#write(this.#query.toString(), step);
  }

  /** Goes where an address says. */
  go(query) {
    this.#query = new URLSearchParams(query);
    this.#moved();
  }

  /** @param {() => void} f is called when the reader went back or forth */
  onMove(f) {
    this.#moved = f;
  }
}
