import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildCommand } from "../../test/command.mjs";
import { acceptRow } from "../run/accept.js";
import { compareBoundaries } from "../lesson/boundaries.js";
import { hiddenChars } from "../base/dom.js";
import { csvText, svgText as file } from "../base/draw.js";
import { taskGrid, heatPicture, csvRows, topFindingType } from "../runs/heat.js";
import { codeOf, cutsOf, fleissKappa } from "../lesson/lesson_class.js";
import { dedent, differingPaths, leafTexts, memberNode, parseTree, tokenPieces } from "../base/json.js";
import { scoresPicture, findingsPicture, successPicture } from "../runs/pictures.js";
import { listsIn } from "../form/mapper.js";
import { nameFiles } from "../form/plugins.js";
import { readingText } from "../form/reading.js";
import { verdictClass, verdictText } from "../run/run.js";
import { entriesOf } from "../run/talk.js";
import { toolsCalled, toolsIn } from "../form/tools.js";
import { figureText, listText, plural } from "../base/words.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("the page and its server name one policy", async () => {
  const folder = new URL("../", import.meta.url);
  const text = (path) => readFile(new URL(path, folder), "utf8");
  const html = await text("index.html");
  const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)[1];
  assert.ok((await text("_headers")).includes(`Content-Security-Policy: ${policy}; frame-ancestors 'none'`));
});

test("the column of a run has each message, row and call once, in time order, and a missing step before the next call", () => {
  let seed = 7;
  const drawn = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 500; round++) {
    const turns = [];
    const steps = [];
    for (let n = drawn(8); n > 0; n--) {
      const role = ["system", "user", "assistant", "tool"][drawn(4)];
      const mine = role === "assistant" ? Array.from({ length: drawn(3) }, () => steps.push({ user: false }) - 1) : [];
      turns.push({ role, text: drawn(4) ? "words" : " ", answers: role === "tool" && drawn(2) === 1, steps: mine });
    }
    for (let n = drawn(3); n > 0; n--) steps.push({ user: false }); // in no message
    const rows = [];
    for (const [obs] of steps.entries()) {
      while (!drawn(4)) rows.push({ obs: null });
      if (drawn(6) || obs >= turns.flatMap((t) => t.steps).length) rows.push({ obs });
    }
    while (!drawn(3)) rows.push({ obs: null });
    const entries = entriesOf({ turns, steps }, rows);
    assert.deepEqual(entries.flatMap((e) => (e.row === undefined ? [] : [e.row])), rows.map((_, i) => i), "rows");
    const said = turns.flatMap((t, i) => (!t.answers && (t.text.trim() || !t.steps.length) ? [i] : []));
    assert.deepEqual(entries.flatMap((e) => (e.turn ? [e.message] : [])), said, "messages");
    const known = new Set(rows.map((row) => row.obs));
    assert.deepEqual(entries.flatMap((e) => (e.step === undefined ? [] : [e.step])), turns.flatMap((t) => t.steps).filter((step) => !known.has(step)), "calls that are no row");
    let at = -1; // the message that was passed last
    for (const e of entries) {
      if (e.turn) at = e.message;
      const owner = e.row === undefined ? -1 : turns.findIndex((t) => t.steps.includes(rows[e.row].obs));
      if (owner >= 0) assert.ok(said.filter((m) => m <= owner).every((m) => m <= at) && at <= owner, "a call stands after its message");
    }
    assert.equal(entries.filter((e) => e.first).length, turns.some((t, i) => t.role === "user" && said.includes(i)) ? 1 : 0);
  }
});

test("a reader's cuts as a code, and the agreement of a class", () => {
  for (let bits = 0; bits < 2 ** 11; bits++) {
    const cuts = new Set(Array.from({ length: 11 }, (_, i) => i + 1).filter((i) => bits & (2 ** (i - 1))));
    assert.deepEqual(cutsOf(codeOf(cuts), 11), cuts);
  }
  const code = codeOf(new Set([3, 5, 7, 11]));
  assert.equal(cutsOf(code.slice(0, -1) + (code.at(-1) === "a" ? "b" : "a"), 11), null, "the spelling");
  assert.equal(cutsOf(code, 4), null, "another lesson's");
  assert.equal(cutsOf("?", 11), null);
  const a = new Set([1, 2]), b = new Set([1, 3]);
  assert.equal(fleissKappa([a, a, a], 4), 1);
  assert.equal(fleissKappa([new Set(), new Set()], 4), null);
  assert.equal(fleissKappa([a, b], 4), 0); // half of the places agree, which is also the agreement by chance
});

