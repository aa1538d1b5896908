import { open } from "boundcheck";

export const runtime = "nodejs";

let client;

export async function POST(request) {
  client ??= open();
  return new Response(await (await client).handleRaw("score", new Uint8Array(await request.arrayBuffer())));
}
