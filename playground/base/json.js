// Reads JSON without losing its original text. JSON.parse would round 9007199254740993, so
// the page shows parts of the original text instead.

/**
 * Reads a JSON text and returns its root node. A node is {kind, start, end, text, items}. kind is
 * object, array or scalar. start and end are its position in the text. items has a {key, raw, node}
 * for each member. key is null in an array, and raw is the text of the key.
 * @returns {object | null} null if the text is not JSON, or is nested too deeply
 */
export function parseTree(text) {
  try {
    JSON.parse(text); // the code below needs valid JSON
  } catch {
    return null;
  }
  let i = 0;
  const space = () => {
    while (" \t\n\r".includes(text[i]) && i < text.length) i++;
  };
  const scalar = () => {
    if (text[i] !== '"') while (i < text.length && !",]} \t\n\r".includes(text[i])) i++;
    else for (i++; text[i++] !== '"'; ) if (text[i - 1] === "\\") i++;
  };
  const value = () => {
    space();
    const node = { kind: text[i] === "{" ? "object" : text[i] === "[" ? "array" : "scalar", start: i, items: [] };
    if (node.kind === "scalar") scalar();
    else members(node);
    node.end = i;
    node.text = text.slice(node.start, i);
    return node;
  };
  const members = (node) => {
    const close = node.kind === "object" ? "}" : "]";
    for (i++, space(); text[i] !== close; space()) {
      if (text[i] === ",") i++;
      let key = null;
      let raw = "";
      if (node.kind === "object") {
        space();
        const start = i;
        scalar();
        raw = text.slice(start, i);
        key = JSON.parse(raw);
        space();
        i++; // the colon
      }
      node.items.push({ key, raw, node: value() });
    }
    i++;
  };
  try {
    return value();
  } catch {
    return null; // nested too deeply to walk: shown as plain text
  }
}

/** The node of a member, or undefined. The last of equal keys wins, as in JSON.parse. */
export function memberNode(node, key) {
  return node?.items.findLast((m) => m.key === key)?.node;
}

/** Returns the path of a member with index i in the container at path, such as a.b or a.b[0]. */
export function memberPath(path, { key }, i) {
  if (key === null) return `${path}[${i}]`;
  return path ? `${path}.${key}` : key;
}

/** The text of each leaf by its path, such as a.b[0]. Empty containers are leaves. */
export function leafTexts(node, path = "", out = new Map()) {
  if (!node.items.length) return out.set(path, node.text);
  node.items.forEach((m, i) => leafTexts(m.node, memberPath(path, m, i), out));
  return out;
}

/**
 * The node's original tokens with new white space between them. They are on one line if the
 * line is not longer than width. The tokens of leaves have their path.
 * @returns {Generator<{text: string, path?: string}>}
 */
export function* tokenPieces(node, width = Infinity, path = "", indent = "") {
  if (!node.items.length) return yield { text: node.text, path };
  const wide = node.text.replace(/\s+/g, " ").length > width;
  const inner = indent + "  ";
  yield { text: node.text[0] + (wide ? "\n" + inner : "") };
  for (const [i, m] of node.items.entries()) {
    if (i) yield { text: wide ? ",\n" + inner : ", " };
    if (m.raw) yield { text: m.raw + ": " };
    yield* tokenPieces(m.node, width, memberPath(path, m, i), inner);
  }
  yield { text: (wide ? "\n" + indent : "") + node.text.at(-1) };
}

/** The paths of the leaves of a that are missing or different in b. The order of an object's members does not matter. */
export function differingPaths(a, b) {
  const other = leafTexts(b);
  return new Set([...leafTexts(a)].filter(([path, text]) => other.get(path) !== text).map(([path]) => path));
}

/** Removes the shared indentation from all lines but the first. */
export function dedent(text) {
  const lines = text.split("\n");
  const widths = lines.slice(1).filter((l) => l.trim()).map((l) => l.length - l.trimStart().length);
  const n = widths.length ? Math.min(...widths) : 0;
  return lines.map((l, i) => (i ? l.slice(n) : l)).join("\n");
}