test("the answers for teachers are those of the lessons", async () => {
  const text = await readFile(join(root, "docs/teach.md"), "utf8");
  for (const [n, folder] of [[1, "1-where-an-action-ends"], [8, "8-where-it-ends-in-code"]]) {
    const { boundaries, actions } = JSON.parse(await readFile(join(root, "playground/lessons", folder, "lesson.json"), "utf8"));
    const row = text.split("\n").findLast((line) => line.startsWith(`| ${n} |`));
    assert.deepEqual(row.match(/\d+/g).slice(1).map(Number), boundaries);
    for (const action of actions) assert.ok(row.toLowerCase().includes(action.toLowerCase()), action);
  }
  const { reference } = JSON.parse(await readFile(join(root, "playground/lessons/2-be-the-agent/lesson.json"), "utf8"));
  const names = JSON.stringify(reference).match(/"name":"\w+"/g).map((m) => m.slice(8, -1)).sort();
  assert.deepEqual(text.split("\n").findLast((line) => line.startsWith("| 2 |")).match(/`\w+`/g).map((m) => m.slice(1, -1)).sort(), names);
});

test("the lists in JSON of an unknown format", async () => {
  const pathsIn = async (value) => Object.fromEntries([...(await listsIn(JSON.stringify(value)))].map(([path, l]) => [path, l.objects]));
  const call = { tool: "a", input: { id: 1 } };
  const table = (n, entry) => Object.fromEntries(Array.from({ length: n }, (_, i) => ["id" + i, entry]));
  assert.deepEqual(await pathsIn({ cases: [{ log: [call, call] }, { log: [call] }] }), { cases: 2, "cases.#.log": 3 });
  assert.deepEqual(await pathsIn([[call, call], [call]]), { "#": 3 });
  assert.deepEqual(await pathsIn({ runs: table(8, [call]) }), { "runs.@values.#": 8 });
  assert.deepEqual(await pathsIn(table(9, { when: 1, log: [call] })), { "@values": 9, "@values.#.log": 9 });
  assert.deepEqual(await pathsIn({ a: table(7, { log: [call] }) }), Object.fromEntries(Object.keys(table(7)).map((id) => [`a.${id}.log`, 1])), "seven members are no table");
  assert.deepEqual(await pathsIn({ ...table(9, { log: [call] }), note: "x" }), Object.fromEntries(Object.keys(table(9)).map((id) => [id + ".log", 1])), "members of two kinds are no table");
  const lists = await listsIn(JSON.stringify(table(8, call)));
  assert.deepEqual([...lists.get("@values").members], [["tool", 8], ["input", 8], ["input.id", 8]]);
  assert.equal((await listsIn("[1, 2")).size, 0);
  assert.equal((await listsIn(JSON.stringify({ a: table(200_000, { b: 1 }) }))).get("a.@values").objects, 50_000, "at most 50,000 values are examined");
});

test("JSON is cut out of the text, never printed again", () => {
  const text = '{ "id": 9007199254740993, "x\\"": [1.0, {"a":"}\\\\"}], "e": {} }';
  const node = parseTree(text);
  assert.equal(node.text, text);
  assert.equal(memberNode(node, "id").text, "9007199254740993");
  assert.deepEqual([...leafTexts(node)], [["id", "9007199254740993"], ['x"[0]', "1.0"], ['x"[1].a', '"}\\\\"'], ["e", "{}"]]);
  assert.equal(parseTree('{"a":'), null);
  assert.equal(parseTree(" 12 ").text, "12");
  assert.equal(memberNode(parseTree('{"a":1,"a":2}'), "a").text, "2");
  assert.equal(parseTree("[".repeat(50_000) + "]".repeat(50_000)), null, "too deep to show, not a crash");
});

