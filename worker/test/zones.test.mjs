// Checks the Worker's clock of time zones with the table that the native gate's clock is
// checked with.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { zoneOffset } from "../edge/zones.mjs";

test("time zones", () => {
  const cases = JSON.parse(readFileSync(new URL("../gate/testdata/zones.json", import.meta.url), "utf8"));
  assert.ok(cases.length > 10);
  for (const { zone, at, offset, unknown } of cases) {
    assert.equal(zoneOffset(zone, Date.parse(at)), unknown ? null : offset, `${zone} at ${at}`);
  }
});
