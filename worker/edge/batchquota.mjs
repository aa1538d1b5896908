// The limits of a tenant for batches: BOUNDCHECK_BATCHES, "bytes=20GiB running=8
// days=30".
const units = { "": 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

const usual = { bytes: 20 * 2 ** 30, running: 8, days: 30 };

export class BadQuota extends Error {}

let read = { text: "", quota: usual };

/**
 * readQuota returns the quota: bytes that may be stored, batches that may run at the same
 * time, and the days after which an ended batch is deleted. It throws if the text is invalid.
 */
export function readQuota(env) {
  const text = env.BOUNDCHECK_BATCHES ?? "";
  if (read.text !== text) read = { text, quota: { ...usual, ...Object.fromEntries(text.trim().split(/\s+/).filter(Boolean).map(parseQuotaWord)) } };
  return read.quota;
}

function parseQuotaWord(word) {
  const found = /^(bytes)=(\d{1,15})([KMGT]i?B)?$|^(running|days)=(\d{1,4})$/.exec(word);
  if (!found || Number(found[2] ?? found[5]) === 0) throw new BadQuota(`BOUNDCHECK_BATCHES has the invalid word ${JSON.stringify(word)}. Use for example bytes=20GiB, running=8 or days=30`);
  return found[1] ? ["bytes", Number(found[2]) * units[found[3] ?? ""]] : [found[4], Number(found[5])];
}
