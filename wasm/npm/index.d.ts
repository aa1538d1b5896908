import type { Description } from "./abi.d.ts";
import type { Decision, Handshake, Report, Transcript } from "./types.d.ts";

export type * from "./types.d.ts";
/** What plugins are asked and answer, for ask; plugins/abi/schema.json is the same as JSON Schema. */
export type * as abi from "./abi.d.ts";

/** A text or its bytes. Strings are sent as UTF-8. */
export type Source = string | Uint8Array | ArrayBuffer;

export interface OpenOptions {
  /** The module: compiled, as bytes, or where it is. Default: boundcheck.wasm beside the client. */
  wasm?: WebAssembly.Module | Uint8Array<ArrayBuffer> | ArrayBuffer | URL | string;
  /** Makes the worker that runs worker.js, where the default (a module beside the client) does not fit. */
  worker?: () => WorkerLike | Promise<WorkerLike>;
  /** Milliseconds a call may take before its worker is ended; default 60000, Infinity for none. */
  timeout?: number;
  /** Milliseconds a call of a plugin may take, its start included, before it is stopped; default 10000. */
  pluginTimeout?: number;
}

export interface CallOptions {
  /** Milliseconds this call may take; the default is the client's. */
  timeout?: number;
  /** Aborting ends the worker, and with it every other waiting call. */
  signal?: AbortSignal;
}

export interface ScoreOptions extends CallOptions {
  /** What should have been done: text (one call a line, or JSON) or a value to be sent as JSON. */
  reference?: Source | object;
  /** auto (default), outcome, sop. */
  profile?: string;
  /** Of the bootstrap intervals; default 42. */
  seed?: number;
  /** Checkers to ask, the first that applies to the trace. One that fails is named in the report's warnings, and the run is scored without it. */
  plugins?: PluginSource[];
  /** Descriptions of checkers that are not loaded; found is told the name of each that would apply. */
  known?: object[];
  found?: (name: string) => void;
}

/** A plugin: a WebAssembly module as `make plugins` builds it, or any that keeps plugins/ABI.md. The object stands for it in later calls. */
export interface PluginSource {
  /** Which of the module's plugins. */
  name: string;
  wasm: Uint8Array | ArrayBuffer;
  /** Pins the bytes: lower-case hex. */
  sha256?: string;
  /** The sha256 to report, of the module as it was, where these bytes are it with a meter. */
  of?: string;
  /** The benchmark's own files: paths with slashes. Those that the plugin does not name are passed over. */
  files?: { name: string; data: Uint8Array | ArrayBuffer }[];
}

/** What a plugin says of itself, and what it found among the files. */
export interface PluginLoaded {
  description: Description;
  sha256: string;
  environment: string[] | null;
}

/** One call that an agent proposes. */
export interface Proposal {
  tool: string;
  /** The arguments, or a JSON text that holds them (kept byte for byte). */
  arguments?: Record<string, unknown> | string;
  /** OpenAI or MCP tool definitions. */
  tools?: unknown[];
  policy?: string;
  /** The shell that the call runs in stands in another git repository than the session's own: every git command is asked about. */
  elsewhere?: boolean;
  /** The operator's own table: strictest verdicts by tool name. */
  table?: { tools: Record<string, "yes" | "no" | "control"> };
}

/** What a Web Worker and a Node worker thread have in common. */
export interface WorkerLike {
  postMessage(message: any, transfer: any[]): void;
  terminate(): unknown;
  addEventListener?(type: string, listener: (event: any) => void): void;
  on?(type: string, listener: (value: any) => void): unknown;
  ref?(): void;
  unref?(): void;
}

export declare const WIRE: number;

export declare class BoundcheckError extends Error {
  constructor(code: string, message: string, more?: { line?: number; column?: number; seen?: string; formats?: string[]; plugin?: string });
  /** The core's invalid-input, unknown-method, too-large, internal; the client's timeout, cancelled, dead, version, closed; a plugin's, as plugins/ABI.md has them. */
  code: string;
  /** From 1, when the place is known. */
  line?: number;
  column?: number;
  /** What the input looked like. */
  seen?: string;
  /** What would have been read. */
  formats?: string[];
  /** The plugin that had to be stopped by ending the worker. */
  plugin?: string;
}

export declare class Client {
  constructor(options?: OpenOptions);
  /** What the core said of itself, after the first start. */
  version?: Handshake;
  /** Scores a trace in any supported format. */
  score(trace: Source, options?: ScoreOptions): Promise<Report>;
  /** One run as it was read: messages, calls and answers, with the step numbers of the report. Without an id it is the first. */
  run(trace: Source, id?: string, options?: CallOptions): Promise<Transcript>;
  /** Asks the gate about one proposed call. */
  check(proposal: Proposal | Source, options?: CallOptions): Promise<Decision>;
  /** The core's exact answer, a result or an error envelope, ending in a newline. */
  handleRaw(method: string, body: Source, options?: CallOptions & Pick<ScoreOptions, "plugins" | "known" | "found">): Promise<Uint8Array>;
  /** Loads a plugin into the worker, so that its first call need not wait. A score loads by itself. */
  load(plugin: PluginSource, options?: CallOptions): Promise<PluginLoaded>;
  /** Asks a plugin once. The request's bytes carry the operation themselves; the answer is an envelope, which parseAnswer opens. */
  ask(plugin: PluginSource, op: string, request: Source, options?: CallOptions): Promise<Uint8Array>;
  /** Ends the worker; what waits there is rejected. */
  close(): Promise<void>;
}

/** The body of a score call, for handleRaw: the trace itself, or an envelope around it. */
export declare function scoreBody(trace: Source, options?: ScoreOptions): Source;

/** The value of an answer of handleRaw; an error envelope is thrown as BoundcheckError. */
export declare function parseAnswer(bytes: Uint8Array): any;

/** Starts a worker with the core in it and shakes hands. */
export declare function open(options?: OpenOptions): Promise<Client>;
