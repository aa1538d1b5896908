// Shows texts as chat windows do and reports which of their words a person does not see.
// Standard input is {"chromium", "cases": [{"text", "words"}]}; the words must be visible
// in their order. Standard output is {"shown", "renderers", "missing": [{"renderer",
// "case", "word", "seen"}]}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import MarkdownIt from "markdown-it";
import { Marked } from "marked";
import { chromium } from "playwright-core";
import sanitize from "sanitize-html";

const { chromium: executablePath, cases } = JSON.parse(readFileSync(0, "utf8"));
const wide = new MarkdownIt({ html: true, linkify: true, breaks: true });
const narrow = new MarkdownIt({ html: false });
const gfm = new Marked();
const breaks = new Marked({ breaks: true });

// Each renderer makes HTML. purify means that DOMPurify cleans it afterwards, in the
// page.
const renderers = {
  "marked and DOMPurify": { html: (text) => gfm.parse(text), purify: true },
  "marked with breaks and DOMPurify": { html: (text) => breaks.parse(text), purify: true },
  "marked and sanitize-html": { html: (text) => sanitize(gfm.parse(text)) },
  "markdown-it with HTML and DOMPurify": { html: (text) => wide.render(text), purify: true },
  "markdown-it with HTML and sanitize-html": { html: (text) => sanitize(wide.render(text)) },
  "markdown-it without HTML": { html: (text) => narrow.render(text) },
  "marked, as it comes": { html: (text) => gfm.parse(text) },
  "markdown-it with HTML, as it comes": { html: (text) => wide.render(text) },
};

// visible returns the text of elements that occupy space and are not hidden.
const inPage = () => {
  const unread = new Set(["SCRIPT", "STYLE", "TEMPLATE", "TEXTAREA", "TITLE", "NOSCRIPT", "IFRAME", "OBJECT", "SELECT", "OPTION", "NOEMBED", "NOFRAMES"]);
  const range = document.createRange();
  window.visible = (html, purify) => {
    const root = document.getElementById("chat");
    root.innerHTML = purify ? window.DOMPurify.sanitize(html) : html;
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let out = "";
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      let parent = node.parentElement;
      const block = parent;
      while (parent && !unread.has(parent.tagName)) parent = parent === root ? null : parent.parentElement;
      if (parent || !block.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: true })) continue;
      range.selectNodeContents(node);
      if (node.data.trim() && ![...range.getClientRects()].some((box) => box.width > 0 && box.height > 0)) continue;
      out += node.data;
    }
    root.innerHTML = "";
    return out;
  };
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.setContent('<!doctype html><meta charset="utf-8"><div id="chat"></div>');
await page.addScriptTag({ path: createRequire(import.meta.url).resolve("dompurify/dist/purify.min.js") });
await page.evaluate(inPage);

const missing = [];
let shown = 0;
for (const [renderer, { html, purify = false }] of Object.entries(renderers)) {
  for (let at = 0; at < cases.length; at += 100) {
    const part = cases.slice(at, at + 100);
    const seen = await page.evaluate(([list, clean]) => list.map((text) => window.visible(text, clean)), [part.map((c) => html(c.text)), purify]);
    seen.forEach((text, i) => {
      shown++;
      let from = 0;
      for (const word of part[i].words) {
        const found = text.indexOf(word, from);
        if (found < 0) {
          missing.push({ renderer, case: at + i, word, seen: text.slice(-600) });
          break;
        }
        from = found + word.length;
      }
    });
  }
}
await browser.close();
console.log(JSON.stringify({ shown, renderers: Object.keys(renderers), missing }));