test("differences are leaf paths; the order of members is free", () => {
  const differ = (a, b) => [...differingPaths(parseTree(a), parseTree(b))];
  assert.deepEqual(differ('{"a":1,"b":[2,3]}', '{"b":[2,3],"a":1}'), []);
  assert.deepEqual(differ('{"a":1,"b":[2,4,5]}', '{"a":1,"b":[2,3]}'), ["b[1]", "b[2]"]);
  assert.deepEqual(differ('{"id":9007199254740993}', '{"id":9007199254740992}'), ["id"]);
});

test("a step is accepted in a reference of one call a line", () => {
  const call = (name) => ({ name, arguments: '{"id":1}' });
  const run = { observed: [call("a"), call("c")], reference: [call("a"), call("b")], alignment: [{ obs: 0, ref: 0 }, { obs: 1, ref: 1 }, { obs: null, ref: 1 }] };
  const step = (name) => ({ name, arguments: { id: 1 } });
  assert.deepEqual(JSON.parse(acceptRow("a(id=1)\nb(id=1)\n", run, 1)), [step("a"), { oneOf: [step("b"), step("c")] }]);
  assert.deepEqual(JSON.parse(acceptRow(JSON.stringify([step("a"), step("b")]), run, 2)), [step("a"), { optional: step("b") }]);
});

test("layout changes white space between tokens and nothing else", () => {
  const lay = (text, width) => Array.from(tokenPieces(parseTree(text), width, "k"), (p) => p.text).join("");
  assert.equal(lay('{"a b":\n   [1,\t2.0], "c":{}}'), '{"a b": [1, 2.0], "c": {}}');
  assert.equal(lay('[{"n":"x  y"},9007199254740993]', 10), '[\n  {\n    "n": "x  y"\n  },\n  9007199254740993\n]');
});

test("shared indentation goes", () => assert.equal(dedent("[\n    1,\n      2\n  ]"), "[\n  1,\n    2\n]"));

test("characters that do not show are named", () => {
  assert.deepEqual(hiddenChars("a\u202eb\u0000\u200b\n\t\u{e0041}\ud800 é 👍🏽"), ["U+202E", "U+0000", "U+200B", "U+E0041", "U+D800"]);
});

test("boundaries: both, mine, the reference's, and the tendency", () => {
  const check = (mine, reference, want) => {
    const got = compareBoundaries(new Set(mine), new Set(reference));
    assert.deepEqual([got.both, got.onlyMine, got.onlyReference, got.tendency], want);
  };
  check([], [], [[], [], [], "same"]);
  check([11, 3], [3, 11], [[3, 11], [], [], "same"]);
  check([1, 2, 3], [3], [[3], [1, 2], [], "finer"]);
  check([], [3, 5], [[], [], [3, 5], "coarser"]);
  check([4], [3], [[], [4], [3], "elsewhere"]);
});

test("the lesson's data hang together", async () => {
  const lesson = JSON.parse(await readFile(new URL("../lessons/1-where-an-action-ends/lesson.json", import.meta.url), "utf8"));
  const inner = lesson.steps.length - 1;
  assert.equal(lesson.actions.length, lesson.boundaries.length + 1);
  assert.deepEqual(Object.keys(lesson.why).map(Number), Array.from({ length: inner }, (_, i) => i + 1));
  assert.ok(lesson.boundaries.every((b, i, all) => b >= 1 && b <= inner && (i === 0 || b > all[i - 1])));
});

test("words", () => {
  assert.equal(listText(["a", "b", "c"]), "a, b and c");
  assert.equal(plural(1, "run"), "1 run");
  assert.equal(plural(2000, "run"), "2,000 runs");
  assert.deepEqual([1, 0.5, 0, 0.004].map(figureText), ["1.00", "0.50", "0.00", "0.004"]);
});

test("tools are found where a trace defines them, and cut out as they stand", () => {
  const tools = '[{"name": "a", "x": 9007199254740993}]';
  const check = (text, want) => assert.equal(toolsIn(text), want, text);
  check(`{"tools":${tools}}`, tools);
  check(`[{"messages":[]},{"request":{"body":{"tools":${tools}}}}]`, tools);
  check(`{"jsonrpc":"2.0","result":{"tools":${tools}}}\n{"more":1}`, tools);
  check(`{"messages":[],"tools":[{"type":"function","function":{"name":"b"}}]}`, '[{"type":"function","function":{"name":"b"}}]');
  check('{"tools":["a","b"]}', null);
  check('{"tools":[]}', null);
  check('{"tools":[{"description":"no name"}]}', null);
  check("no JSON at all", null);
});

