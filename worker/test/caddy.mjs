#!/usr/bin/env node
// Stands for "caddy reverse-proxy --from NAME:PORT --to HOST:PORT" in newcomer.test.mjs, with
// the certificate in CERTIFICATE: TLS outside, plain http inside, the host's name passed on.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";

const [, , mode, , from, , to] = process.argv;
if (mode !== "reverse-proxy") throw new Error(`unknown command ${mode}`);
const pem = readFileSync(process.env.CERTIFICATE);
const [host, port] = to.split(":");
createServer({ key: pem, cert: pem }, (outer, answer) => {
  const inner = request({ host, port, method: outer.method, path: outer.url, headers: outer.headers }, (a) => {
    answer.writeHead(a.statusCode, a.headers);
    a.pipe(answer);
  });
  inner.on("error", () => answer.writeHead(502).end());
  outer.pipe(inner);
}).listen(from.split(":")[1], "127.0.0.1");
