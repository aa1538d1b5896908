// The client of the confirmation gate. docs/gate-agents.md describes it.
import { Operations, type Grant, type Record as ProposalRecord, type Standing } from "./operations.js";

export * from "./operations.js";

export interface GateOptions {
  /** The gate's address. */
  url: string;
  /** The key of an agent; for decide, of an approver. */
  key: string;
  fetch?: typeof fetch;
  /** Milliseconds after which a request that waits for nobody has failed. Default: 15,000. */
  timeout?: number;
  /** How often a request is repeated that may be repeated. Default: 5. */
  retries?: number;
}

/** A call that an agent wants to make. The other members are those of the API. */
export interface Proposed {
  tool: string;
  arguments: unknown;
  session?: string;
  tools?: unknown[];
  policy?: string;
  messages?: unknown[];
  elsewhere?: boolean;
  /** In which the call runs. It is shown, and another directory needs another yes. */
  directory?: string;
}

/** A call that waits for people, as an approval screen shows it. A decision names its digest. */
export interface Question {
  decision: "confirm";
  id: string;
  tool: string;
  /** The JSON text of the arguments. */
  arguments: string;
  directory?: string;
  state?: string;
  /** The deterministic text that people decide. */
  prompt: string;
  digest: string;
  /** What the model is told before the call. */
  reflection?: string;
  reason?: string;
  rule?: string;
  line?: number;
  expires: string;
  /** The page on which people decide it. */
  url: string;
  /** An approver changed the call. */
  edited: boolean;
  record?: ProposalRecord;
}

export type Asked = Question | { decision: "allow"; tool: string; arguments: string };

/**
 * Why a call did not run. "lost": the answer to the claim was lost. "doubt": an answer was not
 * about this call. "stopped": it was approved, but the policy does not let it run now.
 */
export type Reason = "denied" | "answered" | "expired" | "cancelled" | "waiting" | "claimed" | "lost" | "stopped" | "doubt" | "unavailable";

export interface How {
  /** The exact text of the arguments. */
  bytes: string;
  edited: boolean;
  receipt?: string;
}

export interface Ran<T> extends How {
  value: T;
  /** False if the gate did not say that it stored the outcome. The call then counts as ambiguous. */
  reported: boolean;
  /** Missing if the call was allowed without a question. */
  id?: string;
}

export declare class GateError extends Error {
  constructor(code: string, status: number, message: string, after?: number);
  code: string;
  /** The HTTP status, or 0 if no whole answer came. */
  status: number;
  after: number;
}

/** Why a call does not run that is not approved, in the words for the model. */
export declare function endOf(record: ProposalRecord): NotRun;

export declare class NotRun extends Error {
  constructor(reason: Reason, message: string, id?: string);
  reason: Reason;
  id?: string;
}

interface Waiting {
  /** Seconds. */
  wait?: number;
  signal?: AbortSignal;
}

export declare class Gate extends Operations {
  constructor(options: GateOptions);
  protected send(method: string, path: string, parts: object): Promise<any>;
  /** A run names an attempt to run the call: of all with one key, only the first may run a call that the policy allows. */
  ask(call: Proposed, options?: { key?: string; run?: string; signal?: AbortSignal }): Promise<Asked>;
  follow(question: Question, options?: Waiting): Promise<Question>;
  wait(question: Question, options?: Waiting): Promise<Question>;
  decide(question: { id: string; digest: string }, approve: boolean, more?: { reason?: string; acknowledge?: boolean; seen?: string }): Promise<Standing>;
  claim(question: Question, options?: Waiting): Promise<Grant>;
  report(grant: Grant, status: "executed" | "failed" | "ambiguous", more?: { detail?: string; result?: unknown }): Promise<boolean>;
  run<T>(call: Proposed, execute: (args: any, how: How) => T | Promise<T>, options?: Waiting & { key?: string }): Promise<Ran<T>>;
}
