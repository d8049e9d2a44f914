import type { CallSignal } from '../runtime/abort.js';

/** The runtime's own `AbortSignal`, where its types are known. */
type RuntimeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : CallSignal;

/** The options that the client passes to `fetch`. */
export interface FetchRequest {
  /** Nothing is changed at the server but the balance. */
  readonly method: 'GET';
  /** The key among them. */
  readonly headers: Record<string, string>;
  /** A redirect is not followed, as it would carry the key elsewhere. */
  readonly redirect: 'manual';
  /** Ends the request. */
  readonly signal: RuntimeSignal;
}

/** The members of a `Response` that the client reads. */
export interface FetchAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: {
    /** The value of a header; null where it is not there. */
    get(name: string): string | null;
  };
  /** The whole body. */
  text(): Promise<string>;
}

/** The part of `fetch` that the client uses; the global one of every runtime is such a function. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchAnswer>;
