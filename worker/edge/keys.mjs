// Whose request it is: the paths that the gate's own program does not answer are open
// to the same keys.
const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, "0")).join("");

/** The sha256 of a text, lower-case hex. */
export const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** The tenant whose key came with the request; null for none. Key lines end with a line feed or ";". */
export async function tenant(req, env) {
  const key = /^Bearer ([\x21-\x7e]{16,256})$/.exec(req.headers.get("authorization") ?? "")?.[1];
  if (!key) return null;
  const mark = "sha256:" + await sha256(key);
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith("BOUNDCHECK_KEYS") || typeof text !== "string") continue;
    for (const line of text.split(/[\n;]/)) {
      const [whose, , , hash] = line.replace(/#.*/, "").trim().split(/\s+/);
      if (hash === mark) return whose;
    }
  }
  return null;
}
