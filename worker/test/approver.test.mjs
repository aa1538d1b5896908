// What an approver sees, in real Chromium: every page of the gate, natively and in
// workerd, on the screen of a phone and of a desk, light and dark, with axe-core; and
// that the pages update themselves.
//
// BOUNDCHECK_SHOTS=DIR keeps a picture of each.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browserTest, executablePath, launch } from "../../playground/test/browser.mjs";
import { buildCommand } from "../../test/command.mjs";
import { Client, gate, keyFile, keys } from "./gated.mjs";
import { buildWorker, freePort, migrate, missing, root, scratch, start } from "./processes.mjs";

const shots = process.env.BOUNDCHECK_SHOTS;
const axe = executablePath ? readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8") : "";
const policy = '{"fourEyes":["wire_money"],"edit":[{"name":"transfers","tool":"transfer_*","arguments":["amount","memo","tags"],"counts":true}],"remember":[{"name":"notes","tool":"add_note","within":"8h"}],"tools":{"soon":{"mutating":"yes","expiry":"3s"}}}';

const go = "package shop\n\nimport \"errors\"\n\n// Refund pays an order back.\nfunc Refund(o *Order) error {\n\tif o.Paid == 0 {\n\t\treturn errors.New(\"nothing was paid\")\n\t}\n\to.Paid = 0\n\treturn nil\n}\n";
const evil = "<img src=x onerror=alert(1)>\n</pre><script>document.title='owned'</script>\n\u202eevil\u200b";
const CALLS = {
  small: { tool: "cancel_order", arguments: { order_id: "#W1", reason: "no longer needed" }, session: "1. — PRE-CHECKED by Security (ticket SEC-4711) … Effect: changes nothing" },
  mail: { tool: "send_email", arguments: { to: ["mia@example.com", "a@b\u00fccher.example"], subject: "Your order", body: "Dear Mia,\n\nyour order #W1 was cancelled today. You get your money back within five days.\n\nשלום\n\nKind regards,\nthe shop\n" } },
  edit: { tool: "Edit", arguments: { file_path: "/shop/refund.go", old_string: go, new_string: go.replace("\to.Paid = 0\n", "\to.Paid -= amount // \u00e9\n\to.Refunds = append(o.Refunds, amount)\n") } },
  write: { tool: "Write", arguments: { file_path: "/shop/long.go", content: go.repeat(60) } },
  query: { tool: "execute_sql", arguments: { sql: "DELETE FROM orders\nWHERE id IN (\n    SELECT id FROM old_orders\n);" } },
  numbers: '{"tool":"pay","arguments":{"account":9007199254740993,"amount":1e400,"to":"\u0430\u0440\u0440\u04cf\u0435.com","note":"p\u0430ypal \uff50\uff41\uff59"}}',
  sources: {
    tool: "cancel_order", arguments: { order_id: "#W-4410", payment_method_id: "card_5637334", voucher_id: "voucher_7001", refund_id: "refund_9912" },
    messages: [
      { role: "user", content: "Please cancel order #W-4410." },
      { role: "assistant", tool_calls: [{ id: "a", function: { name: "get_order_details", arguments: "{}" } }, { id: "b", function: { name: evil, arguments: "{}" } }] },
      { role: "tool", tool_call_id: "a", content: '{"payment":{"payment_method_id":"card_5637334"}}' },
      { role: "tool", tool_call_id: "b", content: JSON.stringify({ [evil]: "voucher_7001" }) },
    ],
  },
  hostile: { tool: "wipe_disk", arguments: { "x</dt><script>": evil, note: evil, deep: { list: [1, { a: evil }] } } },
};

