// Saves a report as a file, in the formats of the command's --format and with the same bytes.
// The core writes the files. Only the HTML format needs a page, which is fetched on request.

import { askCore } from "./ask.js";
import { append, button, el, saveFile } from "../base/dom.js";

/** @typedef {{format: string, name: string, file: string, type: string, hint: string}} Form */

/** @type {Form[]} */
export const FORMS = [
  { format: "markdown", name: "Markdown", file: "boundcheck-report.md", type: "text/markdown", hint: "For an issue or a pull request." },
  { format: "html", name: "HTML", file: "boundcheck-report.html", type: "text/html", hint: "This view in one file that a browser can open from disk." },
  { format: "csv", name: "CSV", file: "boundcheck-report.csv", type: "text/csv", hint: "A line for each run, for a spreadsheet." },
  { format: "junit", name: "JUnit", file: "boundcheck-report.xml", type: "application/xml", hint: "Test results, for CI." },
  { format: "sarif", name: "SARIF", file: "boundcheck-report.sarif", type: "application/sarif+json", hint: "For code scanning." },
  { format: "json", name: "JSON", file: "boundcheck-report.json", type: "application/json", hint: "Everything, for programs." },
];

/**
 * Returns the card with the buttons that save a report.
 * @param {import("../npm/client.js").Client} client
 * @param {Uint8Array} report the core's own answer
 * @param {{name?: string, traces?: {name: string, trace: string}[], config?: string}} of the source's name, and the traces and configuration that were scored
 */
export function saveView(client, report, { name = "", traces = [], config } = {}) {
  const said = el("p", { role: "status", class: "hint" });
  const write = async (form) => {
    said.textContent = `Writing ${form.name}…`;
    try {
      saveFile(form.file, new Blob([await formatReport(client, report, form.format, { name, traces, config })], { type: form.type }));
      said.textContent = `Saved as ${form.file}.`;
    } catch (e) {
      said.textContent = `${form.name} was not written: ${e.message}.`;
    }
  };
  const row = (form) => el("li", {}, button(form.name, () => write(form), { "aria-label": `Save as ${form.name}`, "aria-describedby": `save-${form.format}` }), el("span", { id: `save-${form.format}`, text: form.hint }));
  const node = el("section", { class: "card share save", "aria-label": "Save as" });
  append(node, [el("h2", { text: "Save as" }), el("ul", {}, FORMS.map(row)), said]);
  return node;
}

/** The report in one format. */
async function formatReport(client, report, format, { name, traces, config }) {
  if (format === "json") return report;
  const page = format === "html" ? await savedPage() : undefined;
  const rest = JSON.stringify({ format, name, page, ...(format === "sarif" ? { traces, config: config || undefined } : {}) }); // only SARIF refers to lines of the trace
  return (await askCore(client, "export", ['{"report":', report, ",", rest.slice(1)])).text;
}

async function savedPage() {
  const answer = await fetch(new URL("saved.json", import.meta.url)).catch(() => null);
  if (!answer?.ok) throw new Error("the page of a saved report could not be fetched. Try again when you have a network connection");
  return (await answer.json()).page;
}
