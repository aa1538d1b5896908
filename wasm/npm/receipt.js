// Verifies receipts of the confirmation gate, as the Go package worker/receipt does. A tool
// server that demands them runs nothing for an agent that goes around the gate. It needs
// WebCrypto with Ed25519 (Node 20, Deno, Bun, Cloudflare Workers) and nothing else.

/** In _meta of tools/call: the receipt. */
export const META = "io.github.boundcheck/receipt";
/** In _meta of tools/call: the exact text of the arguments. */
export const META_ARGUMENTS = "io.github.boundcheck/arguments";
/** Of HTTP requests to a tool server: the receipt. */
export const HEADER = "boundcheck-receipt";

const MOST_TEXT = 16 << 10;
const utf8 = new TextEncoder();

/** Why a receipt was refused. */
export class ReceiptError extends Error {
  /** @param {import("./receipt.js").Refusal} code @param {string} text */
  constructor(code, text) {
    super("receipt refused: " + text);
    this.name = "ReceiptError";
    this.code = code;
  }
}

/**
 * The name under which the gate knows a tool of an MCP server.
 * @param {string} server its name at the gate @param {string} tool
 */
export const mcpTool = (server, tool) => `mcp__${server}__${tool}`;

/** @param {Uint8Array} bytes */
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Decodes base64url. The result is null for a text that is not the one encoding of its bytes. @param {string} text */
function decodeExactly(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return base64url(bytes) === text ? bytes : null;
}

/** The bytes of a text, or null if it has half a surrogate pair: such texts are equal as bytes and differ as values. @param {string | Uint8Array} text */
function bytesOf(text) {
  if (typeof text !== "string") return text;
  const bytes = utf8.encode(text);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) === text ? bytes : null;
}

/** @param {Uint8Array} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));

/**
 * The digest of a call: a fixed tag, the tool's name and the arguments, each after its length,
 * and the directory if the call was proposed with one.
 * @param {string} tool @param {string | Uint8Array} args @param {string} [directory]
 */
export async function digest(tool, args, directory) {
  const fields = ["boundcheck.call/1", tool, args, ...(directory ? [directory] : [])].map((field) => {
    const bytes = bytesOf(field);
    if (!bytes) throw new ReceiptError("call", "the call has half a surrogate pair");
    return bytes;
  });
  const all = new Uint8Array(fields.reduce((n, f) => n + 8 + f.length, 0));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const f of fields) {
    view.setBigUint64(at, BigInt(f.length));
    all.set(f, at + 8);
    at += 8 + f.length;
  }
  return "sha256:" + Array.from(await sha256(all), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** The only first part that a receipt of a key may have: none can name its own algorithm or key. @param {string} x */
async function headOf(x) {
  const id = base64url(await sha256(utf8.encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)));
  return { id, head: base64url(utf8.encode(`{"alg":"EdDSA","kid":"${id}","typ":"boundcheck-receipt+jwt"}`)) };
}

/**
 * Remembers in this process which receipts were used. If the limit of receipts that are still
 * valid is reached, it rejects: it never forgets one that could be accepted again.
 * @param {{ limit?: number, now?: () => number }} [options]
 */
export function memory({ limit = 100_000, now = () => Date.now() / 1000 } = {}) {
  /** @type {Map<string, number>} */
  const used = new Map();
  /** @param {string} id @param {number} until */
  return async (id, until) => {
    if (used.has(id)) return false;
    if (used.size >= limit) for (const [other, end] of used) if (now() > end) used.delete(other);
    if (used.size >= limit) throw new Error(`${limit} used receipts are still valid`);
    used.set(id, until);
    return true;
  };
}

/** @typedef {import("./receipt.js").KeySet} KeySet */

/**
 * Reads the gate's public keys: the JSON Web Key Set, parsed or as text, or words of the form
 * "ed25519:…".
 * @param {unknown} keys @returns {Promise<KeySet["keys"]>}
 */
async function readKeys(keys) {
  let set = keys;
  if (typeof keys === "string") {
    try {
      set = keys.trim().startsWith("{") ? JSON.parse(keys) : { keys: await Promise.all(keys.split(/\s+/).filter(Boolean).map(keyOf)) };
    } catch (e) {
      throw new TypeError("invalid keys: " + /** @type {Error} */ (e).message);
    }
  }
  const list = /** @type {KeySet | undefined} */ (set)?.keys;
  if (!Array.isArray(list) || list.length === 0) throw new TypeError("missing keys: want the JSON Web Key Set of the gate, parsed or as text, or words of the form ed25519:…");
  return list;
}

