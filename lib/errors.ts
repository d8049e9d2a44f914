import { catalogue, type ErrorCode, type ErrorType } from './error-catalogue.js';

export {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorType,
  isErrorCode,
} from './error-catalogue.js';

/** The error object of the contract, in every face: API body, job line, stderr, tool answer. */
export interface ErrorObject {
  readonly type: ErrorType;
  readonly code: ErrorCode;
  readonly message: string;
  readonly docs: string;
  readonly request_id: string;
}

export interface ErrorDetails {
  cause?: unknown;
  requestId?: string;
  /** Address of the service whose documentation explains the code, without a trailing slash. */
  docsBase?: string;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
}

/** Where the error pages are when nothing else is set: a server started on this machine. */
export const defaultDocsBase = 'http://localhost:8787';

/** The only error that leaves this library. `code` is stable and is what to branch on. */
export class ExtractError extends Error {
  override readonly name = 'ExtractError';
  readonly code: ErrorCode;
  readonly type: ErrorType;
  /** HTTP status that goes with the code. */
  readonly status: number;
  /** Address of the page that explains the code. */
  readonly docs: string;
  /** Same as `meta.request_id` and the ledger row's id; empty before a call has one. */
  readonly requestId: string;
  /** Seconds after which another try makes sense, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}) {
    super(
      message ?? catalogue[code].summary,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.type = catalogue[code].type;
    this.status = catalogue[code].status;
    this.docs = `${details.docsBase ?? defaultDocsBase}/docs/errors/${code}`;
    this.requestId = details.requestId ?? '';
    this.retryAfter = details.retryAfter;
  }

  /** The same error, told under a request's id and a service's documentation address. */
  within(requestId: string, docsBase: string): ExtractError {
    const told = new ExtractError(this.code, this.message, {
      requestId: this.requestId || requestId,
      docsBase,
      ...(this.cause === undefined ? {} : { cause: this.cause }),
      ...(this.retryAfter === undefined ? {} : { retryAfter: this.retryAfter }),
    });
    if (this.stack !== undefined) told.stack = this.stack;
    return told;
  }

  /** Exactly the five documented keys. */
  toJSON(): ErrorObject {
    return {
      type: this.type,
      code: this.code,
      message: this.message,
      docs: this.docs,
      request_id: this.requestId,
    };
  }
}
