// Draws pictures from a few shapes, on the page and in files (SVG, PNG, or the data as CSV).
// A shape has a look, which is a class on the page and a colour in a file.

import { button, el, saveFile } from "./dom.js";

/**
 * @typedef {{rect: [number, number, number, number], look: string, round?: number, title?: string}} Rect x, y, width, height
 * @typedef {{line: [number, number, number, number], look: string, wide?: number}} Line from x, y to x, y
 * @typedef {{text: string, at: [number, number], look: string, anchor?: "start" | "middle" | "end", turn?: number}} Text
 * @typedef {{width: number, height: number, shapes: (Rect | Line | Text)[]}} Picture
 */

/** Colours of files, on white. */
export const INK = {
  over: "#ab2a1d", under: "#2b5ea7", fine: "#7a4f00", coarse: "#8a5a86", start: "#0f6f6c", end: "#4b4f9e", kept: "#e6e9e4",
  good: "#1a6645", bad: "#ab2a1d", calm: "#3d5573", line: "#87898a", ink: "#1d2226", soft: "#545d64", white: "#ffffff",
};

const FONT = 11; // pixels

const escapeXML = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd");

/** A shape's element and its attributes. */
function shapeParts(s) {
  if (s.rect) return ["rect", { x: s.rect[0], y: s.rect[1], width: s.rect[2], height: s.rect[3], rx: s.round }];
  if (s.line) return ["line", { x1: s.line[0], y1: s.line[1], x2: s.line[2], y2: s.line[3], "stroke-width": s.wide ?? 1 }];
  return ["text", { x: s.at[0], y: s.at[1], "text-anchor": s.anchor, transform: s.turn ? `rotate(${s.turn} ${s.at[0]} ${s.at[1]})` : undefined }];
}

/** The picture as the text of an SVG file. @param {Picture} p */
export function svgText({ width, height, shapes }) {
  const marks = shapes.map((s) => {
    const [name, attributes] = shapeParts(s);
    const all = Object.entries({ ...attributes, [s.line ? "stroke" : "fill"]: INK[s.look] }).filter(([, v]) => v !== undefined).map(([k, v]) => ` ${k}="${v}"`).join("");
    return `<${name}${all}>${s.title ? `<title lang="en">${escapeXML(s.title)}</title>` : ""}${s.text === undefined ? "" : escapeXML(s.text)}</${name}>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="${FONT}"><rect width="100%" height="100%" fill="#fff"/>${marks.join("")}</svg>\n`;
}

/** The picture as an SVG element for the page; label describes it in words. @param {Picture} p @param {string} label */
export function svgElement({ width, height, shapes }, label) {
  const make = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) if (v !== undefined) node.setAttribute(k, v);
    return node;
  };
  const root = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "draw", "font-size": FONT });
  for (const s of shapes) {
    const [name, attributes] = shapeParts(s);
    const node = make(name, { ...attributes, class: `look ${s.look}` });
    if (s.text !== undefined) node.textContent = s.text;
    root.append(node);
  }
  return root;
}

/** The picture as PNG, at twice its size. @param {Picture} p @returns {Promise<Blob>} */
export function pngBlob({ width, height, shapes }) {
  const scale = Math.min(2, 8000 / Math.max(width, height));
  const canvas = el("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const c = canvas.getContext("2d");
  c.scale(scale, scale);
  c.fillStyle = "#fff";
  c.fillRect(0, 0, width, height);
  c.font = `${FONT}px sans-serif`;
  for (const s of shapes) {
    c.fillStyle = c.strokeStyle = INK[s.look];
    if (s.rect) c.fillRect(...s.rect);
    else if (s.line) {
      c.lineWidth = s.wide ?? 1;
      c.beginPath();
      c.moveTo(s.line[0], s.line[1]);
      c.lineTo(s.line[2], s.line[3]);
      c.stroke();
    } else {
      c.save();
      c.translate(...s.at);
      c.rotate(((s.turn ?? 0) * Math.PI) / 180);
      c.textAlign = s.anchor === "middle" ? "center" : (s.anchor ?? "start");
      c.fillText(s.text, 0, 0);
      c.restore();
    }
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Rows as CSV. A field that a spreadsheet would read as a formula begins with an apostrophe. @param {unknown[][]} rows */
export function csvText(rows) {
  const field = (x) => {
    const s = String(x ?? "");
    return /^[=+\-@\t\r]|[",\n\r]/.test(s) && typeof x !== "number" ? `"${(/^[=+\-@\t\r]/.test(s) ? "'" : "") + s.replaceAll('"', '""')}"` : s;
  };
  return rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

/**
 * One line that opens to the forms in which a picture can be saved. @param {string} name of the files @param {string} what it shows
 * @param {() => Picture} picture @param {() => unknown[][]} rows
 */
export function saveButtons(name, what, picture, rows) {
  const labelled = (kind, run) => button(`Save as ${kind}`, run, { "aria-label": `Save as ${kind}: ${what}` });
  return el("details", { class: "save-menu" }, el("summary", { "aria-label": `Save ${what}`, text: "Save…" }), el("div", { class: "buttons" },
    labelled("SVG", () => saveFile(`${name}.svg`, new Blob([svgText(picture())], { type: "image/svg+xml" }))),
    labelled("PNG", async () => saveFile(`${name}.png`, await pngBlob(picture()))),
    labelled("CSV", () => saveFile(`${name}.csv`, new Blob([csvText(rows())], { type: "text/csv" })))));
}
