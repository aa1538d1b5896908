// Converts references and configurations from YAML to JSON. The page fetches a plugin for this
// when it is needed.

import { parseAnswer } from "../npm/client.js";

export const CONFIG = "boundcheck.yaml";

/** Whether a file is a project's configuration, by its name. @param {string} name */
export const isConfig = (name) => /^boundcheck\.(ya?ml|json)$/i.test(name);

/** Whether a file contains YAML, by its name. @param {string} name */
export const isYAML = (name) => /\.ya?ml$/i.test(name);

/** Matches a first line that may begin YAML. The plugin decides. */
const START = /^(---\s*$|-\s|[\w"'$-]+\s*:(\s|$))/;

/** Whether a text may be YAML, by its first line. @param {string} text */
export const maybeYAML = (text) => START.test(firstLine(text));

export class YAML {
  #client;
  #plugins;
  #tell;
  /** @type {Map<string, string | null>} the latest texts that were converted, by name and text */
  #read = new Map();

  /**
   * @param {import("../npm/client.js").Client} client
   * @param {() => import("../form/plugins.js").Plugins | null | Promise<import("../form/plugins.js").Plugins>} plugins is called when there is YAML
   * @param {(text: string) => void} tell shows the progress
   */
  constructor(client, plugins, tell) {
    this.#client = client;
    this.#plugins = plugins;
    this.#tell = tell;
  }

  /**
   * Converts a text to JSON, or returns it unchanged if it is not YAML.
   * @param {string} name of the file; "" for a reference
   * @param {string} text
   * @param {AbortSignal} [signal]
   */
  async json(name, text, signal) {
    if (!name && !maybeYAML(text)) return text;
    if (/^\s*[[{]/.test(text) && isJSON(text)) return text;
    const key = name + "\n" + text;
    if (!this.#read.has(key)) {
      const json = await this.#ask(name, text, signal);
      if (this.#read.size > 8) this.#read.clear();
      this.#read.set(key, json);
    }
    return this.#read.get(key) ?? text;
  }

  /**
   * Returns the input with its reference and configuration as JSON.
   * @param {{reference: string, config: string}} input
   * @param {AbortSignal} [signal]
   */
  async input(input, signal) {
    const reference = await this.json("", input.reference, signal);
    const config = input.config.trim() ? await this.json(CONFIG, input.config, signal) : "";
    return { ...input, reference, config };
  }

  async #ask(name, text, signal) {
    try {
      const plugins = await this.#plugins();
      if (!plugins) throw new Error("this page was built without the YAML reader; use JSON");
      const plugin = await plugins.source("yaml", (percent) => this.#tell(`Fetching the YAML reader: ${percent} %`));
      return parseAnswer(await this.#client.ask(plugin, "json", JSON.stringify({ op: "json", name, text }), { signal })).ok.json;
    } catch (e) {
      if (e.code === "cancelled") throw e;
      throw Object.assign(new Error(`${name || "The reference"} cannot be read as YAML: ${e.message}`), { code: "invalid-input" });
    }
  }
}

const firstLine = (text) => text.split("\n").find((l) => l.trim() && !l.startsWith("#")) ?? "";

function isJSON(text) {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
