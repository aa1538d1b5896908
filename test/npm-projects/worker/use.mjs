import { open } from "boundcheck/inline";

let client;

export default {
  async fetch(request) {
    client ??= open();
    return new Response(await (await client).handleRaw("score", new Uint8Array(await request.arrayBuffer())));
  },
};
