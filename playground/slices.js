// Parses a large report in slices, so that the page can react between them. JSON.parse of a
// report with 1,200 runs takes 100 to 200 ms.
import { parseAnswer } from "./npm/client.js";
import { yieldToBrowser } from "./dom.js";

const SMALL = 512 << 10; // bytes that are parsed at once
const QUOTE = 34;
const BACKSLASH = 92;

/** Returns the same value as parseAnswer, and throws the same errors. @param {Uint8Array} bytes */
export async function parseReport(bytes) {
  if (bytes.length <= SMALL) return parseAnswer(bytes);
  const list = await elementOffsets(bytes, "trajectories");
  if (!list.length) return parseAnswer(bytes);
  const report = parseAnswer(joinBytes(bytes.subarray(0, list[0][0]), bytes.subarray(list.at(-1)[1])));
  const decoder = new TextDecoder();
  for (let i = 0; i < list.length;) {
    let j = i + 1;
    while (j < list.length && list[j][1] - list[i][0] <= SMALL) j++;
    await yieldToBrowser();
    for (const run of JSON.parse(`[${decoder.decode(bytes.subarray(list[i][0], list[j - 1][1]))}]`)) report.trajectories.push(run);
    i = j;
  }
  return report;
}

function joinBytes(a, b) {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

// elementOffsets finds the list that is the given member of the outermost object. It returns the
// offsets at which each element of the list begins and ends. The bytes must be valid JSON.
async function elementOffsets(bytes, member) {
  const name = new TextEncoder().encode(`"${member}":[`);
  const found = [];
  let depth = 0;
  let inside = false; // in the list
  let from = 0;
  for (let i = 0, pause = SMALL; i < bytes.length; i++) {
    if (i > pause) {
      await yieldToBrowser();
      pause = i + 4 * SMALL;
    }
    switch (bytes[i]) {
      case QUOTE:
        if (depth === 1 && !inside && name.every((c, k) => bytes[i + k] === c)) {
          i += name.length - 1;
          depth++;
          inside = true;
          from = i + 1;
        } else i = textEnd(bytes, i);
        break;
      case 44: // ,
        if (inside && depth === 2) {
          found.push([from, i]);
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
        if (!inside || depth > 1) break;
        if (i > from) found.push([from, i]);
        return found;
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
