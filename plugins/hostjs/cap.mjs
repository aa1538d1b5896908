// Gives a module's memory a maximum, which WebAssembly has no other way to set from outside. A module that plugins/meter has
// rewritten has one already.

/** The module's bytes with its memory capped at maxPages of 64 KiB. What is no module comes back as it is: the engine refuses it. */
export function cap(bytes, maxPages) {
  for (let i = 8; i < bytes.length; ) {
    const id = bytes[i], [size, at] = leb(bytes, i + 1), end = at + size;
    if (id === 5) {
      const [count, first] = leb(bytes, at);
      if (count !== 1 || bytes[first] > 1) return bytes;
      const [min, next] = leb(bytes, first + 1), [max] = bytes[first] === 1 ? leb(bytes, next) : [Infinity];
      const body = [1, 1, ...unsigned(min), ...unsigned(Math.max(min, Math.min(max, maxPages)))];
      return concat(bytes.subarray(0, i), [5, ...unsigned(body.length), ...body], bytes.subarray(end));
    }
    i = end;
  }
  return bytes;
}

function leb(bytes, i) {
  let n = 0;
  for (let place = 1; i < bytes.length; place *= 128) {
    const b = bytes[i++];
    n += (b & 127) * place;
    if (b < 128) return [n, i];
  }
  return [n, bytes.length];
}

function unsigned(n) {
  const out = [];
  for (; n >= 128; n = Math.floor(n / 128)) out.push((n % 128) | 128);
  return [...out, n];
}

function concat(...parts) {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) { out.set(p, at); at += p.length; }
  return out;
}