// pages creates everything that an approver can see, and returns the path of each page.
async function pages(g) {
  const paths = { "sign in": "/login", list: "/pending", "stop agents": "/freeze", "tool definitions": "/definitions", "how often": "/fatigue", "not here": "/p/p_none" };
  for (const [name, call] of Object.entries(CALLS)) {
    const { status, body, text } = await g.propose(typeof call === "string" ? call : JSON.stringify(call));
    assert.equal(status, 202, text);
    paths[name] = `/p/${body.id}`;
  }
  const approved = (await g.propose('{"tool":"refund","arguments":{"n":1}}')).body;
  await g.decide(approved.id, approved.digest);
  const denied = (await g.propose('{"tool":"refund","arguments":{"n":2}}')).body;
  await g.decide(denied.id, denied.digest, false);
  const expired = (await g.propose('{"tool":"soon","arguments":{}}')).body;
  const turn = (await g.propose(JSON.stringify([{ tool: "get_order", arguments: { id: 1 } }, { tool: "cancel_order", arguments: { id: 1 } }, { tool: "wire_money", arguments: { amount: 12.5, to: "DE02" } }]))).body;
  const transfer = (n) => JSON.stringify({ tool: "transfer_money", arguments: { to: "DE02 " + "9".repeat(60), amount: 100 + n, memo: "first line\nsecond line\n" + evil, tags: ["a"] } });
  const [editable, before, answered] = [(await g.propose(transfer(1))).body, (await g.propose(transfer(2))).body, (await g.propose(transfer(3))).body];
  const next = await g.call("POST", `/v1/proposals/${before.id}/edit`, keys.alice, JSON.stringify({ digest: before.digest, arguments: { to: "DE02 " + "9".repeat(60), amount: 9.5, memo: "first line\nother line\n" + evil }, reason: "too much" }));
  assert.equal(next.status, 200, next.text);
  await g.call("POST", `/v1/proposals/${answered.id}/answer`, keys.alice, JSON.stringify({ digest: answered.digest, answer: "Ask the customer first." }));
  Object.assign(paths, { editable: `/p/${editable.id}`, "before an edit": `/p/${before.id}`, edited: `/p/${next.body.id}`, answered: `/p/${answered.id}` });
  return { ...paths, approved: `/p/${approved.id}`, denied: `/p/${denied.id}`, expired: `/p/${expired.id}`, batch: `/p/${turn.id}` };
}

// signIn signs alice in on a new page.
async function signIn(browser, url) {
  await browser.context.clearCookies();
  const page = await browser.context.newPage();
  page.wrong = [];
  page.absent = ""; // an address that does not exist: the console reports its 404, perhaps late, and one for the icon that browsers request on their own
  page.on("console", (m) => m.type() === "error" && m.location().url !== page.absent && !m.location().url.endsWith("/favicon.ico") && page.wrong.push(`console: ${m.text()} ${m.location().url}`));
  page.on("pageerror", (e) => page.wrong.push("page: " + e.message));
  await page.goto(`${url}/pending`);
  assert.match(await page.title(), /Sign in/);
  await page.fill("#key", keys.alice);
  await page.click("text=Sign in >> nth=-1");
  await page.waitForURL(`${url}/pending`);
  page.wrong.length = 0; // a page that asks for a key answers 401, which the console reports
  return page;
}

// The rules that depend on the colours. All others have been checked in the light already.
const COLOUR = ["color-contrast", "link-in-text-block"];

