import { open } from "boundcheck/inline";

export const runtime = "edge";

let client;

export async function POST(request) {
  client ??= open();
  return new Response(await (await client).handleRaw("score", new Uint8Array(await request.arrayBuffer())));
}
