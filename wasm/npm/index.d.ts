import type { Checked, Converted, Decision, Explained, Handshake, Mapped, Parameters, Proposed, Repaired, Report, Transcript } from "./types.d.ts";
import type { Description, Rendered, Template } from "./abi.d.ts";

export type * from "./types.d.ts";
/** The requests and answers of plugins, for ask; plugins/abi/schema.json describes them as JSON Schema. */
export type * as abi from "./abi.d.ts";

/** A text or its bytes. Strings are sent as UTF-8. */
export type Source = string | Uint8Array | ArrayBuffer;

/**
 * A trace: a text, its bytes, or the messages as your program holds them. A value is sent
 * as JSON, so its numbers are JavaScript's; pass a text if they may be large.
 */
export type Trace = Source | readonly unknown[] | object;

/** Several traces for newReference. */
export interface Several {
  traces: Trace[];
}

export interface OpenOptions {
  /** The module: compiled, as bytes, or its address. Default: boundcheck.wasm next to the client. */
  wasm?: WebAssembly.Module | Uint8Array<ArrayBuffer> | ArrayBuffer | URL | string;
  /** Starts the worker that runs worker.js, if the default (a module next to the client) does not work. */
  worker?: () => WorkerLike | Promise<WorkerLike>;
  /** Milliseconds that a call may take before its worker is ended; default 60000, Infinity for none. */
  timeout?: number;
  /**
   * Milliseconds that a call of a plugin may take, including its start, before it is
   * stopped; default 10000.
   */
  pluginTimeout?: number;
}

export interface CallOptions {
  /** Milliseconds that this call may take; the default is the client's. */
  timeout?: number;
  /** Aborting ends the worker, and with it every other waiting call. */
  signal?: AbortSignal;
}

export interface ScoreOptions extends CallOptions {
  /** What should have been done: a text (one call per line, YAML or JSON) or a value that is sent as JSON. */
  reference?: Source | object;
  /** What to compare: the changes (outcome) or each step (sop). Default: auto. */
  profile?: "auto" | "outcome" | "sop";
  /** The seed of the bootstrap intervals; default 42. */
  seed?: number;
  /** The papers' parameters; the defaults are the papers' values. */
  parameters?: Parameters;
  /**
   * What you know about the tools: which ones change something, names with the same
   * meaning, calls that consist of others.
   */
  tools?: { tools?: Record<string, "yes" | "no" | "control">; aliases?: string[][]; compositions?: { whole: string; parts: string[] }[] };
  /**
   * A boundcheck.yaml: its text, or its members as an object. Other options and the trace
   * take precedence over it.
   */
  config?: Source | object;
  /** The path of the trace relative to boundcheck.yaml, for the paths of its rules: "traces/a.json". */
  file?: string;
  /**
   * Checkers to ask; the first that applies to the trace is used. One that fails is named
   * in the report's warnings, and the run is scored without it.
   */
  plugins?: PluginSource[];
  /** Descriptions of checkers that are not loaded; found is called with the name of each that would apply. */
  known?: object[];
  found?: (name: string) => void;
}

export interface ConvertOptions extends CallOptions {
  to: "generic" | "openai-chat" | "atif";
  /** The format of the trace; detected if it is left out. */
  from?: string;
}

export interface NewReferenceOptions extends CallOptions {
  /** Default: yaml. */
  format?: "yaml" | "json";
  /** Names of the traces for the comment at the top. */
  names?: string[];
  /** A boundcheck.yaml, for its mapping. */
  config?: Source | object;
}

export interface EvaluatorOptions {
  /** The name of the result; default "boundcheck". */
  key?: string;
  /** The figure that is the score; default "abs.max". "passed" is true if no boundary was broken. */
  metric?: "abs.max" | "abs.agent" | "gar" | "svr" | "passed";
  /**
   * The reference of each run; default: the run's own referenceOutputs, a reference or a
   * run that went well.
   */
  reference?: Source | object;
  profile?: ScoreOptions["profile"];
  parameters?: ScoreOptions["parameters"];
  tools?: ScoreOptions["tools"];
  config?: ScoreOptions["config"];
  /** An open client; by default the evaluator opens its own. */
  client?: Client | Promise<Client>;
}

export interface Evaluation {
  key: string;
  /**
   * The figure. Without a reference it is 1 if no boundary was broken, else 0. It is null
   * if there is no value.
   */
  score: number | boolean | null;
  /** The findings in words. */
  comment: string;
}

/** An evaluator for LangSmith, openevals and vitest. */
export interface Evaluator {
  (run: { outputs: Trace; referenceOutputs?: Source | object; inputs?: unknown }): Promise<Evaluation>;
  /** Closes the client that the evaluator opened. */
  close(): Promise<void>;
}

/**
 * A plugin: a WebAssembly module from `make plugins`, or any other that follows
 * plugins/ABI.md. Pass the same object in later calls.
 */
