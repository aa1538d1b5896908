// The Worker in real workerd: every route and refusal, and for files of testdata the same
// bytes as the native server. BOUNDCHECK_FILES can name more files to compare, separated as
// in PATH.
//
// Everything runs twice: on the core at module scope, and with CORE=off on the handler
// that starts a Go instance for each request. doors.test.mjs scores every file on the core,
// so a tenth of the files is compared here on each way, another one on the handler; with
// BOUNDCHECK_LONG=1 all of them.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { buildWorker, config, edge, missing, native, quiet, root, scratch, send, wrangler } from "./processes.mjs";

const limits = { "/v1/score": 5 << 20, "/v1/check": 1 << 20 };
const gzipLimit = 6475; // KiB of the scripts with all that the gate, its proxies and batches need; the platform allows 64 MiB uncompressed, and until 2026 allowed 3 MiB of gzip on its free plan
const skip = missing();
if (skip) console.error(`\n*** SKIPPED: the Worker's tests: ${skip}\n`);

// bodies are requests that are compared in addition to the files.
const bodies = {
  "an empty body": "",
  "white space": " \n",
  "truncated JSON": '[{"name":"get_order","arguments":{"id":',
  "invalid UTF-8": Uint8Array.of(0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d),
  "a byte order mark": "\ufeff[]",
  "a PNG": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13),
  "deep nesting": "[".repeat(200_000),
  "a list of actions": '[{"name":"get_order","arguments":{"id":9007199254740993}}]',
  "an envelope": '{"trace":[{"name":"cancel_order","arguments":{"id":1}}],"reference":[{"name":"cancel_order","arguments":{"id":2}}]}',
  "a tool call": '{"tool":"cancel_order","arguments":{"order_id":"#W1","note":"<&>\\u202e\u2028é"}}',
  "an unknown tool": '{"tool":"frobnicate","arguments":"{\\"a\\":1.0}"}',
  "at the limit": new Uint8Array(limits["/v1/score"]).fill(0x20),
  "over the limit": new Uint8Array(limits["/v1/score"] + 1).fill(0x20),
};

function files() {
  const found = (process.env.BOUNDCHECK_FILES ?? "").split(delimiter).filter(Boolean);
  const data = join(root, "testdata");
  if (existsSync(data)) {
    for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) found.push(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  return found.sort();
}

/** The files whose bytes are compared: those that are named, and every tenth from first. */
function some(all, first) {
  const named = (process.env.BOUNDCHECK_FILES ?? "").split(delimiter);
  return process.env.BOUNDCHECK_LONG ? all : all.filter((file, i) => i % 10 === first || named.includes(file));
}

// huge makes the core's memory grow beyond the limit above which the shell drops the
// core.
const huge = () =>
  JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: ["get_order", "cancel_order", "list_items"][i % 3], arguments: { id: i % 97, note: "x".repeat(99) } })));