test("without definitions the tools are those that were called, with the arguments they were given", () => {
  const run = (...observed) => ({ observed });
  const report = { trajectories: [run({ name: "pay", arguments: '{"id":1}' }, { name: "think", control: true }), run({ name: "pay", arguments: '{"sum":2}' }, { name: "", text: "go north" }, { name: "look" })] };
  const object = (...keys) => ({ type: "object", properties: Object.fromEntries(keys.map((k) => [k, {}])) });
  assert.deepEqual(JSON.parse(toolsCalled(report)), [{ name: "pay", parameters: object("id", "sum") }, { name: "look", parameters: object() }]);
  assert.equal(toolsCalled({ trajectories: [] }), null);
});

test("a plugin sees paths below the folder that was given", () => {
  const names = (...paths) => nameFiles(paths.map((path) => ({ path }))).map((f) => f.name);
  assert.deepEqual(names("env/retail/a.json", "env/airline/a.json"), ["retail/a.json", "airline/a.json"]);
  assert.deepEqual(names("retail/a.json", "retail/b.json"), ["a.json", "b.json"]);
  assert.deepEqual(names("retail/a.json", "airline/a.json"), ["retail/a.json", "airline/a.json"]);
  assert.deepEqual(names("a.json"), ["a.json"]);
  assert.deepEqual(names("a.json", "retail/b.json"), ["a.json", "retail/b.json"]);
});

const scored = (task, trial, success, types = [], more = {}) => ({ id: `${task}/${trial}`, task, trial, success, flagged: types.length > 0, violations: types.map((type) => ({ type })), metrics: { abs: { max: { scored: true, value: 0.5 } } }, ...more });

test("the map of tasks: by trial, by file, in order; none where no task has several runs", () => {
  const runs = [scored("a", 0, true), scored("a", 1, false, ["under-action"]), scored("b", 1, true)];
  const map = taskGrid({ trajectories: runs, input: {} });
  assert.deepEqual(map, { columns: ["Trial 0", "Trial 1"], rows: [{ task: "a", cells: [0, 1] }, { task: "b", cells: [undefined, 2] }] });
  const files = { files: [{ name: "x.json", trajectories: 2 }, { name: "y.json", trajectories: 1 }] };
  const byFile = [scored("a", 0, true), scored("b", 0, true), scored("a", 0, false)];
  assert.deepEqual(taskGrid({ trajectories: byFile, input: files }).columns, ["x.json", "y.json"]);
  assert.deepEqual(taskGrid({ trajectories: byFile, input: files }).rows[1].cells, [1, undefined]);
  const unnumbered = [scored("a", null, true), scored("a", null, true), scored("b", null, true)];
  assert.deepEqual(taskGrid({ trajectories: unnumbered, input: {} }).columns, ["Run 1", "Run 2"]);
  assert.equal(taskGrid({ trajectories: [scored("a", 0, true), scored("b", 0, true)], input: {} }), null);
  assert.equal(taskGrid({ trajectories: Array.from({ length: 100 }, (_, i) => scored(i < 50 ? "a" : "b", i, true)), input: {} }), null, "too wide");
});

test("a cell has the type that a run has most; hints and runs that are not flagged have none", () => {
  assert.equal(topFindingType(scored("a", 0, true, ["over-action", "under-action", "under-action"])), "under-action");
  assert.equal(topFindingType(scored("a", 0, true, ["over-action", "under-action"])), "over-action");
  assert.equal(topFindingType({ ...scored("a", 0, true, ["over-action"]), flagged: false }), "");
});

test("the map goes out as CSV and SVG, with hostile names as text", () => {
  const runs = [scored('=cmd|"x"', 0, true), scored('=cmd|"x"', 1, false, ["end-boundary"]), scored("</text><script>", 0, null)];
  const map = taskGrid({ trajectories: runs, input: {} });
  const lines = csvText(csvRows(map, runs)).split("\r\n");
  assert.equal(lines[1], `"'=cmd|""x""",Trial 0,"'=cmd|""x""/0",succeeded,false,,0,0.5`);
  assert.equal(lines.length, 5);
  const svg = file(heatPicture(map, runs));
  assert.ok(!svg.includes("<script>") && svg.includes("&#60;/text&#62;&#60;script&#62;") && svg.includes(">E</text>"));
});

