// Lets the reader choose a benchmark's checker, and the files for it. Nothing is fetched
// before the reader chooses a checker.

import { button, el } from "../base/dom.js";
import { droppedFiles, nameFiles } from "./plugins.js";
import { sizeText, listText, plural } from "../base/words.js";

const OWN = "*own*"; // no plugin may have this name

export class CheckerChoice {
  #plugins;
  #client;
  #own = null; // {name, wasm} of a module that the reader has chosen
  #files = null; // [{name, file}]
  #source = null; // for the client, which recognises a plugin by its object

  #select = el("select", { id: "checker", "aria-describedby": "checker-help" });
  #help = el("p", { id: "checker-help", class: "hint" });
  #module = el("input", { type: "file", class: "away", tabindex: "-1", accept: ".wasm,application/wasm", "aria-label": "Plugin file" });
  #loose = el("input", { type: "file", class: "away", tabindex: "-1", multiple: true, "aria-label": "Environment files" });
  #folder = el("input", { type: "file", class: "away", tabindex: "-1", webkitdirectory: true, "aria-label": "Environment folder" });
  #note = el("p", { class: "hint", role: "status" });
  #address = el("input", { type: "text", inputmode: "url", id: "plugin-address", autocomplete: "off", spellcheck: "false", placeholder: new URL("plugins/NAME.wasm", document.baseURI).href });
  #sum = el("input", { type: "text", id: "plugin-sum", autocomplete: "off", spellcheck: "false", placeholder: "64 hexadecimal digits" });
  #wrong = el("p", { class: "hint", role: "status" });
  #by = el("div", { class: "by-address", hidden: true },
    el("p", { class: "hint", text: "Or enter the address of the plugin on this site, and the SHA-256 of the plugin's file." }),
    el("label", { for: "plugin-address", text: "Address" }), this.#address,
    el("label", { for: "plugin-sum", text: "SHA-256" }), this.#sum,
    el("span", { class: "buttons" }, button("Load the plugin", () => this.#byAddress())), this.#wrong);
  #open = button("Choose the file…", () => this.#module.click(), { hidden: true });
  #wish = el("p", { class: "hint", id: "files-help" });
  #zone = el("div", { class: "files", hidden: true, data: { takesFiles: "" } },
    this.#wish,
    el("span", { class: "buttons" },
      button("Choose files…", () => this.#loose.click(), { "aria-describedby": "files-help" }), button("Choose a folder…", () => this.#folder.click(), { "aria-describedby": "files-help" }),
      button("Remove", () => this.#take(null), { class: "link", hidden: true })),
    this.#note, this.#loose, this.#folder);
  node = el("details", { class: "checker" },
    el("summary", { text: "Benchmark checker: none" }),
    el("label", { for: "checker", class: "away", text: "Benchmark checker" }), this.#select, this.#help, this.#open, this.#module, this.#by, this.#zone);

  /** @param {import("../npm/client.js").Client} client */
  constructor(client) {
    this.#client = client;
    this.#select.addEventListener("change", () => this.#chosen());
    this.#module.addEventListener("change", () => this.#openModule());
    for (const input of [this.#loose, this.#folder]) {
      input.addEventListener("change", () => {
        const all = [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
        input.value = "";
        if (all.length) this.#take(nameFiles(all));
      });
    }
    this.#zone.addEventListener("drop", async (e) => {
      e.preventDefault();
      const dropped = await droppedFiles(e.dataTransfer);
      if (dropped.length) this.#take(nameFiles(dropped)); // a dropped text is not a file
    });
  }

  /** @param {import("./plugins.js").Plugins} plugins */
  offer(plugins) {
    this.#plugins = plugins;
    this.#select.replaceChildren(
      el("option", { value: "", text: "None" }),
      ...plugins.checkers.map((d) => el("option", { value: d.name, text: d.name })),
      el("option", { value: OWN, text: "A plugin of your own…" }));
    this.#chosen();
  }

  /** The name of the chosen checker; "" for none. */
  get name() {
    return this.#select.value === OWN ? this.#own?.name ?? "" : this.#select.value;
  }

  /** Whether the reader has chosen files. */
  get given() {
    return this.#files !== null;
  }

  choose(name) {
    this.#select.value = name;
    this.#chosen();
  }

  reset() {
    this.#files = null;
    this.choose("");
  }

  /** A bundled plugin's description. The reader's own plugin returns its description when it is loaded. */
  get #about() {
    return this.#own ? undefined : this.#plugins?.describe(this.name);
  }

  /** Scrolls to the place for files. */
  show() {
    this.node.open = true;
    this.node.scrollIntoView({ block: "center" });
    this.#zone.querySelector("button").focus({ preventScroll: true });
  }

  /**
   * Returns the chosen plugin for the client, or null if none is chosen. It returns the
   * same object until the reader changes the choice.
   * @param {(text: string) => void} tell shows the progress
   * @returns {Promise<import("../npm/index.d.ts").PluginSource | null>}
   */
  async source(tell) {
    if (!this.name || this.#source) return this.#source;
    const { name } = this;
    const base = this.#own ?? (await this.#plugins.source(name, (percent) => tell(`Fetching ${name}: ${percent} %,`)));
    this.#explain();
    const files = this.#files && !this.#zone.hidden && (await this.#wanted(base));
    if (this.name === name) this.#source = { ...base, ...(files && { files }) };
    return this.#source;
  }

  /** The bytes of the chosen files that the plugin uses. It asks the reader's own plugin for the names of these files. */
  async #wanted(base) {
    const about = this.#about ?? (await this.#client.load(base)).description;
    const names = about.environment?.names ?? [];
    const mine = this.#files.filter((f) => names.includes(f.name.split("/").at(-1)));
    return Promise.all(mine.map(async ({ name, file }) => ({ name, data: new Uint8Array(await file.arrayBuffer()) })));
  }

  #chosen() {
    const own = this.#select.value === OWN;
    if (!own) this.#own = null;
    this.#source = null;
    this.#open.hidden = this.#by.hidden = !own;
    const about = this.#about;
    this.#explain();
    this.#wish.textContent = `You can give the benchmark's files to the checker${about?.environment ? `: ${about.environment.summary}` : ""}. Drop the files here. The files do not leave this page.`;
    this.#zone.hidden = !(own ? this.#own : about?.environment);
    this.node.querySelector("summary").textContent = `Benchmark checker: ${this.name || "none"}`;
    this.#take(this.#files);
  }

  #explain() {
    const own = this.#select.value === OWN;
    const about = this.#about;
    const weight = about ? this.#plugins.weight(this.name) : 0;
    this.#help.textContent = own ? (this.#own ? `${this.#own.name}, ${this.#own.url ? `from ${this.#own.url}` : sizeText(this.#own.wasm.length)}. The plugin cannot use the network or the clock. It can read only the files that you choose.` : "A .wasm file that implements the plugin ABI.")
      : about ? `${about.summary}.${weight ? ` About ${sizeText(weight)}, fetched once.` : ""}`
      : "A checker is optional. A checker knows which actions of a benchmark have the same result, and which actions only look right.";
  }

  async #openModule() {
    const [file] = this.#module.files;
    this.#module.value = "";
    if (!file) return;
    this.#own = { name: file.name.replace(/\.wasm$/, ""), wasm: new Uint8Array(await file.arrayBuffer()) };
    this.#chosen();
  }

  /**
   * Uses the plugin at the entered address. The page may fetch only from its own site, so
   * that pasted data cannot leave the page.
   */
  #byAddress() {
    const text = this.#address.value.trim(), url = URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : null, sha256 = this.#sum.value.trim().toLowerCase();
    this.#wrong.textContent = !url || !url.pathname.endsWith(".wasm") ? "The address of a plugin must end in .wasm."
      : url.origin !== location.origin ? `This page can load plugins only from its own site, ${location.origin}. Put the plugin on this site, or choose the plugin's file.`
      : !/^[0-9a-f]{64}$/.test(sha256) ? "The SHA-256 hash must have 64 hexadecimal digits, as in the output of sha256sum." : "";
    if (this.#wrong.textContent) return;
    this.#own = { name: url.pathname.split("/").at(-1).replace(/\.wasm$/, ""), url: url.href, sha256 };
    this.#chosen();
  }

  /** @param {{name: string, file: File}[] | null} files */
  #take(files) {
    this.#files = files;
    this.#source = null;
    const names = this.#about?.environment?.names;
    const mine = files?.filter((f) => !names || names.includes(f.name.split("/").at(-1))) ?? [];
    this.#zone.querySelector(".link").hidden = !files;
    this.#note.textContent = !files ? "" : !mine.length ? `The checker cannot use the ${plural(files.length, "file")} that you chose. The checker uses only files with these names: ${listText(names)}.`
      : `${plural(mine.length, "file")}, ${sizeText(mine.reduce((n, f) => n + f.file.size, 0))}: ${listText(mine.slice(0, 8).map((f) => f.name))}${mine.length > 8 ? ", …" : ""}.`;
  }
}
