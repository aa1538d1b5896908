// Compares two ways of cutting a trace into actions. A boundary's number is that of the line
// before the boundary. The end of the trace is not a boundary, because it is the same for all.

/**
 * Returns the boundaries that are in both sets, and those that are only in one of them, sorted.
 * tendency says whether mine has more boundaries than reference (finer) or fewer (coarser). It is
 * "elsewhere" if it has equally many, but not the same ones.
 * @param {Set<number>} mine
 * @param {Set<number>} reference
 * @returns {{both: number[], onlyMine: number[], onlyReference: number[], tendency: "same"|"finer"|"coarser"|"elsewhere"}}
 */
export function compareBoundaries(mine, reference) {
  const sorted = (set) => [...set].sort((a, b) => a - b);
  const both = sorted(mine).filter((x) => reference.has(x));
  const onlyMine = sorted(mine).filter((x) => !reference.has(x));
  const onlyReference = sorted(reference).filter((x) => !mine.has(x));
  return { both, onlyMine, onlyReference, tendency: tendencyOf(onlyMine.length, onlyReference.length) };
}

function tendencyOf(extra, missed) {
  if (!extra && !missed) return "same";
  if (extra > missed) return "finer";
  return extra < missed ? "coarser" : "elsewhere";
}