test("pictures of many runs: bins, counts and intervals, in words and as rows", () => {
  const run = (value, success) => ({ success, metrics: { abs: { max: value === null ? { scored: false } : { scored: true, value } } } });
  const scores = scoresPicture({ trajectories: [run(1, true), run(0.95, false), run(0.3, false), run(0.299, null), run(0, null), run(null, true)] });
  assert.equal(scores.words, "Boundary scores of 5 runs. Runs with score 1: 1. Median: 0.30. Lowest: 0.00.");
  assert.deepEqual([1, 3, 4, 10].map((i) => scores.rows[i]), [[0, 0.1, 0, 0, 1], [0.2, 0.3, 0, 0, 1], [0.3, 0.4, 0, 1, 0], [0.9, 1, 1, 1, 0]]);
  assert.equal(scoresPicture({ trajectories: [run(1, true), run(null, true)] }), null);
  const broke = findingsPicture({ corpus: { violations: { total: 5, byType: { "end-boundary": 0, "under-action": 2, "over-action": 2, "</text><b>": 1 } } } });
  assert.deepEqual(broke.rows, [["type", "findings"], ["over-action", 2], ["under-action", 2], ["</text><b>", 1]]);
  assert.ok(!file(broke.picture).includes("<b>"));
  assert.equal(findingsPicture({ corpus: { violations: { total: 0, byType: {} } } }), null);
  const score = (value, low, high) => ({ scored: true, value, interval: low === undefined ? null : { low, high, level: 0.95 } });
  const won = successPicture({ corpus: { metrics: { sr: score(0.5, 0.4, 0.6), basr: { max: score(0.4) }, luckySuccess: { max: { scored: false } } } } });
  assert.equal(won.words, "Success 0.50 (0.40 to 0.60) and Success within bounds, with missing steps 0.40.");
  assert.deepEqual(won.rows, [["figure", "value", "low", "high"], ["sr", 0.5, 0.4, 0.6], ["basr", 0.4, "", ""]]);
  assert.equal(successPicture({ corpus: { metrics: { sr: score(0.5) } } }), null);
});

test("a row with hints alone is uncertain, not broken", async () => {
  const { rowsOf } = await import("../run/rows.js");
  const rows = [{ op: "substitution", obs: 0, ref: 0, verdict: "violation", hint: true }, { op: "match", obs: 1, ref: 1, verdict: "correct" }, { op: "insertion", obs: 2, ref: null, verdict: "violation" }];
  assert.deepEqual(rowsOf({ reference: [], alignment: rows }).map((row) => row.verdict), ["uncertain", "correct", "violation"]);
  assert.equal(rowsOf({ reference: [], alignment: rows.slice(1) }).length, 2);
});

test("the headline figure is the core's, and a report of an earlier version has none", async () => {
  const { withinScore } = await import("../run/figures.js");
  assert.deepEqual(withinScore({ metrics: { withinBounds: { scored: true, value: 0.7 } }, alignment: [], reference: [] }), { scored: true, value: 0.7 });
  assert.equal(withinScore({ metrics: {}, alignment: [], reference: [] }).scored, false);
});

test("a run is shown as good only if the core knows that it is", () => {
  const step = { op: "match", obs: 0, ref: 0, verdict: "correct" };
  for (const reference of [null, [{ name: "pay" }]])
    for (const verdict of [undefined, "Probably fine.", "Recorded as failed; no cause found."])
      for (const success of [true, false, null])
        for (const [flagged, passed] of [[true, false], [true, null], [true, undefined], [false, false], [false, null], [false, undefined], [false, true]]) {
          const run = { reference, verdict, flagged, passed, success, observed: [{ name: "pay" }], alignment: reference ? [step] : [], violations: [] };
          assert.equal(verdictClass(run), flagged ? "bad" : passed === true ? "good" : "ask");
          if (verdict) assert.equal(verdictText(run), verdict);
        }
});