/** @param {string} word */
async function keyOf(word) {
  const bytes = word.startsWith("ed25519:") ? Uint8Array.from(atob(word.slice(8)), (c) => c.charCodeAt(0)) : new Uint8Array();
  if (bytes.length !== 32 || btoa(String.fromCharCode(...bytes)) !== word.slice(8)) throw new Error("want ed25519: and then 32 bytes in base64");
  const x = base64url(bytes);
  return { kty: "OKP", crv: "Ed25519", alg: "EdDSA", x, kid: (await headOf(x)).id };
}

const OPTIONS = new Set(["keys", "issuer", "tenant", "audience", "decisions", "leeway", "spend", "now"]);

/**
 * Returns a function that resolves only if a text is a receipt for exactly this tool, these bytes
 * of arguments, this server and this time, and was not used before. Then it is used. Run what you
 * verified: JSON.parse of the same text. If it rejects, run nothing.
 * @param {import("./receipt.js").VerifierOptions} options
 * @returns {Promise<import("./receipt.js").Verify>}
 */
export async function createVerifier(options) {
  for (const name of Object.keys(options)) if (!OPTIONS.has(name)) throw new TypeError(`unknown option ${JSON.stringify(name)}: want ${[...OPTIONS].join(", ")}`);
  const { issuer, tenant, audience = "", decisions = ["approved"], leeway = 5, now = () => Date.now() / 1000 } = options;
  const spend = options.spend ?? memory({ now });
  if (!issuer || !tenant) throw new TypeError("missing issuer or tenant");
  if (!(leeway >= 0 && leeway <= 60)) throw new TypeError("invalid leeway: want 0 to 60 seconds");
  /** @type {Map<string, CryptoKey>} */
  const heads = new Map();
  for (const [i, { kty, crv, alg, x, kid }] of (await readKeys(options.keys)).entries()) {
    const { id, head } = await headOf(String(x));
    if (kty !== "OKP" || crv !== "Ed25519" || alg !== "EdDSA" || kid !== id || decodeExactly(String(x))?.length !== 32) throw new TypeError(`invalid keys: key ${i} is not an Ed25519 key of a gate`);
    heads.set(head, await crypto.subtle.importKey("jwk", { kty, crv, x }, { name: "Ed25519" }, false, ["verify"]));
  }
  return async (text, tool, args) => {
    if (typeof args !== "string" && !(args instanceof Uint8Array)) throw new ReceiptError("call", "the arguments are not the text that was signed: want the string or the bytes of _meta[META_ARGUMENTS], not a parsed object");
    const receipt = await read(text, heads);
    const at = now();
    const until = receipt.exp + leeway;
    if (receipt.iss !== issuer || receipt.tenant !== tenant) throw new ReceiptError("issuer", "it is of another issuer or tenant");
    if ((receipt.aud ?? "") !== audience) throw new ReceiptError("audience", "it is for another server");
    if (receipt.tool !== tool) throw new ReceiptError("call", "it is for another tool");
    if (receipt.digest !== (await digest(tool, args))) throw new ReceiptError("call", "it is for other arguments");
    if (!(at >= receipt.iat - leeway)) throw new ReceiptError("early", "it is not valid yet");
    if (!(at < until)) throw new ReceiptError("expired", "it has expired");
    if (!decisions.includes(receipt.decision)) throw new ReceiptError("decision", "the call was decided in another way than this server wants");
    if ((await spend(receipt.jti, until)) !== true) throw new ReceiptError("used", "it was used before");
    return receipt;
  };
}

/**
 * Checks form and signature.
 * @param {string} text @param {Map<string, CryptoKey>} heads @returns {Promise<import("./receipt.js").Receipt>}
 */
async function read(text, heads) {
  const parts = typeof text === "string" && text.length <= MOST_TEXT ? text.split(".") : [];
  if (parts.length !== 3) throw new ReceiptError("form", "it is not a compact JWS");
  const key = heads.get(parts[0]);
  if (!key) throw new ReceiptError("key", "it does not begin as a receipt of a known key does");
  const payload = decodeExactly(parts[1]);
  const signature = decodeExactly(parts[2]);
  if (!payload || signature?.length !== 64) throw new ReceiptError("form", "it is not base64url without padding");
  if (!(await crypto.subtle.verify({ name: "Ed25519" }, key, /** @type {BufferSource} */ (signature), utf8.encode(parts[0] + "." + parts[1])))) throw new ReceiptError("signature", "the signature is wrong");
  let r;
  try {
    r = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    r = null;
  }
  /** @param {unknown} s */
  const filled = (s) => typeof s === "string" && s !== "";
  if (!r || !["iss", "jti", "tenant", "tool", "digest", "decision"].every((name) => filled(r[name])) || !Number.isSafeInteger(r.iat) || !Number.isSafeInteger(r.exp) || r.iat <= 0 || r.exp <= r.iat) {
    throw new ReceiptError("form", "the gate signed something that is no receipt");
  }
  return r;
}