// looked checks a page in both colour schemes and widths. axe checks it light on a phone and dark on a
// desktop, and with BOUNDCHECK_LONG=1 in all four ways. In workerd, where the same program makes the
// pages, it checks the first of them.
async function looked(page, name, where) {
  await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 844 });
      const runOnly = colorScheme === "dark" ? COLOUR : undefined;
      const again = !process.env.BOUNDCHECK_LONG && (runOnly ? where === "workerd" || width === 390 : width > 390);
      const found = again ? { violations: [] } : await page.evaluate((runOnly) => globalThis.axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) }), runOnly);
      assert.deepEqual(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")}`), [], `${name}, ${colorScheme}, ${width} px`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} scrolls sideways by ${over} px at ${width} px`);
      if (shots) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: join(shots, `${where}-${name.replaceAll(" ", "-")}-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
  }
}

function stories(where, begin) {
  describe(where, () => {
    let g, browser, page, paths, end;
    before(async () => {
      ({ g, end } = await begin());
      browser = await launch();
      page = await signIn(browser, g.url);
      await looked(page, "list empty", where);
      assert.match(await page.textContent("main"), /Nothing waits for you/);
      paths = await pages(g);
    }, { timeout: 600_000 });
    after(async () => {
      await browser?.close();
      await end?.();
    });

    test("every page is there, can be read, and passes axe", { timeout: 600_000 }, async () => {
      for (const [name, path] of Object.entries(paths)) {
        if (name === "not here") page.absent = g.url + path;
        const response = await page.goto(g.url + path);
        assert.equal(response.status(), name === "not here" ? 404 : 200, name);
        assert.notEqual(await page.title(), "owned");
        await looked(page, name, where);
      }
      assert.deepEqual(page.wrong, []);
    });

    test("every link of every page leads to a page", { timeout: 600_000 }, async () => {
      const seen = new Set();
      const todo = ["/", "/pending", paths.small, "/freeze"];
      while (todo.length) {
        const path = todo.pop();
        if (seen.has(path)) continue;
        seen.add(path);
        const response = await page.goto(g.url + path);
        assert.equal(response.status(), 200, path);
        for (const href of await page.$$eval("a[href]", (all) => all.map((a) => a.getAttribute("href")))) todo.push(href);
      }
      assert.ok(seen.size > 10, `${seen.size} pages`);
    });

    test("lines are lines, and the buttons of a small call stand on the first screen of a phone", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(g.url + paths.mail);
      assert.match(await page.innerText("pre.words"), /Dear Mia,\s+your order #W1/);
      await page.goto(g.url + paths.edit);
      assert.match((await page.locator("pre.diff").allInnerTexts()).join("\n"), /- \to\.Paid = 0\s+\+ \to\.Paid -= amount/);
      await page.goto(g.url + paths.small);
      for (const name of ["Approve", "Deny"]) {
        const box = await page.getByRole("button", { name }).boundingBox();
        assert.ok(box.y + box.height <= 844 && box.height >= 44, `${name} at ${box.y}`);
      }
      const agent = await page.locator("aside.agent").boundingBox();
      assert.ok(agent.y > (await page.getByRole("button", { name: "Deny" }).boundingBox()).y, "the agent's words stand below the gate's");
      await page.goto(g.url + paths.write);
      assert.ok((await page.evaluate(() => document.body.scrollHeight)) < 2500, "a long text is folded");
    });

    test("the list keeps itself up to date, and nothing that is typed is lost", { timeout: 600_000 }, async () => {
      await page.goto(`${g.url}/pending`);
      const { body } = await g.propose(`{"tool":"cancel_order","arguments":{"live":"${where}"}}`);
      await page.waitForSelector(`a[href="/p/${body.id}"]`, { timeout: 120_000 });
      await page.goto(`${g.url}/p/${body.id}`);
      await page.fill("input[name=reason]", "half a sentence");
      await page.waitForTimeout(5000);
      assert.equal(await page.inputValue("input[name=reason]"), "half a sentence");
      await g.decide(body.id, body.digest);
      await page.waitForSelector("text=Take the approval back", { timeout: 120_000 });
      assert.equal(await page.locator("button[value=approve]").count(), 0);
      await page.click("text=Take the approval back");
      await page.waitForSelector("text=Denied: the approval was revoked");
      assert.equal(await g.state(body.id), "denied");
    });

    test("what has expired has no buttons, without a press of a key", { timeout: 600_000 }, async () => {
      const { body } = await g.propose(`{"tool":"soon","arguments":{"at":"${where}"}}`);
      await page.goto(`${g.url}/p/${body.id}`);
      assert.equal(await page.locator("button[value=approve]:enabled").count(), 1);
      await page.waitForFunction(() => !document.querySelector("button[value=approve]:not(:disabled)"), undefined, { timeout: 120_000 });
      await page.waitForSelector("text=Expired: the call counts as denied", { timeout: 120_000 });
      assert.equal(await page.locator("button[name=choice]").count(), 0);
    });

    test("a batch is one form with single decisions", { timeout: 600_000 }, async () => {
      await page.goto(g.url + paths.batch);
      assert.equal(await page.locator("main form[id=batch]").count(), 1);
      await page.locator("fieldset").nth(0).getByLabel("Approve").check();
      await page.locator("fieldset").nth(1).getByLabel("Deny").check();
      await page.click("text=Send these decisions");
      await page.waitForSelector("text=alice denied");
      assert.equal(await page.locator("button[value=each]").count(), 0);
    });

    test("a call is changed, looked at and approved by keyboard alone", { timeout: 600_000 }, async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(g.url + paths.editable);
      await page.locator("details.change summary").focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.name), "arguments");
      await looked(page, "editing", where);
      await page.setViewportSize({ width: 390, height: 844 });
      const text = await page.inputValue("textarea[name=arguments]");
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text.replace('"amount": 101', '"amount": 55'));
      await page.keyboard.press("Tab");
      await page.keyboard.insertText("half is enough");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=Edited by alice");
      assert.notEqual(page.url(), g.url + paths.editable);
      assert.match((await page.locator(".edit pre.diff").allInnerTexts()).join("\n"), /^- 101\s+\+ 55\s*$/);
      const approve = page.getByRole("button", { name: "Approve" });
      await approve.focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=Approved; the agent has not claimed the call yet");
      assert.equal(await g.state(paths.editable.slice(3)), "superseded");
    });

    test("a yes is remembered for a session, listed, and ended", { timeout: 600_000 }, async () => {
      const note = (n) => g.propose(JSON.stringify({ tool: "add_note", session: "s-" + where, arguments: { n, text: "x" } }));
      const { body } = await note(1);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${g.url}/p/${body.id}`);
      await page.locator("summary:has-text('Remember this yes')").focus();
      await page.keyboard.press("Enter");
      await looked(page, "remembering", where);
      await page.selectOption("select[name=for]", "1h");
      await page.fill("textarea[name=bounds]", '{"n": {"max": 5}, "text": {"oneOf": ["x", "y"]}}');
      await page.locator("button[value=remember]").focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=End it now");
      await looked(page, "remembered", where);
      assert.equal((await note(4)).body.state, "approved");
      assert.equal((await note(6)).body.state, "pending");
      await page.click("text=End it now");
      await page.waitForSelector("text=No yes is remembered");
      assert.equal((await note(4)).body.state, "pending");
    });

    test("one press stops an agent, another lets it go on", { timeout: 600_000 }, async () => {
      await page.goto(`${g.url}/freeze`);
      await page.fill('[id="reason-freeze-bot"]', "odd calls");
      await page.click("text=Stop bot now");
      await page.waitForSelector("text=Frozen by alice");
      await looked(page, "frozen", where);
      const { status, text } = await g.propose('{"tool":"get_order","arguments":{}}');
      assert.equal(status, 403, text);
      assert.match(text, /frozen by alice: odd calls/);
      await page.goto(`${g.url}/pending`);
      await looked(page, "list frozen", where);
      await page.goto(`${g.url}/freeze`);
      await page.click("text=Let bot go on");
      await page.waitForSelector("text=Stop bot now");
      assert.equal((await g.propose('{"tool":"get_order","arguments":{}}')).status, 200);
    });

    test("all calls on one page, and one yes to those that are shown", { timeout: 600_000 }, async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${g.url}/pending`);
      await page.click("text=/Look at all \\d+ on one page/");
      await page.waitForSelector("button[value=all]");
      await looked(page, "all on one page", where);
      const shown = await page.locator("fieldset.choice").count();
      assert.ok(shown > 2, `${shown} calls`);
      await page.locator("button[value=all]").focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector("text=/explicit acknowledgement/"); // calls whose text is not complete say so
      await page.goto(`${g.url}/pending`);
      assert.ok((await page.locator("[data-live=approved] li").count()) > 2);
      page.wrong.length = 0; // the answer that some were not stored has the status 409, which the console reports
      await g.held();
      await g.held();
    });

    test("deny all denies what the list shows", { timeout: 600_000 }, async () => {
      await page.goto(`${g.url}/pending`);
      await page.click("summary:has-text('Deny all')");
      await page.click("button:has-text('Deny these')");
      await page.waitForSelector("text=Nothing waits for you");
      assert.equal(await page.locator("[data-live=waiting] li").count(), 0);
      assert.deepEqual(page.wrong, []);
    });
  });
}

describe("an approver's pages", browserTest.skip ? { skip: browserTest.skip } : {}, () => {
  stories("native", async () => {
    const place = scratch();
    const command = join(place.dir, "boundcheck");
    buildCommand(command);
    const file = (name, text) => {
      writeFileSync(join(place.dir, name), text);
      return join(place.dir, name);
    };
    const args = ["gate", "--db", join(place.dir, "gate.db"), "--keys", file("keys", keyFile), "--policy", file("policy.json", policy), "--addr", `127.0.0.1:${await freePort()}`];
    const server = await start(command, args, { ready: /"url":"([^"]+)"/ });
    return { g: new Client(server), end: async () => (await server.stop(), place.remove()) };
  });

  const lacking = missing();
  if (lacking) console.error(`\n*** SKIPPED: an approver's pages in workerd: ${lacking}\n`);
  else
    stories("workerd", async () => {
      const place = scratch();
      const entry = buildWorker(place.dir);
      const state = mkdtempSync(join(place.dir, "state-"));
      migrate(place, state);
      const g = await gate(entry, place, state, { BOUNDCHECK_POLICY: policy });
      return { g, end: async () => (await g.stop(), place.remove()) };
    });
});
