// A page with one report or one lesson, which any site may frame. embed.html#z=… shows the
// report on a link's input, and embed.html#lesson=… shows a lesson. The page stores nothing
// and sends nothing.

import { causesAsker, consensusAsker } from "./form/ask.js";
import { startCore } from "./core.js";
import { el } from "./base/dom.js";
import { lessonView } from "./lesson/lessons.js";
import { parseAnswer, scoreBody } from "./npm/client.js";
import { Plugins } from "./form/plugins.js";
import { applyMarks } from "./run/marks.js";
import { reportView } from "./report.js";
import { unpack } from "./form/share.js";
import { YAML } from "./base/yaml.js";

const place = document.getElementById("embed");

function showNotice(...words) {
  place.replaceChildren(el("p", { class: "notice bad", role: "status" }, ...words));
}

/** The address at which the full page shows the same report or lesson. */
const fullPageURL = (hash) => new URL("./" + hash, location.href).href;

async function showFromHash() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const open = document.getElementById("open");
  try {
    if (asked.get("lesson")) {
      open.href = fullPageURL(`#lessons?lesson=${encodeURIComponent(asked.get("lesson"))}`);
      await lessonView(place, asked.get("lesson"), { client: startCore(), open: () => window.open(open.href, "_blank", "noopener") });
    } else if (asked.get("z")) {
      open.href = fullPageURL(`#score?z=${asked.get("z")}`);
      const input = await unpack(asked.get("z"));
      const client = startCore();
      const { reference, config } = await new YAML(client, () => Plugins.load(), () => {}).input(input);
      const profile = input.profile === "auto" ? undefined : input.profile;
      const bytes = await client.handleRaw("score", scoreBody(input.trace, { reference: reference.trim() ? reference : undefined, profile, parameters: input.parameters, config: config || undefined }));
      const report = applyMarks(parseAnswer(bytes), input.marks);
      const { node } = reportView(report, bytes, { title: input.title, agree: consensusAsker(client, bytes), causes: causesAsker(client, report) });
      place.replaceChildren(node);
    } else showNotice("There is nothing to show. The address must contain #z=… from a link of the Score page, or #lesson=… with the name of a lesson.");
  } catch (e) {
    showNotice("This cannot be shown here: ", e.message.replace(/\.$/, ""), ".");
  }
  document.documentElement.dataset.ready = "";
}

addEventListener("hashchange", showFromHash);
showFromHash();
