// Compiled, never run: what a user of the package writes.
import type * as declared from "../npm/index.d.ts";
import * as written from "../npm/index.js";

// The declarations say what the code is.
export const same: typeof declared = written;

export async function use(open: typeof declared.open): Promise<string> {
  const client = await open({ timeout: 1000 });
  const report = await client.score("[]", { profile: "sop", reference: [{ name: "a", arguments: {} }] });
  const abs: number | null = report.corpus.metrics.abs.agent.value;
  const first = report.trajectories[0]?.alignment[0];
  const obs: number | null | undefined = first?.obs;
  const plugin: declared.PluginSource = { name: "taubench", wasm: new Uint8Array(), files: [{ name: "users.json", data: new Uint8Array() }] };
  const operations: string[] = (await client.load(plugin)).description.operations;
  await client.score("[]", { plugins: operations.length ? [plugin] : [] });
  const request: declared.abi.ClassifyRequest = { op: "tools.classify", tools: [{ name: "cancel_order" }] };
  const answer: declared.abi.Answer<"tools.classify"> = JSON.parse(new TextDecoder().decode(await client.ask(plugin, request.op, JSON.stringify(request))));
  if ("error" in answer) return answer.error.code;
  const words: string[] = answer.ok.tools.map((tool) => tool.mutating);
  // @ts-expect-error a row has no such member
  const row: declared.abi.Row = { op: words[0], observed: 1 };
  const gate = await client.check({ tool: "cancel_order", arguments: '{"id":1}' });
  if (gate.decision === "confirm") return gate.confirmation;
  // @ts-expect-error a report has no such field
  report.nothing;
  await client.score([{ role: "user", content: "hi" }]);
  await client.score([], { parameters: { tau: 0.9, denominator: "max", without: ["effect"] } });
  // @ts-expect-error no such parameter
  await client.score([], { parameters: { taw: 0.9 } });
  // @ts-expect-error no such profile
  await client.score([], { profile: "sops" });
  // @ts-expect-error no such rule
  if (report.trajectories[0].violations[0].rule === "extra-actoin") return "";
  const { key, score, comment }: declared.Evaluation = await written.createEvaluator({ metric: "passed" })({ outputs: [] });
  return `${abs} ${obs} ${key} ${score} ${comment} ${row}`;
}
