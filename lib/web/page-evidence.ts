import type { ErrorCode } from '../errors/extract-error.js';
import type { Json } from '../read/json.js';
import type { WireExchange } from './page-source.js';

/** One exchange with a platform, as recorded. */
export interface RecordedExchange extends WireExchange {
  /** Address of the response if it differs from the request's, because a browser follows redirects itself. */
  readonly finalUrl?: string | undefined;
  /** `browser`: what the browser rendered, which may differ from what the platform sent. `sample`: an invented page. */
  readonly by: 'network' | 'browser' | 'sample';
}

/** A page that a reader fetched: the record of the response, or the error instead. */
export interface RecordedFetch {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly by: 'network' | 'browser';
  /** ID of the response's record. */
  readonly record?: string;
  readonly failure?: { readonly code: ErrorCode; readonly message: string };
}

/** One reading: the request, and the pages the reader received, from which it can be repeated. */
export interface RecordedReading {
  /** Path of the endpoint. */
  readonly endpoint: string;
  /** The pages are samples, which no platform sent. */
  readonly sample?: true;
  /** The parameters in canonical form. */
  readonly identity: Readonly<Record<string, Json>>;
  readonly limit: number;
  /** Where in the list it started. */
  readonly position: { readonly position: Json; readonly seen: readonly string[]; readonly given?: number };
  /** The operator's replacements for the platform's dated data. */
  readonly overrides?: Json;
  readonly fetches: readonly RecordedFetch[];
  /** When it ended, ISO 8601 UTC; equals `fetched_at` of its items. */
  readonly fetched_at: string;
  /** Where the next page of the list begins; null after the last. */
  readonly next: Json;
  /** Code of its error; null for an answer. */
  readonly error: ErrorCode | null;
  /** Version of the program that read the pages. */
  readonly version: string;
}

/**
 * Records readings as evidence. Both methods reject with a `StorageError` that names an archive that cannot be written,
 * so that callers never assume a page was stored.
 */
export interface PageEvidence {
  /** Stores an exchange and returns the ID of its response's record. */
  addExchange(exchange: RecordedExchange): Promise<string>;
  /** Stores a reading and returns the ID of its record. */
  addReading(reading: RecordedReading): Promise<string>;
}
