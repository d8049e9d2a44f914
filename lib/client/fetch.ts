import type { CallSignal } from '../runtime/abort.js';

/** The runtime's own `AbortSignal`, if its types are known. */
type RuntimeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Declared } }
  ? Declared
  : CallSignal;

/** The options that the client passes to `fetch`. */
export interface FetchRequest {
  /** Calls change nothing at the server but the balance. */
  readonly method: 'GET';
  /** Includes the key. */
  readonly headers: Record<string, string>;
  /** Redirects are not followed, because they would carry the key elsewhere. */
  readonly redirect: 'manual';
  /** Ends the request. */
  readonly signal: RuntimeSignal;
}

/** The members of a `Response` that the client reads. */
export interface FetchAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: {
    /** Returns the value of a header; null if it is missing. */
    get(name: string): string | null;
  };
  /** Returns the complete body. */
  text(): Promise<string>;
}

/** The part of `fetch` that the client uses. Every runtime's global `fetch` has this type. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchAnswer>;
