// The bodies of the requests that the Score view sends to the core, and what else is made of its
// input.

import { scoreBody } from "../npm/client.js";

/** @typedef {import("./inputs.js").Input} Input */

export const START = 1 << 16; // bytes from which a file is recognized as text

/** The report of Boundcheck that is in the input instead of a trace; null if there is none. @param {Input} input */
export function reportIn(input) {
  const read = (end) => input.trace || (input.files.length === 1 && utf8(input.files[0].bytes.subarray(0, end), end !== undefined)) || "";
  if (!/^\s*\{\s*"schema"\s*:\s*"boundcheck\.report\/1"/.test(read(START))) return null;
  try {
    const report = JSON.parse(read());
    return Array.isArray(report.trajectories) && report.corpus && report.input ? report : null;
  } catch {
    return null; // the core says what is wrong with it
  }
}

/**
 * Returns {body, left}. body is the body of a request that scores the input. If run is given, the
 * request asks for the messages and calls of that run instead. left has a message for each file
 * that the body does not contain.
 * @param {Input} input @param {string} [run] a run's id
 */
export async function bodyOf(input, run) {
  const reference = input.reference.trim() ? input.reference : undefined;
  const profile = input.profile === "auto" ? undefined : input.profile;
  const config = input.config || undefined;
  const parameters = Object.keys(input.parameters ?? {}).length ? input.parameters : undefined;
  if (input.files.length < 2) {
    const source = input.files[0]?.bytes ?? input.trace;
    const text = typeof source === "string" ? source : utf8(source);
    const whole = text ?? (await gunzipText(source));
    if (run === undefined || whole === null) return { body: text === null ? source : scoreBody(source, { reference, profile, parameters, config, file: config && input.files[0]?.name }), left: [] }; // if it is not text, the core reports what it saw
    return { body: JSON.stringify({ trace: whole, run, config }), left: [] };
  }
  const read = await Promise.all(input.files.map(async ({ name, bytes }) => ({ name, trace: utf8(bytes) ?? (await gunzipText(bytes)) })));
  const left = read.filter((f) => f.trace === null).map((f) => `file ${f.name} is not text and must be opened alone`);
  return { body: JSON.stringify({ traces: read.filter((f) => f.trace !== null), reference, profile, options: parameters, config, run }), left };
}

/** The body of a request that reads the one trace of an input. @param {Input} input @param {string} config as JSON */
export function readBody({ trace, files: [file] }, config) {
  const text = trace || (file ? utf8(file.bytes) : "");
  return text === null ? file.bytes : JSON.stringify({ traces: [{ name: file?.name ?? "", trace: text }], config: config || undefined });
}

/** The traces of an input as texts, for line numbers. The text of a compressed file is empty. @param {Input} input */
export async function tracesOf(input) {
  if (!input.files.length) return [{ name: "", trace: input.trace }];
  const read = await Promise.all(input.files.map(async ({ name, bytes }) => ({ name, trace: utf8(bytes), packed: utf8(bytes) === null && (await gunzipText(bytes)) !== null })));
  if (read.every((f) => f.trace === null)) return [];
  return read.filter((f) => f.trace !== null || f.packed).map(({ name, trace }) => ({ name, trace: trace ?? "" }));
}

/** The text of gzipped bytes; null if they are not gzipped text. */
async function gunzipText(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return null;
  try {
    return utf8(new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()));
  } catch {
    return null;
  }
}

/** The text of bytes; null if they are not UTF-8. If part is true, they may end in the middle of a character. */
export function utf8(bytes, part = false) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: part });
  } catch {
    return null;
  }
}
