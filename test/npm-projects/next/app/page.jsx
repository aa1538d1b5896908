import { open } from "boundcheck/inline";
import Browser from "./browser.jsx";

export const dynamic = "force-dynamic";

export default async function Page() {
  const client = await open();
  const report = await client.score([{ name: "cancel_order", arguments: { id: 7 } }], { reference: "get_order(id=7)\ncancel_order(id=7)", profile: "sop" });
  return <main><p>{`rendered on the server: ${report.corpus.flagged} of ${report.corpus.n}`}</p><Browser /></main>;
}
