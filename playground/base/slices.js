// Parses a large report and encodes a large text in slices, so that the page can react between
// them. JSON.parse of a report with 1,200 runs takes 100 to 200 ms, and so does the conversion of
// 20 MB.
import { parseAnswer } from "../npm/client.js";
import { yieldToBrowser } from "./dom.js";

const SMALL = 512 << 10; // bytes that are parsed at once
const QUOTE = 34;
const BACKSLASH = 92;

/** The lists of a run that grow with its steps. */
const RUN_LISTS = ["observed", "reference", "alignment", "violations"];

/** Returns the same value as parseAnswer, and throws the same errors. @param {Uint8Array} bytes */
export async function parseReport(bytes) {
  return bytes.length <= SMALL ? parseAnswer(bytes) : parseSliced(bytes, ["trajectories"], parseAnswer, parseRun);
}

const parseRun = (bytes) => parseSliced(bytes, RUN_LISTS, (rest) => JSON.parse(decode(rest)));

const decode = (bytes) => new TextDecoder().decode(bytes);

// parseSliced parses an object. The elements of the given lists are parsed in slices, and the rest
// by parseRest. An element that is larger than a slice is parsed by parseLarge, if that is given.
async function parseSliced(bytes, names, parseRest, parseLarge) {
  const lists = await findLists(bytes, names);
  const rest = [];
  let from = 0;
  for (const list of lists) {
    rest.push(bytes.subarray(from, list.from));
    from = list.to;
  }
  const value = parseRest(joinBytes(...rest, bytes.subarray(from)));
  for (const { name, elements } of lists) {
    for (let i = 0; i < elements.length;) {
      let j = i + 1;
      while (j < elements.length && elements[j][1] - elements[i][0] <= SMALL) j++;
      await yieldToBrowser();
      const slice = bytes.subarray(elements[i][0], elements[j - 1][1]);
      if (slice.length > SMALL && parseLarge) value[name].push(await parseLarge(slice));
      else for (const element of JSON.parse(`[${decode(slice)}]`)) value[name].push(element);
      i = j;
    }
  }
  return value;
}

function joinBytes(...parts) {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}

/** Returns a text in UTF-8. Half of a surrogate pair becomes U+FFFD. @param {string} text */
export async function encodeText(text) {
  const encoder = new TextEncoder();
  const parts = [];
  for (let i = 0; i < text.length;) {
    if (i) await yieldToBrowser();
    let end = Math.min(i + 4 * SMALL, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++; // keeps a pair together
    parts.push(encoder.encode(text.slice(i, end)));
    i = end;
  }
  return joinBytes(...parts);
}

// findLists finds the lists that are the given members of an object. For each list it returns the
// offsets of its content, and those at which each of its elements begins and ends. The bytes must
// be valid JSON.
async function findLists(bytes, names) {
  const encoder = new TextEncoder();
  const openings = names.map((name) => encoder.encode(`"${name}":[`));
  const found = [];
  let list = null; // the list that contains the current byte
  let depth = 0;
  let from = 0;
  for (let i = 0, pause = SMALL; i < bytes.length; i++) {
    if (i > pause) {
      await yieldToBrowser();
      pause = i + 4 * SMALL;
    }
    switch (bytes[i]) {
      case QUOTE: {
        const at = depth === 1 ? openings.findIndex((o) => o.every((c, k) => bytes[i + k] === c)) : -1;
        if (at < 0) {
          i = textEnd(bytes, i);
          break;
        }
        i += openings[at].length - 1;
        depth++;
        from = i + 1;
        found.push(list = { name: names[at], from, to: from, elements: [] });
        break;
      }
      case 44: // ,
        if (list && depth === 2) {
          list.elements.push([from, i]);
          from = i + 1;
        }
        break;
      case 91: // [
      case 123: // {
        depth++;
        break;
      case 93: // ]
      case 125: // }
        depth--;
        if (!list || depth > 1) break;
        if (i > from) list.elements.push([from, i]);
        list.to = i;
        list = null;
    }
  }
  return found;
}

// textEnd returns the offset of the quote that ends the string that begins at offset from.
function textEnd(bytes, from) {
  for (let end = bytes.indexOf(QUOTE, from + 1); end > 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (bytes[before - 1] === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return bytes.length;
}
