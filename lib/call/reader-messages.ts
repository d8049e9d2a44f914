import type { MessagePort } from 'node:worker_threads';
import { type ErrorCode, ExtractError, type RefusedScope } from '../errors/extract-error.js';
import { ErrorRoute } from '../errors/outcomes.js';
import type { ReadResult } from '../routes/reading.js';
import { type Attempt, type Page, type PageRequest, PositionLost } from '../web/page-source.js';
import type { Question } from './read-endpoint.js';

/** A job for the reader thread: one reading, with its own port for requests. */
export interface ReadingOrder extends Omit<Question, 'session'> {
  /** Path of the endpoint. */
  readonly path: string;
  readonly runsPages: boolean;
  readonly port: MessagePort;
}

/** A numbered request of a reading to its session, or its final outcome. */
export type FromReading =
  | { readonly ask: number; readonly fetch: PageRequest }
  | { readonly ask: number; readonly cookie: readonly [url: string, name: string] }
  | { readonly attempt: Attempt }
  | { readonly reading: ReadResult<unknown> }
  | { readonly error: SerializedError };

/** The session's response. */
export type ToReading = { readonly ask: number } & (
  | { readonly page: Omit<Page, 'text'> }
  | { readonly cookie: string | null }
  | { readonly error: SerializedError }
);

/** An error between threads, where it would lose its class. */
export type SerializedError =
  | { readonly kind: 'error_route'; readonly subject: string }
  | { readonly kind: 'position_lost'; readonly message: string }
  | {
      readonly kind: 'outcome';
      readonly code: ErrorCode;
      readonly message: string;
      readonly retryAfter: number | undefined;
      readonly scope: RefusedScope;
      readonly cause: string | undefined;
    }
  | { readonly kind: 'fault'; readonly message: string }
  /** The session's own error, still in its thread: the response to that request. */
  | { readonly kind: 'answer'; readonly ask: number };

const wordsOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

export function serializeError(error: unknown): SerializedError {
  if (error instanceof ErrorRoute) return { kind: 'error_route', subject: error.subject };
  if (error instanceof PositionLost) return { kind: 'position_lost', message: error.message };
  if (!(error instanceof ExtractError)) return { kind: 'fault', message: wordsOf(error) };
  const { code, message, retryAfter, scope, cause } = error;
  return {
    kind: 'outcome',
    code,
    message,
    retryAfter,
    scope,
    cause: cause === undefined ? cause : wordsOf(cause),
  };
}

export function errorOf(reported: Exclude<SerializedError, { kind: 'answer' }>): Error {
  switch (reported.kind) {
    case 'error_route':
      return new ErrorRoute(reported.subject);
    case 'position_lost':
      return new PositionLost(reported.message);
    case 'fault':
      return new Error(reported.message);
    case 'outcome': {
      const { code, message, retryAfter, scope, cause } = reported;
      return new ExtractError(code, message, {
        next: '',
        scope,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        ...(cause === undefined ? {} : { cause: new Error(cause) }),
      });
    }
  }
}
