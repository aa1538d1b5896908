import type { Decision, Handshake, Report } from "./types.d.ts";

export type * from "./types.d.ts";

/** A text or its bytes. Strings are sent as UTF-8. */
export type Source = string | Uint8Array | ArrayBuffer;

export interface OpenOptions {
  /** The module: compiled, as bytes, or where it is. Default: boundcheck.wasm beside the client. */
  wasm?: WebAssembly.Module | Uint8Array<ArrayBuffer> | ArrayBuffer | URL | string;
  /** Makes the worker that runs worker.js, where the default (a module beside the client) does not fit. */
  worker?: () => WorkerLike | Promise<WorkerLike>;
  /** Milliseconds a call may take before its worker is ended; default 60000, Infinity for none. */
  timeout?: number;
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
}

/** One call that an agent proposes. */
export interface Proposal {
  tool: string;
  /** The arguments, or a JSON text that holds them (kept byte for byte). */
  arguments?: Record<string, unknown> | string;
  /** OpenAI or MCP tool definitions. */
  tools?: unknown[];
  policy?: string;
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
  constructor(code: string, message: string, more?: { line?: number; column?: number; seen?: string; formats?: string[] });
  /** The core's invalid-input, unknown-method, too-large, internal; the client's timeout, cancelled, dead, version, closed. */
  code: string;
  /** From 1, when the place is known. */
  line?: number;
  column?: number;
  /** What the input looked like. */
  seen?: string;
  /** What would have been read. */
  formats?: string[];
}

export declare class Client {
  constructor(options?: OpenOptions);
  /** What the core said of itself, after the first start. */
  version?: Handshake;
  /** Scores a trace in any supported format. */
  score(trace: Source, options?: ScoreOptions): Promise<Report>;
  /** Asks the gate about one proposed call. */
  check(proposal: Proposal | Source, options?: CallOptions): Promise<Decision>;
  /** The core's exact answer, a result or an error envelope, ending in a newline. */
  handleRaw(method: string, body: Source, options?: CallOptions): Promise<Uint8Array>;
  /** Ends the worker; what waits there is rejected. */
  close(): Promise<void>;
}

/** The body of a score call, for handleRaw: the trace itself, or an envelope around it. */
export declare function scoreBody(trace: Source, options?: ScoreOptions): Source;

/** The value of an answer of handleRaw; an error envelope is thrown as BoundcheckError. */
export declare function parseAnswer(bytes: Uint8Array): any;

/** Starts a worker with the core in it and shakes hands. */
export declare function open(options?: OpenOptions): Promise<Client>;
