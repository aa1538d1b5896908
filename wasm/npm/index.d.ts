import type { Checked, Converted, Decision, Explained, Handshake, Mapped, Parameters, Proposed, Repaired, Report, Transcript } from "./types.d.ts";
import type { Description, Rendered, Template } from "./abi.d.ts";

export type * from "./types.d.ts";
/** What plugins are asked and answer, for ask; plugins/abi/schema.json is the same as JSON Schema. */
export type * as abi from "./abi.d.ts";

/** A text or its bytes. Strings are sent as UTF-8. */
export type Source = string | Uint8Array | ArrayBuffer;

/** A trace: a text, its bytes, or the messages as your program holds them. A value is sent as JSON, so its numbers are JavaScript's: give a text where they may be large. */
export type Trace = Source | readonly unknown[] | object;

/** Several traces for newReference. */
export interface Several {
  traces: Trace[];
}

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
  /** What should have been done: a text (one call a line, YAML or JSON) or a value to be sent as JSON. */
  reference?: Source | object;
  /** What the runs are held to: what changed (outcome), or each step (sop). Default: auto. */
  profile?: "auto" | "outcome" | "sop";
  /** Of the bootstrap intervals; default 42. */
  seed?: number;
  /** The papers' parameters; each default is the papers'. */
  parameters?: Parameters;
  /** What you know of the tools: which change something, names that mean the same, calls made of others. */
  tools?: { tools?: Record<string, "yes" | "no" | "control">; aliases?: string[][]; compositions?: { whole: string; parts: string[] }[] };
  /** A boundcheck.yaml: its text, or its members as an object. What other options and the trace say goes before it. */
  config?: Source | object;
  /** Where the trace is beside boundcheck.yaml, for the paths of its rules: "traces/a.json". */
  file?: string;
  /** Checkers to ask, the first that applies to the trace. One that fails is named in the report's warnings, and the run is scored without it. */
  plugins?: PluginSource[];
  /** Descriptions of checkers that are not loaded; found is told the name of each that would apply. */
  known?: object[];
  found?: (name: string) => void;
}

export interface ConvertOptions extends CallOptions {
  to: "generic" | "openai-chat" | "atif";
  /** The format that the trace is in; detected where it is left out. */
  from?: string;
}

export interface NewReferenceOptions extends CallOptions {
  /** Default: yaml. */
  format?: "yaml" | "json";
  /** Of the traces, for the comment at the top. */
  names?: string[];
  /** A boundcheck.yaml, for its mapping. */
  config?: Source | object;
}

export interface EvaluatorOptions {
  /** What the result is called; default "boundcheck". */
  key?: string;
  /** Which figure is the score; default "abs.max". "passed" is true where nothing broke a boundary. */
  metric?: "abs.max" | "abs.agent" | "gar" | "svr" | "passed";
  /** What each run is held to; default: the run's own referenceOutputs, a reference or a run that went well. */
  reference?: Source | object;
  profile?: ScoreOptions["profile"];
  parameters?: ScoreOptions["parameters"];
  tools?: ScoreOptions["tools"];
  config?: ScoreOptions["config"];
  /** One that is open already; by default the evaluator opens its own. */
  client?: Client | Promise<Client>;
}

export interface Evaluation {
  key: string;
  /** The figure. Without a reference: 1 or 0, whether nothing broke a boundary. null where there is none. */
  score: number | boolean | null;
  /** What was found, in words. */
  comment: string;
}

/** An evaluator as LangSmith, openevals and vitest take it. */
export interface Evaluator {
  (run: { outputs: Trace; referenceOutputs?: Source | object; inputs?: unknown }): Promise<Evaluation>;
  /** Closes the client that the evaluator opened. */
  close(): Promise<void>;
}

/** A plugin: a WebAssembly module as `make plugins` builds it, or any that keeps plugins/ABI.md. The object stands for it in later calls. */
export interface PluginSource {
  /** Which of the module's plugins. */
  name: string;
  /** The module; or url. */
  wasm?: Uint8Array | ArrayBuffer;
  /** Where the module is, in place of wasm: fetched once, at most 32 MiB. It needs sha256, and other bytes are refused. */
  url?: string | URL;
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
  /** What was said and returned before the call, as OpenAI's or Anthropic's messages: the decision then says where each value comes from. */
  messages?: unknown[];
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
  score(trace: Trace, options?: ScoreOptions): Promise<Report>;
  /** What a trace shows about itself, without any reference. */
  lint(trace: Trace, options?: CallOptions & Pick<ScoreOptions, "tools" | "config" | "file">): Promise<Report>;
  /** Writes a trace in another form. */
  convert(trace: Trace, options: ConvertOptions): Promise<Converted>;
  /** What names in a report mean; without a word, all of them. */
  explain(words?: string | string[], options?: CallOptions): Promise<Explained[]>;
  /** Renders a prompt; prompts() lists the templates and the variables that they take. */
  prompt(template: string, variables?: Record<string, unknown>, options?: CallOptions): Promise<Rendered>;
  prompts(options?: CallOptions): Promise<Template[]>;
  /** Writes a reference from runs that went well, as a text to edit and keep. */
  newReference(traces: Trace | Several, options?: NewReferenceOptions): Promise<Proposed>;
  /** Says whether a text or value can be used as a reference, and how much it asks for. */
  checkReference(reference: Trace, options?: CallOptions): Promise<Checked[]>;
  /** One run as it was read: messages, calls and answers, with the step numbers of the report. Without an id it is the first. */
  run(trace: Trace, id?: string, options?: CallOptions & Pick<ScoreOptions, "config">): Promise<Transcript>;
  /** Where the calls are in JSON of no known format, as config's map takes it. */
  map(trace: Trace, options?: CallOptions): Promise<Mapped>;
  /** A text that is almost JSON as JSON, with what was changed: Python's literals, comments, trailing commas, names without quotes. Nothing is guessed. */
  repair(text: string | Uint8Array, options?: CallOptions): Promise<Repaired>;
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
export declare function scoreBody(trace: Trace, options?: Omit<ScoreOptions, "plugins" | "known" | "found" | "timeout" | "signal">): Source;

/** The value of an answer of handleRaw; an error envelope is thrown as BoundcheckError. */
export declare function parseAnswer(bytes: Uint8Array): any;

/** An evaluator that gives {key, score, comment}. */
export declare function createEvaluator(options?: EvaluatorOptions): Evaluator;

/** Starts a worker with the core in it and shakes hands. */
export declare function open(options?: OpenOptions): Promise<Client>;
