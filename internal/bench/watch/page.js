// The page asks for the status every second and writes what changed. Nothing that comes
// from a journal is read as HTML.
const signs = { waiting: "·", running: "…", rewarded: "✓", unrewarded: "✗" };
const words = { waiting: "waiting", running: "under way", rewarded: "rewarded", unrewarded: "not rewarded" };
const ends = { user: "ended by the user", tool: "ended by a tool", turns: "ended at the limit on turns" };

const make = (name, text, classes) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (classes) e.className = classes;
  return e;
};

const write = (e, text) => { if (e.textContent !== text) e.textContent = text; };

const duration = seconds => {
  if (!(seconds > 0)) return "not known yet";
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
};

const count = n => n.toLocaleString("en");

const settings = x => [
  x.framework,
  x.prompt ? "with an extra prompt, such as EBP" : "",
  ["verify", "reflect", "blocks"].filter(p => x.saber && x.saber[p]).map(p => `SABER ${p}`).join(", "),
  x.user ? `user ${x.user}` : "scripted user",
  `seed ${x.seed}`,
].filter(Boolean).join(" · ");

const figures = s => [
  ["Runs", `${count(s.runs)} of ${count(s.of)}`],
  ["Rewarded", s.runs ? `${count(s.rewarded)} (${(100 * s.rewarded / s.runs).toFixed(1)} %)` : "–"],
  ["Rate", s.of && s.runs === s.of ? "–" : s.rate ? `${s.rate.toFixed(s.rate < 10 ? 1 : 0)} a minute` : "not known yet"],
  ["Left", s.of && s.runs === s.of ? "done" : duration(s.left)],
  ["Tokens in", count(s.in)],
  ["Tokens out", count(s.out)],
  ["Cost", s.cost ? s.cost.toFixed(2) : "–"],
];

// section is an experiment's part of the page, made once.
const section = s => {
  const e = make("section", undefined, "experiment");
  const title = make("h2"), sub = make("p", "", "settings"), problem = make("p", "", "problem");
  const bar = make("progress"), list = make("dl"), tasks = make("ul", undefined, "tasks"), last = make("ol");
  bar.setAttribute("aria-label", "runs that have ended");
  const heading = make("h3", "Ended last");
  e.append(title, sub, problem, bar, list, tasks, heading, last);
  return { e, title, sub, problem, bar, list, tasks, heading, last, dd: new Map(), cells: new Map(), names: new Map() };
};

const showFigures = (v, s) => {
  for (const [name, text] of figures(s)) {
    if (!v.dd.has(name)) {
      const box = make("div"), dd = make("dd");
      box.append(make("dt", name), dd);
      v.list.append(box);
      v.dd.set(name, dd);
    }
    write(v.dd.get(name), text);
  }
};

const about = (task, trial, run) => {
  let text = `task ${task.index}${task.name ? ` (${task.name})` : ""}, trial ${trial}: ${words[run.state]}`;
  if (run.turns) text += `, ${run.turns} turns`;
  if (run.ended) text += `, ${ends[run.ended] ?? run.ended}`;
  if (run.state === "running") text += `, ${run.exchanges} answers so far`;
  return text;
};

const showTasks = (v, s) => {
  for (const task of s.tasks) {
    if (!v.names.has(task.index)) {
      const row = make("li"), name = make("span", "", "name"), cells = make("span", undefined, "cells");
      row.append(name, cells);
      v.tasks.append(row);
      v.names.set(task.index, name);
      task.runs.forEach((_, trial) => {
        const c = make("span", "", "cell");
        c.setAttribute("role", "img");
        cells.append(c);
        v.cells.set(`${task.index}.${trial}`, c);
      });
    }
    const label = task.name || `task ${task.index}`;
    write(v.names.get(task.index), label);
    v.names.get(task.index).title = label;
    task.runs.forEach((run, trial) => {
      const c = v.cells.get(`${task.index}.${trial}`), text = about(task, trial, run);
      if (c.title === text) return;
      c.title = text;
      c.setAttribute("aria-label", text);
      c.className = `cell ${run.state}`;
      write(c, signs[run.state]);
    });
  }
};

const show = (v, s) => {
  write(v.title, s.experiment ? `${s.experiment.env}: ${s.experiment.model}` : s.dir);
  write(v.sub, s.experiment ? `${settings(s.experiment)} · ${s.dir}` : "");
  write(v.problem, s.problem ?? "");
  v.bar.max = s.of || 1;
  v.bar.value = s.runs;
  showFigures(v, s);
  showTasks(v, s);
  v.heading.hidden = s.last.length === 0;
  const byKey = new Map(s.tasks.flatMap(t => t.runs.map((r, trial) => [`${t.index}.${trial}`, about(t, trial, r)])));
  const lines = s.last.map(k => byKey.get(k) ?? k);
  if (v.shown !== lines.join("\n")) {
    v.shown = lines.join("\n");
    v.last.replaceChildren(...lines.map(t => make("li", t)));
  }
};

const views = [];

const tick = async () => {
  const state = document.getElementById("state");
  try {
    const r = await fetch("status.json", { cache: "no-store" });
    if (!r.ok) throw new Error(`status ${r.status}`);
    const all = await r.json();
    const main = document.getElementById("experiments");
    all.forEach((s, i) => {
      if (views[i]?.key !== JSON.stringify(s.experiment)) { // another experiment is in the folder
        const v = section(s);
        v.key = JSON.stringify(s.experiment);
        views[i] ? views[i].e.replaceWith(v.e) : main.append(v.e);
        views[i] = v;
      }
      show(views[i], s);
    });
    const done = all.reduce((n, s) => n + s.runs, 0), of = all.reduce((n, s) => n + s.of, 0);
    write(state, of && done === of ? `All ${count(of)} runs have ended.` : `${count(done)} of ${count(of)} runs have ended.`);
    document.title = of ? `${Math.floor(100 * done / of)} % – boundcheck bench` : "boundcheck bench";
  } catch {
    write(state, "The program that serves this page has ended. This page shows the last figures that the program sent.");
  }
  setTimeout(tick, 1000);
};

tick();
