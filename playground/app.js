// Starts the page: one core in a worker, and three views, of which one is visible.

import { startCore } from "./core.js";
import { gateView } from "./gate/gate.js";
import { lessonsView } from "./lesson/lessons.js";
import { loadExamples } from "./form/examples.js";
import { Plugins } from "./form/plugins.js";
import { promptView } from "./form/prompt.js";
import { scoreView } from "./form/score.js";

const PAUSE = 2000; // ms until the page loads what it does not need for the first report

const tabs = [...document.querySelectorAll('[role="tab"]')];
const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

const places = new Map(); // the address that each view had when the reader left it
let shown = null; // the current tab
let score;
let lessons;

/** Shows the view that the address names, or the first one. */
function routeToView() {
  const [hash, query = ""] = location.hash.replace(/^#lesson-1$/, "#lessons").split("?"); // the address of the lesson when there was only one
  const tab = tabs.find((t) => "#" + panelOf(t).id === hash) ?? tabs[0];
  shown = tab;
  if (panelOf(tab).id === "lessons") lessons?.go(new URLSearchParams(query).get("lesson"));
  for (const t of tabs) {
    t.setAttribute("aria-selected", String(t === tab));
    t.tabIndex = t === tab ? 0 : -1;
    panelOf(t).hidden = t !== tab;
  }
}

function chooseTab(tab) {
  if (shown !== tab) places.set(shown, [location.hash || "#" + panelOf(shown).id, history.state]);
  const [target, state] = places.get(tab) ?? ["#" + panelOf(tab).id, null];
  if (shown !== tab) history.pushState(state, "", target); // a link with a hash would also scroll
  routeToView();
}

function onTabKey(e) {
  const at = tabs.indexOf(e.currentTarget);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  const tab = tabs.at(to % tabs.length);
  chooseTab(tab);
  tab.focus();
}

/** Files dropped anywhere on the page are traces, except on elements that take files themselves. */
function acceptDrops(open) {
  const cover = document.getElementById("drop");
  const files = (e) => e.dataTransfer?.types.includes("Files");
  const taken = (e) => e.target.closest?.("[data-takes-files]");
  document.addEventListener("dragover", (e) => {
    if (!files(e)) return;
    e.preventDefault();
    cover.hidden = Boolean(taken(e));
  });
  document.addEventListener("dragleave", (e) => {
    if (!e.relatedTarget) cover.hidden = true;
  });
  document.addEventListener("drop", (e) => {
    cover.hidden = true;
    if (!files(e) || taken(e)) return;
    e.preventDefault();
    chooseTab(tabs[0]);
    if (e.dataTransfer.files.length) open([...e.dataTransfer.files]);
  });
}

function showTrouble(e) {
  const p = document.getElementById("trouble");
  p.textContent = `Boundcheck cannot start here: ${e.message}`;
  p.hidden = false;
}

async function main() {
  for (const t of tabs) {
    t.addEventListener("click", () => chooseTab(t));
    t.addEventListener("keydown", onTabKey);
  }
  addEventListener("hashchange", routeToView);
  addEventListener("popstate", () => {
    routeToView();
    if (shown === tabs[0]) score?.go(location.hash.split("?")[1] ?? "");
  });
  routeToView();

  const client = startCore();
  globalThis.boundcheck = client; // for the console: boundcheck.handleRaw("score", text)
  const ready = client.handleRaw("version", "");
  let prompt;
  const openInScore = ({ trace, reference, title }) => {
    chooseTab(tabs[0]);
    score.show({ trace, reference, title });
  };
  const cure = () => {
    chooseTab(tabs.at(-1));
    prompt.fill(score.tools());
    document.getElementById("cure").scrollIntoView();
    prompt.make();
  };
  score = scoreView(document.getElementById("score"), client, cure);
  if (shown === tabs[0]) score.follow();
  gateView(document.getElementById("gate"), client);
  acceptDrops(score.open);
  try {
    const [plugins] = await Promise.all([Plugins.load(), loadExamples().then(score.offer), lessonsView(document.getElementById("lessons"), { client, open: openInScore }, (id) => history.pushState(null, "", "#lessons?lesson=" + id)).then((l) => (lessons = l)), ready]);
    score.equip(plugins);
    routeToView();
    if (shown === tabs[0]) await score.begin();
    prompt = promptView(document.getElementById("cure"), client, plugins, score.tools);
    const { wire, schema } = client.version;
    document.getElementById("about").textContent = `Core: wire ${wire}, ${schema}.`;
  } catch (e) {
    showTrouble(e);
  }
  document.documentElement.dataset.ready = ""; // everything that the page needs for a first report is loaded
  setTimeout(() => {
    if (navigator.connection?.saveData) return; // the reader asks to load only what is needed
    client.preload();
    installWorker();
  }, PAUSE);
}

/** Installs the service worker, which makes the page work without a network. The page also works if this fails. */
function installWorker() {
  const workers = navigator.serviceWorker;
  if (workers && !workers.controller) workers.register(new URL("sw.js", import.meta.url), { updateViaCache: "none" }).catch(() => {});
}

main();