export interface PluginSource {
  /** The name of one of the module's plugins. */
  name: string;
  /** The module; otherwise url is used. */
  wasm?: Uint8Array | ArrayBuffer;
  /**
   * The address of the module, in place of wasm. It is fetched once and may have at most
   * 32 MiB. It requires sha256, and other bytes are refused.
   */
  url?: string | URL;
  /** The expected hash of the bytes, in lower-case hex. */
  sha256?: string;
  /** The sha256 to report: that of the original module, if these bytes are a metered copy of it. */
  of?: string;
  /** The benchmark's own files: paths with slashes. Files that the plugin does not name are ignored. */
  files?: { name: string; data: Uint8Array | ArrayBuffer }[];
}

/** The description of a plugin, and what it found in the files. */
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
  /**
   * The conversation before the call, as OpenAI's or Anthropic's messages. The decision
   * then says where each value comes from.
   */
  messages?: unknown[];
  /**
   * The shell that runs the call is in another git repository than the session. Then
   * every git command needs confirmation.
   */
  elsewhere?: boolean;
  /** The operator's own table: the strictest verdicts by tool name. */
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
  /**
   * The core's invalid-input, unknown-method, too-large, internal; the client's timeout,
   * cancelled, dead, version, closed; a plugin's codes as in plugins/ABI.md.
   */
  code: string;
  /** From 1, if the position is known. */
  line?: number;
  column?: number;
  /** What the input looked like. */
  seen?: string;
  /** The formats that can be read. */
  formats?: string[];
  /** The plugin that could only be stopped by ending the worker. */
  plugin?: string;
}

export declare class Client {
  constructor(options?: OpenOptions);
  /** The core's description of itself, after the first start. */
  version?: Handshake;
  /** Scores a trace in any supported format. */
  score(trace: Trace, options?: ScoreOptions): Promise<Report>;
  /** The findings about a trace that need no reference. */
  lint(trace: Trace, options?: CallOptions & Pick<ScoreOptions, "tools" | "config" | "file">): Promise<Report>;
  /** Converts a trace to another format. */
  convert(trace: Trace, options: ConvertOptions): Promise<Converted>;
  /** The meanings of names in a report; without a word, of all names. */
  explain(words?: string | string[], options?: CallOptions): Promise<Explained[]>;
  /** Renders a prompt; prompts() lists the templates and their variables. */
  prompt(template: string, variables?: Record<string, unknown>, options?: CallOptions): Promise<Rendered>;
  prompts(options?: CallOptions): Promise<Template[]>;
  /** Writes a reference from runs that went well, as a text to edit and keep. */
  newReference(traces: Trace | Several, options?: NewReferenceOptions): Promise<Proposed>;
  /** Reports whether a text or value can be used as a reference, and its size. */
  checkReference(reference: Trace, options?: CallOptions): Promise<Checked[]>;
  /**
   * One run as it was read: messages, calls and answers, with the step numbers of the
   * report. Without an id it is the first.
   */
  run(trace: Trace, id?: string, options?: CallOptions & Pick<ScoreOptions, "config">): Promise<Transcript>;
  /** Finds the calls in JSON of an unknown format, and returns their position in the form of config's map. */
  map(trace: Trace, options?: CallOptions): Promise<Mapped>;
  /**
   * Repairs a text that is almost JSON and lists the changes: Python's literals,
   * comments, trailing commas, names without quotes. It does not guess.
   */
  repair(text: string | Uint8Array, options?: CallOptions): Promise<Repaired>;
  /** Asks the gate about one proposed call. */
  check(proposal: Proposal | Source, options?: CallOptions): Promise<Decision>;
  /** The core's exact answer, a result or an error envelope, ending in a newline. */
  handleRaw(method: string, body: Source, options?: CallOptions & Pick<ScoreOptions, "plugins" | "known" | "found">): Promise<Uint8Array>;
  /**
   * Loads a plugin into the worker, so that its first call need not wait. A score loads
   * its plugins itself.
   */
  load(plugin: PluginSource, options?: CallOptions): Promise<PluginLoaded>;
  /**
   * Asks a plugin once. The bytes of the request contain the operation. The answer is an
   * envelope, which parseAnswer opens.
   */
  ask(plugin: PluginSource, op: string, request: Source, options?: CallOptions): Promise<Uint8Array>;
  /** Ends the worker and rejects all calls that wait there. */
  close(): Promise<void>;
}

/** The body of a score call, for handleRaw: the trace itself, or an envelope around it. */
export declare function scoreBody(trace: Trace, options?: Omit<ScoreOptions, "plugins" | "known" | "found" | "timeout" | "signal">): Source;

/** The value of an answer of handleRaw; an error envelope is thrown as BoundcheckError. */
export declare function parseAnswer(bytes: Uint8Array): any;

/** Returns an evaluator that returns {key, score, comment}. */
export declare function createEvaluator(options?: EvaluatorOptions): Evaluator;

/** Starts a worker with the core in it and checks the version. */
export declare function open(options?: OpenOptions): Promise<Client>;
