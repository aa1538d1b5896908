// The verifier of receipts, with the vectors of the Go package.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createVerifier, digest, memory, ReceiptError } from "../npm/receipt.js";
import { root } from "./build.mjs";

const vectors = JSON.parse(readFileSync(root + "worker/receipt/testdata/vectors.json", "utf8"));
const verifier = (x = {}) => createVerifier({
  keys: vectors.keys, issuer: x.issuer ?? vectors.issuer, tenant: x.tenant ?? vectors.tenant, audience: x.audience ?? vectors.audience,
  decisions: x.decisions, now: () => x.now ?? vectors.now, spend: x.spend,
});
const refused = (code) => (e) => e instanceof ReceiptError && (!code || e.code === code);

test("the vectors have the same outcome as in Go", async () => {
  assert.ok(vectors.cases.length > 35);
  for (const x of vectors.cases) {
    const verify = await verifier(x);
    const call = () => verify(x.receipt, x.tool ?? vectors.tool, x.arguments ?? vectors.arguments);
    if (x.refused) await assert.rejects(call, refused(x.refused), x.name);
    else {
      assert.equal((await call()).jti, "p_abc", x.name);
      await assert.rejects(call, refused("used"), x.name);
    }
  }
});

test("every single flipped bit is refused", { timeout: 600_000 }, async () => {
  const good = vectors.cases[0].receipt;
  const verify = await verifier();
  const flip = (text, i) => {
    const bytes = Buffer.from(text);
    bytes[i >> 3] ^= 1 << (i & 7);
    return bytes;
  };
  let tried = 0;
  const tries = async (text, call) => {
    for (let i = 0; i < 8 * Buffer.byteLength(text); i++, tried++) await assert.rejects(call(flip(text, i)), refused(), `bit ${i}`);
  };
  await tries(good, (b) => verify(b.toString("latin1"), vectors.tool, vectors.arguments));
  await tries(vectors.tool, (b) => verify(good, b.toString("latin1"), vectors.arguments));
  await tries(vectors.arguments, (b) => verify(good, vectors.tool, b));
  assert.ok(tried > 5000, `${tried} bits`);
  assert.equal((await verify(good, vectors.tool, Buffer.from(vectors.arguments))).tool, vectors.tool);
});

test("texts that are equal as bytes but not as values are refused", async () => {
  await assert.rejects(digest("x", '"\ud800"'), refused("call"));
  assert.notEqual(await digest("x", "\ufeff{}"), await digest("x", "{}"));
});

test("a receipt is used once, a full memory refuses, and a failing store runs nothing", async () => {
  const good = vectors.cases[0].receipt;
  const verify = await verifier();
  const all = await Promise.allSettled(Array.from({ length: 32 }, () => verify(good, vectors.tool, vectors.arguments)));
  assert.equal(all.filter((r) => r.status === "fulfilled").length, 1);
  let at = 0;
  const spend = memory({ limit: 2, now: () => at });
  assert.deepEqual([await spend("a", 60), await spend("b", 60), await spend("a", 60)], [true, true, false]);
  await assert.rejects(spend("c", 60));
  at = 61;
  assert.equal(await spend("c", 120), true);
  const broken = await verifier({ spend: () => { throw new Error("down"); } });
  await assert.rejects(broken(good, vectors.tool, vectors.arguments), /down/);
  for (const answer of [undefined, 1, "yes", null]) await assert.rejects((await verifier({ spend: () => answer }))(good, vectors.tool, vectors.arguments), refused("used"));
});

test("keys are taken parsed, as text, and as words of the key file, as in Go", async () => {
  const good = vectors.cases[0].receipt;
  const words = vectors.keys.keys.map((k) => "ed25519:" + Buffer.from(k.x, "base64url").toString("base64")).join("\n");
  for (const keys of [vectors.keys, JSON.stringify(vectors.keys), " " + JSON.stringify(vectors.keys, null, 1), words]) {
    const verify = await createVerifier({ keys, issuer: vectors.issuer, tenant: vectors.tenant, audience: vectors.audience, now: () => vectors.now });
    assert.equal((await verify(good, vectors.tool, vectors.arguments)).jti, "p_abc");
  }
  for (const keys of ["", "{", "{}", '{"keys":[]}', "[]", words + "A", words.slice(8), "ed25519:", "ed25519:!"]) {
    await assert.rejects(createVerifier({ keys, issuer: "i", tenant: "t" }), TypeError, keys);
  }
});

test("a misspelled option and parsed arguments are told in words", async () => {
  await assert.rejects(createVerifier({ keys: vectors.keys, issuer: "i", tenant: "t", audiance: "shop" }), /unknown option "audiance": want keys, issuer, /);
  const verify = await verifier();
  for (const args of [JSON.parse(vectors.arguments), undefined, null, 1]) {
    await assert.rejects(verify(vectors.cases[0].receipt, vectors.tool, args), (e) => refused("call")(e) && /want the string or the bytes/.test(e.message));
  }
});

test("settings that would accept too much are errors", async () => {
  const key = vectors.keys.keys[0];
  const good = { keys: vectors.keys, issuer: "i", tenant: "t" };
  for (const bad of [{ issuer: "" }, { tenant: "" }, { keys: undefined }, { keys: { keys: [] } }, { leeway: 61 }, { leeway: NaN },
    { keys: { keys: [{ ...key, kid: "x" }] } }, { keys: { keys: [{ ...key, kty: "oct" }] } }, { keys: { keys: [{ ...key, x: key.x + "=" }] } }]) {
    await assert.rejects(createVerifier({ ...good, ...bad }), TypeError);
  }
});