// post asks again when the connection was closed: a Worker that refuses a body before its
// end closes it, perhaps while the next request is on its way. These requests change
// nothing. A stream is given as a function that makes it.
const post = async (url, path, body, init = {}) => {
  for (let tries = 0; ; tries++) {
    const made = typeof init.body === "function" ? { ...init, body: init.body() } : init;
    try {
      return await send(url + path, { method: "POST", body, ...made });
    } catch (e) {
      const again = !((made.body ?? body) instanceof ReadableStream) || made !== init;
      if (!again || tries === 3 || !["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(e.cause?.code)) throw e;
    }
  }
};

// chunked sends a body without announcing its length.
function chunked(bytes) {
  const body = () => {
    let at = 0;
    return new ReadableStream({
      pull(to) {
        if (at >= bytes.length) return to.close();
        to.enqueue(bytes.subarray(at, (at += 65536)));
      },
    });
  };
  return { body, duplex: "half" };
}

async function refused(response, status, code) {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(JSON.parse(text).error.code, code, text);
  assert.ok(text.endsWith("}\n"), "one newline at the end");
  dressed(response);
}

function dressed(response) {
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("access-control-allow-origin"), null);
}

async function same(one, other, path, body) {
  const [a, b] = await Promise.all([post(one, path, body), post(other, path, body)]);
  const [x, y] = [Buffer.from(await a.arrayBuffer()), Buffer.from(await b.arrayBuffer())];
  assert.equal(a.status, b.status);
  assert.ok(x.equals(y), `the Worker says\n${x}\nand the native server\n${y}`);
}

describe("worker", { skip: skip || false, timeout: 1_800_000 }, () => {
  let tmp, entry, plain;
  before(async () => {
    tmp = scratch();
    entry = buildWorker(tmp.dir);
    plain = await native(tmp.dir);
  });
  after(async () => {
    await plain?.stop();
    tmp?.remove();
  });

  for (const [way, flags] of Object.entries({ core: [], handler: ["--var", "CORE:off"] })) {
    describe(way, () => {
      let worker, url;
      before(async () => {
        worker = await edge(entry, tmp, flags);
        url = worker.url;
      });
      after(() => worker?.stop());

      test("health", async () => {
        const response = await fetch(url + "/healthz");
        const got = await response.json();
        assert.equal(response.status, 200);
        assert.equal(got.ok, true);
        assert.equal(got.name, "boundcheck");
        assert.ok(got.methods.includes("score") && got.methods.includes("check"));
        dressed(response);
        assert.deepEqual(got, await (await fetch(plain.url + "/healthz")).json());
        const head = await fetch(url + "/healthz", { method: "HEAD" });
        assert.equal(head.status, 200);
        assert.equal(await head.text(), "");
      });

      test("score and check answer", async () => {
        for (const [path, schema, body] of [
          ["/v1/score", "boundcheck.report/1", bodies["a list of actions"]],
          ["/v1/check", "boundcheck.check/1", bodies["a tool call"]],
        ]) {
          const response = await post(url, path, body);
          const text = await response.text();
          assert.equal(response.status, 200, text);
          assert.equal(JSON.parse(text).schema, schema);
          dressed(response);
        }
      });

      test("static page", async () => {
        const response = await fetch(url + "/");
        assert.equal(response.status, 200);
        assert.match(await response.text(), /playground/);
      });

      test("unknown path is 404", async () => {
        for (const path of ["/nothing", "/v1/", "/v1/nothing", "/v1/score/"]) {
          await refused(await fetch(url + path), 404, "unknown-method");
          await refused(await post(url, path, "{}"), 404, "unknown-method");
        }
      });

      test("wrong method is 405", async () => {
        for (const [path, allow, methods] of [
          ["/v1/score", "POST", ["GET", "PUT", "DELETE", "OPTIONS"]],
          ["/v1/check", "POST", ["GET", "PATCH"]],
          ["/healthz", "GET, HEAD", ["POST", "DELETE"]],
        ]) {
          for (const method of methods) {
            const response = await fetch(url + path, { method });
            assert.equal(response.headers.get("allow"), allow, `${method} ${path}`);
            await refused(response, 405, "unknown-method");
          }
          if (allow === "POST") assert.equal((await fetch(url + path, { method: "HEAD" })).status, 405);
        }
      });

      test("bad input is 400", async () => {
        for (const body of ["", "[", bodies["a PNG"], bodies["deep nesting"]]) {
          await refused(await post(url, "/v1/score", body), 400, "invalid-input");
          await refused(await post(url, "/v1/check", body), 400, "invalid-input");
        }
      });

      test("compressed body is 415", async () => {
        const response = await post(url, "/v1/score", "x", { headers: { "content-encoding": "gzip" } });
        await refused(response, 415, "invalid-input");
      });

      test("over the limit is 413", async () => {
        for (const [path, limit] of Object.entries(limits)) {
          for (const wrap of [(b) => ({ body: b }), chunked]) {
            const fits = await post(url, path, null, wrap(new Uint8Array(limit).fill(0x20)));
            assert.notEqual(fits.status, 413);
            await fits.arrayBuffer();
            await refused(await post(url, path, null, wrap(new Uint8Array(limit + 1).fill(0x20))), 413, "too-large");
          }
        }
      });

      test("requests at once do not mix", async () => {
        const ask = async (i) => {
          const body = JSON.stringify({ tool: `delete_thing_${i}`, arguments: { i, fill: "x".repeat(i * 997) } });
          await same(url, plain.url, "/v1/check", body);
        };
        await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)));
      });

      test("a client that leaves harms nobody", async () => {
        const leave = new AbortController();
        const body = new ReadableStream({
          async pull(to) {
            if (leave.signal.aborted) return to.close();
            to.enqueue(new Uint8Array(1000));
            await new Promise((resolve) => setTimeout(resolve, 20));
          },
        });
        const gone = post(url, "/v1/score", body, { duplex: "half", signal: leave.signal });
        setTimeout(() => leave.abort(), 200);
        await assert.rejects(gone);
        // This process may still hold the broken connection in its pool. Then the next
        // call fails and is made again, as every client does.
        const next = () => same(url, plain.url, "/v1/check", bodies["a tool call"]);
        await next().catch((e) => (["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(e.cause?.code) ? next() : Promise.reject(e)));
      });

      test("after a huge trace there is a new core", async () => {
        await same(url, plain.url, "/v1/score", huge());
        await same(url, plain.url, "/v1/score", bodies["an envelope"]);
      });

      for (const [name, body] of Object.entries(bodies)) {
        test(`same bytes as native: ${name}`, async () => {
          await same(url, plain.url, "/v1/score", body);
          await same(url, plain.url, "/v1/check", body);
        });
      }

      const data = some(files(), way === "core" ? 0 : 5);
      if (!data.length) console.error("\n*** SKIPPED: no file in testdata to compare\n");
      test("same bytes as native: testdata", { skip: data.length ? false : "no file in testdata" }, async (t) => {
        for (const file of data) {
          await t.test(relative(root, file), async () => {
            const body = readFileSync(file);
            await same(url, plain.url, "/v1/score", body);
            await same(url, plain.url, "/v1/check", body);
          });
        }
      });

      test("nothing went wrong inside", () => {
        const wrong = worker.log.split("\n").filter((line) => /core:|uncaught|panic|exited/i.test(line));
        assert.deepEqual(wrong, []);
      });
    });
  }

  test("size", () => {
    const out = execFileSync(wrangler, ["deploy", entry, "-c", config, "--assets", tmp.site, "--dry-run", "--outdir", join(tmp.dir, "bundle")], {
      encoding: "utf8",
      env: { ...process.env, ...quiet, XDG_CONFIG_HOME: join(tmp.dir, "config") },
    });
    const [line, size] = out.match(/Total Upload: .*gzip: ([\d.]+) KiB/) ?? assert.fail(out);
    console.log(line);
    assert.ok(Number(size) <= gzipLimit, `${size} KiB gzip is over ${gzipLimit}`);
  });
});