test("the headline counts no step that the agent did not make", () => {
  const words = (...rows) => verdictText({ flagged: true, reference: [], violations: [{}], observed: [], alignment: rows.map((r) => ({ obs: r === "missing" ? null : 0, ref: 0, verdict: r === "correct" ? r : "violation" })) });
  assert.equal(words("missing"), "The agent took no step; 1 step of the reference was left out.");
  assert.equal(words("wrong", "correct"), "1 of 2 steps broke a boundary.");
  assert.equal(words("wrong", "missing", "missing"), "1 of 1 step broke a boundary; 2 steps of the reference were left out.");
  assert.equal(words("correct", "missing"), "None of 1 step broke a boundary, but 1 step of the reference was left out.");
  for (let seed = 1; seed < 500; seed++) { // a plain count
    const rows = Array.from({ length: 1 + (seed % 7) }, (_, i) => ["missing", "wrong", "correct"][Math.floor(seed / (i + 1)) % 3]);
    const of = (kind) => rows.filter((r) => r === kind).length;
    if (!of("wrong") && !of("missing")) continue;
    const [, bad, made] = words(...rows).match(/^(\d+|None) of (\d+) steps? broke/) ?? [];
    if (of("wrong") + of("correct")) assert.deepEqual([bad, Number(made)], [String(of("wrong") || "None"), of("wrong") + of("correct")], rows.join());
    else assert.equal(bad, undefined, rows.join());
    assert.equal(Number(words(...rows).match(/(\d+) steps? of the reference w/)?.[1] ?? 0), of("missing"), rows.join());
  }
});

test("a text for a coding agent does not tell a finding as a fact that a person marked as wrong", async () => {
  const { agentNote } = await import("../run/agentnote.js");
  const finding = (rule, person) => ({ rule, type: "over-action", confidence: 0.9, reason: `reason of ${rule}`, person });
  const run = { observed: [], violations: [finding("one", { right: false, comment: "gold members pay nothing" }), finding("two", { right: true }), finding("three")], story: [{ text: ["The first story."], findings: [0] }, { text: ["The second story."], findings: [1, 0] }] };
  const [facts, rest] = agentNote(run).split("## Not so");
  assert.doesNotMatch(facts, /reason of one|The first story/);
  assert.match(facts, /The second story[^]*reason of two\n {2}A person: right[^]*reason of three/);
  assert.match(rest, /A person marked[^]*reason of one\n {2}A person: wrong. gold members/);
});

test("a text for a coding agent hides what looks like a secret", async () => {
  const { agentNote } = await import("../run/agentnote.js");
  const key = "sk-proj-abcdefghijklmnop1234567890ABCDEFGH";
  const call = { name: "login", arguments: JSON.stringify({ user: "ada", inner: [{ password: "hunter2" }], key }) };
  const note = agentNote({ observed: [call], reference: [call], violations: [{ rule: "one", type: "over-action", confidence: 0.9, reason: `acted on "${key}"` }],
    story: [{ text: [`It sent ${key}.`], findings: [0], did: [{ index: 0 }], should: [{ index: 0 }], because: { message: 1, text: `The key is ${key}.` } }] }, `boundcheck score ${key}.json`);
  assert.ok(!note.includes(key) && !note.includes("hunter2") && note.includes('{"user": "ada", "inner": [{"password": "********"}], "key": "***'), note);
});

test("placeholders replace what looks like a secret, and errors hide it", async () => {
  const { hideSecrets, replacePersonalData } = await import("../form/scrub.js");
  const { SECRETS } = await import("../base/secrets.js");
  const key = "sk-proj-abcdefghijklmnop1234567890ABCDEFGH";
  const trace = JSON.stringify({ trace: [{ role: "user", content: `My password is hunter2. The key ${key} is new, and the token is wrong.` }, { role: "assistant", tool_calls: [{ function: { name: "send_mail", arguments: JSON.stringify({ api_key: key, password: "hunter2", pin: "x" }) } }] }], reference: [{ arguments: { password: "correcthorse" } }] });
  const { texts, changes } = replacePersonalData({ trace, config: "API_TOKEN=zz9plural" });
  for (const secret of [key, "hunter2", "correcthorse", "zz9plural"]) assert.ok(!(texts.trace + texts.config).includes(secret), secret);
  assert.match(texts.trace, /the token is wrong/);
  assert.equal(changes.filter((c) => c.kind === "secret").length, 4);
  const { trace: [said, did] } = JSON.parse(texts.trace);
  const held = JSON.parse(did.tool_calls[0].function.arguments);
  assert.ok(said.content.includes(held.password) && said.content.includes(held.api_key) && held.password !== held.api_key, "equal values stay equal");
  for (const mark of SECRETS.marks) assert.ok(!hideSecrets(`{"a": ${mark}Abcdefghij12}`).includes("Abc"), mark);
  for (const name of SECRETS.names) assert.equal(hideSecrets(`{"my_${name}": "open sesame"}`), `{"my_${name}": "***********"}`);
  for (const plain of ['{"id": "certificate_80"}', "a/very/long/path/with/9/numbers.txt", '{"tokens": 12}']) assert.equal(hideSecrets(plain), plain);
});

