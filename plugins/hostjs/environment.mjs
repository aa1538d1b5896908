// Passes the user's files for a benchmark to a plugin, as ../host does. The last part of a path
// decides whether the plugin needs the file.
import { PluginError } from "./host.mjs";

const MOST = 64 << 20; // bytes, of a request

/**
 * Returns the request env.load, which contains the files that the plugin needs, and the id
 * by which later requests name this environment. Throws a PluginError if the plugin uses no
 * environment, if it needs none of the files, or if the files have equal names or are too
 * large.
 * @param {string} name of the plugin
 * @param {{environment?: {names: string[]}}} description of the plugin
 * @param {{name: string, data: Uint8Array}[]} files their names are paths with slashes, relative to the folder that the user gave
 * @param {(bytes: Uint8Array) => string} digest returns the sha256 of bytes
 * @returns {{id: string, request: Uint8Array}}
 */
export function envLoadRequest(name, description, files, digest) {
  const fail = (code, why) => { throw new PluginError(name, code, why); };
  const wanted = description.environment?.names;
  if (!wanted) fail("op-not-described", "the plugin does not use an environment");
  const mine = files.filter((f) => wanted.includes(f.name.split("/").at(-1))).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!mine.length) fail("not-found", `the files contain no environment. Give at least one of ${wanted.join(", ")}`);
  const twice = mine.find((f, i) => f.name === mine[i + 1]?.name);
  if (twice) fail("not-found", `two files have the name ${twice.name}. Give the folder that contains the files`);
  const size = mine.reduce((n, f) => n + f.data.length, 0);
  if (size > MOST) fail("request-too-large", `the files have more than ${MOST} bytes in total`);
  const attachments = JSON.stringify(mine.map((f) => ({ name: f.name, length: f.data.length })));
  const id = digest(joinFiles(attachments, mine));
  return { id, request: joinFiles(`{"op":"env.load","environment":"${id}","attachments":${attachments}}`, mine) };
}

function joinFiles(header, files) {
  const head = new TextEncoder().encode(header + "\0"), out = new Uint8Array(files.reduce((n, f) => n + f.data.length, head.length));
  out.set(head);
  let at = head.length;
  for (const f of files) { out.set(f.data, at); at += f.data.length; }
  return out;
}
