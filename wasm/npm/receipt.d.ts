// Receipts of the confirmation gate. docs/gate.md describes them.

/** In _meta of tools/call: the receipt. */
export declare const META: "io.github.boundcheck/receipt";
/** In _meta of tools/call: the exact text of the arguments. */
export declare const META_ARGUMENTS: "io.github.boundcheck/arguments";
/** Of HTTP requests to a tool server: the receipt. */
export declare const HEADER: "boundcheck-receipt";

/** How a call was decided. */
export type Decision = "approved" | "remembered" | "conversation" | "rule";
/** Why a receipt was refused. */
export type Refusal = "form" | "key" | "signature" | "issuer" | "audience" | "call" | "early" | "expired" | "decision" | "used";

export declare class ReceiptError extends Error {
  constructor(code: Refusal, text: string);
  code: Refusal;
}

/** What the gate says about one call that it handed out. Times are Unix seconds. */
export interface Receipt {
  iss: string;
  aud?: string;
  jti: string;
  iat: number;
  exp: number;
  tenant: string;
  agent: string;
  tool: string;
  digest: string;
  decision: Decision;
  /** Who said yes; `for` is the approver in whose place, by a delegation. */
  approvers?: { name: string; for?: string; channel?: string; at?: number }[];
  policy: string;
  rule?: string;
  edited?: boolean;
}

/** The gate's JSON Web Key Set. */
export interface KeySet {
  keys: { kty: string; crv: string; x: string; kid: string; alg: string; use?: string }[];
}

/** An unknown option is an error. */
export interface VerifierOptions {
  /** The gate's JSON Web Key Set, parsed or as text, or words of the form "ed25519:…" as in the key file. */
  keys: KeySet | string;
  /** The gate's address, or the name that it has for receipts. */
  issuer: string;
  /** Whose agents may call. */
  tenant: string;
  /** This tool server. A receipt for another, or for none, is refused; without it, a receipt for any server is. */
  audience?: string;
  /** The ways of deciding that count. Default: only "approved". */
  decisions?: Decision[];
  /** How many seconds the clocks may differ, at most 60. Default: 5. */
  leeway?: number;
  /** Marks a receipt as used until a time, in one step. False if it was marked before. Default: memory(). */
  spend?: (id: string, until: number) => Promise<boolean> | boolean;
  /** The time in Unix seconds. */
  now?: () => number;
}

export type Verify = (text: string, tool: string, args: string | Uint8Array) => Promise<Receipt>;

export declare function createVerifier(options: VerifierOptions): Promise<Verify>;
export declare function memory(options?: { limit?: number; now?: () => number }): (id: string, until: number) => Promise<boolean>;
export declare function digest(tool: string, args: string | Uint8Array, directory?: string): Promise<string>;
export declare function mcpTool(server: string, tool: string): string;