test("the page is green for exactly the runs of the table that passed, and says what the command and Markdown say", { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "boundcheck-passed-"));
  try {
    const command = join(folder, "boundcheck");
    buildCommand(command);
    const cases = JSON.parse(readFileSync(join(root, "testdata/doors/passed.json"), "utf8"));
    assert.ok(cases.length >= 12);
    for (const { case: name, trace, reference, passed } of cases) {
      writeFileSync(join(folder, "run.json"), typeof trace === "string" ? trace : JSON.stringify(trace)); // a string is a text in another notation
      if (reference) writeFileSync(join(folder, "reference.json"), JSON.stringify(reference));
      const report = JSON.parse(execFileSync(command, ["score", "run.json", "--format", "json", ...(reference ? ["--reference", "reference.json"] : [])], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      assert.equal(report.trajectories.length, 1, name);
      const [run] = report.trajectories;
      const [table, markdown] = ["table", "markdown"].map((format) => execFileSync(command, ["score", "run.json", "--format", format, ...(reference ? ["--reference", "reference.json"] : [])], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      const said = verdictText(run);
      assert.ok(table.includes(said), `${name}: the page says ${said}, and the command\n${table}`);
      assert.ok(markdown.replace(/\\([!-/:-@[-`{-~])/g, "$1").includes(said), `${name}: the page says ${said}, and Markdown\n${markdown}`);
      assert.equal(verdictClass(run) === "good", passed === true, `${name}: ${verdictText(run)}`);
      if (passed !== true) assert.doesNotMatch(verdictText(run), /Probably fine|kept (its|their) bound|No boundary broke/, name);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the line about the reading has the report's numbers, and says whenever something was not read as written", () => {
  let seed = 7;
  const draw = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const codes = ["own-reference-not-used", "kinds-bound", "calls-not-read", "row-not-read", "a-code-of-a-later-version"];
  for (let i = 0; i < 500; i++) {
    const runs = Array.from({ length: draw(4) }, () => ({ observed: Array(draw(3)).fill({}), reference: draw(2) ? [] : null, success: [true, false, null][draw(3)], doubt: draw(4) ? undefined : "?", error: draw(5) ? undefined : {} }));
    const warnings = Array.from({ length: draw(3) }, () => ({ code: codes[draw(5)] }));
    const format = ["openai-chat", "found-calls", "plain-names", "mixed"][draw(4)];
    const files = format === "mixed" ? [{ format: "openai-chat" }, { format: ["generic", "found-calls"][draw(2)] }] : undefined;
    const given = draw(2) === 1;
    const text = readingText({ input: { format, files }, trajectories: runs, warnings }, given);
    const said = (what) => Number(text.match(new RegExp(`(\\d+) ${what}`))?.[1] ?? 0);
    assert.equal(said("runs?[,.]"), runs.length, text);
    assert.equal(said("calls?\\b"), runs.reduce((n, r) => n + r.observed.length, 0), text);
    assert.equal(said("references?"), given ? 0 : runs.filter((r) => r.reference).length, text);
    assert.equal(said("recorded outcomes?"), runs.filter((r) => r.success !== null).length, text);
    assert.equal(said("runs? (was|were) perhaps"), runs.filter((r) => r.doubt).length, text);
    assert.equal(said("runs? could"), runs.filter((r) => r.error).length, text);
    assert.equal(said("warnings?"), warnings.filter((w) => !codes.slice(0, 2).includes(w.code)).length, text);
    assert.equal(/by their shape/.test(text), [format, ...(files ?? []).map((f) => f.format)].some((f) => f === "found-calls" || f === "plain-names"), text);
  }
});
