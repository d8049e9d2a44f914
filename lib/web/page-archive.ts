import type { ErrorCode } from '../errors/extract-error.js';
import type { Json } from '../read/json.js';
import type { WireExchange } from './page-source.js';

/** One exchange with a platform, as an archive keeps it. */
export interface ArchivedExchange extends WireExchange {
  /** Address of the answer, where it differs from that of the request: a browser follows redirects by itself. */
  readonly finalUrl?: string | undefined;
  /** `browser`: what the browser held, which need not be what the platform sent. */
  readonly by: 'network' | 'browser';
}

/** A page that a reader asked for, and the record of the answer, or the error that came in its place. */
export interface ArchivedFetch {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly by: 'network' | 'browser';
  /** ID of the record of the answer. */
  readonly record?: string;
  readonly failure?: { readonly code: ErrorCode; readonly message: string };
}

/** One reading: what was asked for, and the pages that the reader was given for it. With those it can be made again. */
export interface ArchivedReading {
  /** Path of the endpoint. */
  readonly endpoint: string;
  /** The parameters, reduced. */
  readonly identity: Readonly<Record<string, Json>>;
  readonly limit: number;
  /** Where in the list it began. */
  readonly position: { readonly position: Json; readonly seen: readonly string[]; readonly given?: number };
  /** The operator's replacements for the platform's dated data. */
  readonly overrides?: Json;
  readonly fetches: readonly ArchivedFetch[];
  /** When it ended, ISO 8601 UTC: `fetched_at` of its items. */
  readonly fetched_at: string;
  /** Where the next page of the list begins; null where none follows. */
  readonly next: Json;
  /** Code of the error that it ended with; null for an answer. */
  readonly error: ErrorCode | null;
  /** Version of the program that read the pages. */
  readonly version: string;
}

/**
 * The port to an archive of what was read. Both methods reject with a `StorageError` that names the archive where it
 * cannot be written: the caller must not believe that a page was kept.
 */
export interface PageArchive {
  /** Keeps an exchange, and gives the ID of the record of its answer. */
  addExchange(exchange: ArchivedExchange): Promise<string>;
  /** Keeps a reading, and gives the ID of its record. */
  addReading(reading: ArchivedReading): Promise<string>;
}
