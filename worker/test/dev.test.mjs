// "make worker-dev" detects that workerd has died, says what is lost, and starts again.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildWorker, freePort, missing, root, scratch, start } from "./processes.mjs";

const skip = missing() ? `SKIPPED: ${missing()}` : process.platform !== "linux" && "SKIPPED: needs /proc";

// children returns the processes below another one, with number and name.
function children(pid) {
  const all = [];
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, comm, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, "utf8"));
      if (Number(rest.split(" ")[1]) === pid) all.push([Number(name), comm], ...children(Number(name)));
    } catch {
      // it has ended
    }
  }
  return all;
}

test("worker-dev: a dead workerd is noticed", { skip, timeout: 600_000 }, async () => {
  const place = scratch();
  const port = await freePort();
  const env = { BOUNDCHECK_DEV_ENTRY: buildWorker(place.dir), BOUNDCHECK_DEV_ASSETS: place.site, BOUNDCHECK_DEV_STATE: join(place.dir, "state"), XDG_CONFIG_HOME: join(place.dir, "config") };
  const dev = await start(process.execPath, [join(root, "worker", "dev", "dev.mjs"), String(port)], { ready: /"url":"([^"]+)"/, env, wait: 120_000 });
  try {
    assert.match(dev.log, /the queue is in the memory of workerd/);
    // wrangler may hold a request while its workerd is dead
    const healthy = async () => (await fetch(`http://localhost:${port}/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null))?.headers.get("content-type")?.startsWith("application/json");
    const until = async (what, ms) => {
      for (const end = Date.now() + ms; Date.now() < end; await new Promise((later) => setTimeout(later, 200))) if (await what()) return true;
      return false;
    };
    assert.ok(await until(healthy, 60_000), dev.log.slice(-3000));
    const workers = children(dev.pid).filter(([, name]) => name === "workerd");
    assert.ok(workers.length > 0, "no workerd");
    for (const [pid] of workers) process.kill(pid, "SIGKILL");
    await until(() => /starting again/.test(dev.log), 120_000);
    assert.match(dev.log, /workerd has died|starting again/);
    assert.ok(await until(healthy, 300_000), dev.log.slice(-3000));
  } finally {
    await dev.stop();
    for (const [pid] of children(dev.pid)) process.kill(pid, "SIGKILL");
    place.remove();
  }
});
