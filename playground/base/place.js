// The reader's position within a result: the open run, the filters, the order. The page
// stores the position in the address. A saved report loses it when it is closed.

export class Place {
  #query;
  #write;
  #moved = () => {};

  /**
   * @param {string} [query] the position in the form of an address's query, without "?"
   * @param {(query: string, step: boolean) => void} [write] writes the new query into the address; step is true for a change that Back must undo
   */
  constructor(query = "", write = () => {}) {
    this.#query = new URLSearchParams(query);
    this.#write = write;
  }

  get(name) {
    return this.#query.get(name) ?? "";
  }

  /** Sets the given parameters of the query. An empty value removes a parameter. */
  set(changes, step = false) {
    for (const [name, value] of Object.entries(changes)) {
      if (value) this.#query.set(name, value);
      else this.#query.delete(name);
    }
    this.#write(this.#query.toString(), step);
  }

  /** Goes to the position that a query describes. */
  go(query) {
    this.#query = new URLSearchParams(query);
    this.#moved();
  }

  /** @param {() => void} f is called after the reader went back or forth in the history */
  onMove(f) {
    this.#moved = f;
  }
}
