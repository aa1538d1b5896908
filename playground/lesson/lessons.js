// The lessons. Each is a folder with data under lessons/, and its "kind" selects the code that
// plays it. A teacher can add a lesson by adding a folder.

import { append, button, el, visibleText } from "../base/dom.js";
import { agentView } from "./lesson_agent.js";
import { alignmentView } from "./lesson_alignment.js";
import { askedView } from "./lesson_asked.js";
import { cutView } from "./lesson_cut.js";
import { gateLessonView } from "./lesson_gate.js";
import { luckyView } from "./lesson_lucky.js";
import { oddsView } from "./lesson_odds.js";
import { scopeView } from "./lesson_scope.js";

/**
 * What a lesson can use: the client of the core, and a function that opens a trace in Score.
 * @typedef {{client: import("../npm/client.js").Client, open: (input: {trace: string, reference: string, title: string}) => void}} Means
 */

const KINDS = { cut: cutView, agent: agentView, scope: scopeView, lucky: luckyView, alignment: alignmentView, odds: oddsView, gate: gateLessonView, asked: askedView };

async function fetchJSON(path) {
  const answer = await fetch(new URL("lessons/" + path, import.meta.url));
  if (!answer.ok) throw new Error(`lessons/${path}: HTTP ${answer.status}`);
  return answer.json();
}

/**
 * @param {HTMLElement} root @param {Means} means
 * @param {(id: string) => void} went is called with the id of the lesson that was opened
 * @returns {Promise<{go: (id: string) => void}>} go opens a lesson by its id, or the first lesson if the id is unknown
 */
export async function lessonsView(root, means, went) {
  const ids = await fetchJSON("index.json");
  const lessons = await Promise.all(ids.map(async (id) => ({ id, ...(await fetchJSON(`${id}/lesson.json`)) })));
  const place = el("div", { class: "lesson" });
  const links = lessons.map((lesson, i) =>
    el("li", {}, button("", () => showLesson(lesson, true), { class: "lesson-link", data: { lesson: lesson.id } })));
  links.forEach((li, i) => append(li.firstChild, [el("span", { class: "eyebrow", text: `Lesson ${i + 1}` }), el("strong", {}, visibleText(lessons[i].title))]));
  append(root, [
    el("p", { class: "lead what" }, el("strong", { text: "Boundary blindness: " }),
      "an agent reaches the goal and does not see where its actions should begin and end. It skips a check, deletes more than was asked, does three things in one call, or goes on after the work is done. The result can still be right, so a success rate does not show such faults."),
    el("nav", { "aria-label": "Lessons" }, el("ol", { class: "lesson-list" }, links)),
    place,
    el("section", { id: "cure", class: "cure" }),
  ]);
  let open = null;
  function showLesson(lesson, chosen) {
    if (open === lesson) return;
    open = lesson;
    const at = lessons.indexOf(lesson);
    for (const li of links) {
      if (li.firstChild.dataset.lesson === lesson.id) li.firstChild.setAttribute("aria-current", "page");
      else li.firstChild.removeAttribute("aria-current");
    }
    const inside = el("div", { class: `play play-${lesson.kind}` });
    const heading = el("h1", { tabindex: "-1" }, visibleText(lesson.title));
    place.replaceChildren(
      el("div", { class: "hero" }, el("p", { class: "eyebrow", text: `Lesson ${at + 1}` }), heading, el("p", { class: "lead" }, visibleText(lesson.intro ?? ""))),
      inside,
      at + 1 < lessons.length ? el("p", { class: "next" }, button(`Next: ${lessons[at + 1].title}`, () => showLesson(lessons[at + 1], true))) : "");
    playLesson(inside, lesson, means);
    if (!chosen) return;
    went(lesson.id);
    heading.focus({ preventScroll: true });
    place.scrollIntoView({ block: "start" });
  }
  const go = (id) => showLesson(lessons.find((l) => l.id === id) ?? lessons[0], false);
  return { go };
}

function playLesson(inside, lesson, means) {
  const kind = KINDS[lesson.kind];
  if (kind) kind(inside, lesson, means);
  else inside.append(el("p", { class: "notice bad", text: `This page cannot play a lesson of the kind ${JSON.stringify(lesson.kind)}. The kind must be one of ${Object.keys(KINDS).join(", ")}.` }));
}

/**
 * Shows one lesson without the list of lessons. @param {HTMLElement} root @param {string} id its folder @param {Means} means
 */
export async function lessonView(root, id, means) {
  const ids = await fetchJSON("index.json");
  if (!ids.includes(id)) throw new Error(`there is no lesson ${id}. The lessons are ${ids.join(", ")}`);
  const lesson = { id, ...(await fetchJSON(`${id}/lesson.json`)) };
  const inside = el("div", { class: `play play-${lesson.kind}` });
  root.replaceChildren(el("div", { class: "lesson" }, el("div", { class: "hero" }, el("h1", {}, visibleText(lesson.title)), el("p", { class: "lead" }, visibleText(lesson.intro ?? ""))), inside));
  playLesson(inside, lesson, means);
}
