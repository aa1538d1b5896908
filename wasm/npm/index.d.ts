import type { Checked, Converted, Decision, Explained, Handshake, Mapped, Parameters, Proposed, Repaired, Report, Transcript } from "./types.d.ts";
import type { Description, Rendered, Template } from "./abi.d.ts";

export type * from "./types.d.ts";
/** The requests and answers of plugins, for ask; plugins/abi/schema.json describes them as JSON Schema. */
export type * as abi from "./abi.d.ts";

/** A text or its bytes. Strings are sent as UTF-8. */
export type Source = string | Uint8Array | ArrayBuffer;

/**
 * A trace: a text, its bytes, or your program's array or object of messages. An array or
 * object is sent as JSON, so its numbers are JavaScript's. Pass a text if they may be large.
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
  /**
   * The second module, if functions that are seldom called were moved there when the module
   * was built. It is loaded when a call needs it, or by preload(). The module in the npm
   * package has all functions and needs no second module.
   */
  second?: WebAssembly.Module | Uint8Array<ArrayBuffer> | ArrayBuffer | URL | string;
}

export interface CallOptions {
  /** Milliseconds that this call may take; the default is the client's. */
  timeout?: number;
  /** Aborting this signal ends the worker, which also rejects every other waiting call. */
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
   * Facts about the tools: tools that change something, names with the same meaning, and
   * calls that consist of several other calls.
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
   * Checkers to use. The first that applies to the trace is used. If a checker fails, the
   * run is scored without it, and a warning of the report names it.
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
  /** The figure that is the score; default "abs.max". "passed" is true if each run is known to be good. */
  metric?: "within" | "abs.max" | "abs.agent" | "gar" | "svr" | "passed";
  /**
   * The reference of each run. By default it is the run's own referenceOutputs, which is a
   * reference or a successful run.
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
   * The figure. Without a reference it is 1 (for svr 0) if the run is probably fine, and the worst
   * if a boundary broke. A run that is recorded as failed has the worst figure. It is null if that
   * is not known, if one run has a reference and another has none, or if the outputs or the
   * reference cannot be read: comment says why.
   */
  score: number | boolean | null;
  /** The findings in words, or else the reason why there is no score. */
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
  /** The sha256 of the original module, for the report, if wasm is a metered copy of that module. */
  of?: string;
  /** The benchmark's own files, with slashes in their paths. Files that the plugin does not request are ignored. */
  files?: { name: string; data: Uint8Array | ArrayBuffer }[];
}

/** The description of a plugin, and what the plugin found in the files. */
export interface PluginLoaded {
  description: Description;
  sha256: string;
  environment: string[] | null;
}

/** One call that an agent proposes. */
export interface Proposal {
  tool: string;
  /** The arguments, or their JSON text, which is kept byte for byte. */
  arguments?: Record<string, unknown> | string;
  /** OpenAI or MCP tool definitions. */
  tools?: unknown[];
  policy?: string;
  /**
   * The conversation before the call, as OpenAI's or Anthropic's messages. With it, the
   * decision contains the origin of each value.
   */
  messages?: unknown[];
  /**
   * True if the shell that runs the call is in a different git repository than the
   * session. Then every git command needs confirmation.
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
  /** The plugin that was stopped by ending the worker. */
  plugin?: string;
}

export declare class Client {
  constructor(options?: OpenOptions);
  /** The core's description of itself, after the first start. */
  version?: Handshake;
  /** Scores a trace in any supported format. */
  score(trace: Trace, options?: ScoreOptions): Promise<Report>;
  /** Returns the findings about a trace that need no reference. */
  lint(trace: Trace, options?: CallOptions & Pick<ScoreOptions, "tools" | "config" | "file">): Promise<Report>;
  /** Converts a trace to another format. */
  convert(trace: Trace, options: ConvertOptions): Promise<Converted>;
  /** Returns the meanings of names in a report. Without words it returns all names. */
  explain(words?: string | string[], options?: CallOptions): Promise<Explained[]>;
  /** Renders a prompt; prompts() lists the templates and their variables. */
  prompt(template: string, variables?: Record<string, unknown>, options?: CallOptions): Promise<Rendered>;
  prompts(options?: CallOptions): Promise<Template[]>;
  /** Returns a reference made from successful runs, as a text to edit and keep. */
  newReference(traces: Trace | Several, options?: NewReferenceOptions): Promise<Proposed>;
  /** Checks a reference and returns its size. An invalid reference is an error. */
  checkReference(reference: Trace, options?: CallOptions): Promise<Checked[]>;
  /**
   * Returns one run as the core read it: messages, calls and results, with the step
   * numbers of the report. Without an id it returns the first run.
   */
  run(trace: Trace, id?: string, options?: CallOptions & Pick<ScoreOptions, "config">): Promise<Transcript>;
  /** Finds the calls in JSON of an unknown format, and returns a mapping for them, as the member "map" of config. */
  map(trace: Trace, options?: CallOptions): Promise<Mapped>;
  /**
   * Repairs a text that is almost JSON (Python's literals, comments, trailing commas,
   * names without quotes) and lists the changes. It does not guess.
   */
  repair(text: string | Uint8Array, options?: CallOptions): Promise<Repaired>;
  /** Returns the decision on one proposed call: allow or confirm. */
  check(proposal: Proposal | Source, options?: CallOptions): Promise<Decision>;
  /** Returns the exact bytes of the core's answer: a result or an error envelope, with a newline at the end. */
  handleRaw(method: string, body: Source, options?: CallOptions & Pick<ScoreOptions, "plugins" | "known" | "found">): Promise<Uint8Array>;
  /**
   * Loads a plugin into the worker before its first call, so that this call is fast. A
   * score also loads its plugins.
   */
  load(plugin: PluginSource, options?: CallOptions): Promise<PluginLoaded>;
  /**
   * Sends one request to a plugin. The bytes of the request contain the operation. The
   * answer is an envelope; pass it to parseAnswer.
   */
  ask(plugin: PluginSource, op: string, request: Source, options?: CallOptions): Promise<Uint8Array>;
  /** Loads the second module, if there is one, before a call needs it. */
  preload(): Promise<void>;
  /** Ends the worker and rejects all calls that wait there. */
  close(): Promise<void>;
}

/** Returns the body of a score call, for handleRaw: the trace itself, or an envelope around it. */
export declare function scoreBody(trace: Trace, options?: Omit<ScoreOptions, "plugins" | "known" | "found" | "timeout" | "signal">): Source;

/** Returns the value of an answer of handleRaw. It throws an error envelope as a BoundcheckError. */
export declare function parseAnswer(bytes: Uint8Array): any;

/** Returns an evaluator: a function that scores a run and returns {key, score, comment}. */
export declare function createEvaluator(options?: EvaluatorOptions): Evaluator;

/** Starts a worker with the core in it and checks the version. */
export declare function open(options?: OpenOptions): Promise<Client>;
