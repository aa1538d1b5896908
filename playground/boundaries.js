// How far two ways of cutting a trace agree. A boundary is named by the line after which
// it comes. The end of the trace does not count, because it is the same for everybody.

/**
 * @param {Set<number>} mine
 * @param {Set<number>} reference
 * @returns {{both: number[], onlyMine: number[], onlyReference: number[], tendency: "same"|"finer"|"coarser"|"elsewhere"}}
 */
export function compare(mine, reference) {
  const sorted = (set) => [...set].sort((a, b) => a - b);
  const both = sorted(mine).filter((x) => reference.has(x));
  const onlyMine = sorted(mine).filter((x) => !reference.has(x));
  const onlyReference = sorted(reference).filter((x) => !mine.has(x));
  return { both, onlyMine, onlyReference, tendency: tendency(onlyMine.length, onlyReference.length) };
}

function tendency(extra, missed) {
  if (!extra && !missed) return "same";
  if (extra > missed) return "finer";
  return extra < missed ? "coarser" : "elsewhere";
}
