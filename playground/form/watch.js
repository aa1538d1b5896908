// Follows the files and spans that "boundcheck serve --watch" offers: what changed is read, and the
// runs are scored again.

const PAUSE = 1000; // ms between two looks

/**
 * @param {(files: import("./inputs.js").NamedBytes[]) => Promise<void>} show is called with all files after a change, and with none before the first
 * @param {(text: string) => void} tell says what is the matter
 */
export async function follow(show, tell) {
  const known = new Map(); // by name: {changed, file}
  let before = null;
  for (;;) {
    if (!document.hidden) {
      try {
        const list = await answerOf("watch/list", (r) => r.json());
        const now = JSON.stringify(list);
        if (now !== before) {
          const files = await Promise.all(list.filter((f) => f.size).map(async ({ name, changed }) => {
            const old = known.get(name);
            if (old?.changed === changed) return old.file;
            const file = { name, bytes: new Uint8Array(await answerOf("watch/file?name=" + encodeURIComponent(name), (r) => r.arrayBuffer())) };
            known.set(name, { changed, file });
            return file;
          }));
          before = now;
          await show(files);
        }
      } catch (e) {
        tell(`Nothing is followed now: ${e.message}.`);
        if (e.status === 404) return; // this server does not watch
      }
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function answerOf(path, read) {
  const answer = await fetch(new URL(path, import.meta.url), { cache: "no-store" });
  if (!answer.ok) throw Object.assign(new Error(answer.status === 404 ? "this server was not started with --watch" : `the server answers ${answer.status}`), { status: answer.status });
  return read(answer);
}
