import { catalogue, type ErrorCode, type ErrorType, isRetryable } from './catalogue.js';
import type { SeenPage } from './seen.js';

export {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorType,
  isErrorCode,
} from './catalogue.js';

/** The error object of the contract, the same everywhere: API body, job line, stderr, tool answer. */
export interface ErrorObject {
  /** Class of the error. */
  readonly type: ErrorType;
  /** Stable; branch on it. */
  readonly code: ErrorCode;
  /** Says what went wrong and what to do next. The wording may change. */
  readonly message: string;
  /** URL of the page that explains the code. */
  readonly docs: string;
  /** The same as `meta.request_id` and `X-Request-Id`. */
  readonly request_id: string;
}

/**
 * What is refused: one subject, every subject on a surface, or every request of this address. The last includes a proxy
 * that fails.
 */
export type RefusedScope = 'subject' | 'surface' | 'address';

/** Optional details of an error. */
export interface ErrorDetails {
  /** The next step, replacing the catalogue's. Empty if the message includes it. */
  next?: string;
  /** The cause. */
  cause?: unknown;
  /** Id of the call. */
  requestId?: string;
  /** Base address of the service whose documentation explains the code, without a trailing slash. */
  docsBase?: string;
  /** Seconds until a retry. */
  retryAfter?: number;
  /** The requests that the call sent to the platform, and their answers. */
  seen?: readonly SeenPage[];
  /** Records of an archive that hold what the call received. */
  records?: readonly string[];
  /** Name of the field of a request that the error is about. */
  field?: string;
  /** What the platform refuses; by default the subject. */
  scope?: RefusedScope;
  /** True if another route of the platform answered, and shows nothing of the subject. */
  answeredElsewhere?: boolean;
}

/** The default location of error pages: a server started on this machine. */
export const defaultDocsBase = 'http://localhost:8787';

/** Returns true if the text continues after the problem, with another sentence or a semicolon. */
const saysNext = (text: string) => /[.!?][”)]?\s+\S|…\s+[A-Z]|;\s/.test(text);

/** Returns what to do after an error. A platform that refuses the address rests for an hour. */
export const nextOf = ({ code, scope }: { readonly code: ErrorCode; readonly scope?: RefusedScope }) =>
  scope === 'address' && code !== 'platform_unavailable' && code !== 'platform_timeout'
    ? 'Wait an hour, because the platform refuses every request from this address.'
    : catalogue[code].next;

/** Appends the next step to a problem, unless the message has it. */
function withNext(problem: string, next: string): string {
  if (next === '' || problem.endsWith(next)) return problem;
  return `${/[.!?…”)]$/.test(problem) ? problem : `${problem}.`} ${next}`;
}

/** The only error that leaves this library. `code` is stable; branch on it. */
export class ExtractError extends Error {
  /** The name of the error when it is printed. */
  override readonly name = 'ExtractError';
  /** Stable; branch on it. */
  readonly code: ErrorCode;
  /** Class of the error. */
  readonly type: ErrorType;
  /** HTTP status that goes with the code. */
  readonly status: number;
  /** URL of the page that explains the code. */
  readonly docs: string;
  /** Same as `meta.request_id` and the ledger row's id; empty before a call has one. */
  readonly requestId: string;
  /** True if the same call may succeed later: after `retryAfter` seconds if set, otherwise in about a minute. */
  readonly retryable: boolean;
  /** Seconds until a retry, if known. */
  readonly retryAfter: number | undefined;
  /**
   * The requests that the failed call sent to the platform, and their answers, in order: enough to find the reader at
   * fault. Set if a page was requested and the error is of type `platform` or `not_found`, otherwise empty. Not part of
   * the JSON.
   */
  readonly seen: readonly SeenPage[];
  /** Records of the archive, if there is one, that hold what the call received. Not part of the JSON. */
  readonly records: readonly string[];
  /**
   * What the platform refuses. Not part of the JSON.
   *
   * @internal
   */
  readonly scope: RefusedScope;
  /**
   * True if another route of the platform answered, and shows nothing of the subject: no address is refused. Not part
   * of the JSON.
   *
   * @internal
   */
  readonly answeredElsewhere: boolean;

  /**
   * Name of the field of a request that the error is about, if it is about one. Not part of the JSON.
   *
   * @internal
   */
  readonly field: string | undefined;

  constructor(code: ErrorCode, message?: string, details: ErrorDetails = {}) {
    super(
      withNext(
        message ?? catalogue[code].summary,
        details.next ?? (message !== undefined && saysNext(message) ? '' : nextOf({ ...details, code })),
      ),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.type = catalogue[code].type;
    this.status = catalogue[code].status;
    this.docs = `${details.docsBase ?? defaultDocsBase}/docs/errors/${code}`;
    this.requestId = details.requestId ?? '';
    this.retryable = isRetryable(code);
    this.retryAfter = details.retryAfter;
    this.seen = details.seen ?? [];
    this.records = details.records ?? [];
    this.scope = details.scope ?? 'subject';
    this.answeredElsewhere = details.answeredElsewhere ?? false;
    this.field = details.field;
  }

  /**
   * Returns the same error with a request's id and a service's documentation address.
   *
   * @internal
   */
  within(requestId: string, docsBase: string): ExtractError {
    return reworded(this, this.message, detailsWithin(this, requestId, docsBase));
  }

  /**
   * Returns the same error with another sentence appended.
   *
   * @internal
   */
  withSentence(sentence: string): ExtractError {
    return reworded(this, `${this.message} ${sentence}`, detailsWithin(this, '', docsBaseOf(this)));
  }

  /**
   * Returns the same error with another message.
   *
   * @internal
   */
  withMessage(message: string): ExtractError {
    return reworded(this, message, { ...detailsWithin(this, this.requestId, docsBaseOf(this)), next: '' });
  }

  /**
   * Returns the same error with the pages that its call received.
   *
   * @internal
   */
  withSeen(pages: readonly SeenPage[]): ExtractError {
    return reworded(this, this.message, { ...detailsWithin(this, '', docsBaseOf(this)), seen: pages });
  }

  /**
   * Returns the same error with the archive records that hold what its call received.
   *
   * @internal
   */
  withRecords(records: readonly string[]): ExtractError {
    return reworded(this, this.message, { ...detailsWithin(this, '', docsBaseOf(this)), records });
  }

  /**
   * Returns the same error about a field of a request, unless it already names one.
   *
   * @internal
   */
  ofField(field: string): ExtractError {
    return reworded(this, this.message, { field, ...detailsWithin(this, '', docsBaseOf(this)) });
  }

  /**
   * Returns an error of the same kind with another message and other details.
   *
   * @internal
   */
  again(message: string, details: ErrorDetails): ExtractError {
    return created(this.code, message, details);
  }

  /** Returns exactly the five documented keys. */
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

/** Outside the class, because the client's bundler renames a class that refers to itself, and Node prints that name. */
const created = (code: ErrorCode, message: string, details: ErrorDetails) =>
  new ExtractError(code, message, details);

/** Creates an error without a stack trace, which would double its cost. */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function reworded(error: ExtractError, message: string, details: ErrorDetails): ExtractError {
  const again = withoutStack(() => error.again(message, details));
  Object.defineProperty(again, 'stack', { configurable: true, get: () => error.stack });
  return again;
}

export const docsBaseOf = ({ docs }: ExtractError): string =>
  docs.slice(0, docs.lastIndexOf('/docs/errors/'));

/** Returns the problem without what to do next. */
export const problemOf = (error: ExtractError): string => error.message.replace(nextOf(error), '').trim();

/** Returns the details of an error reported under a request's id. The first id and the cause stay. */
export function detailsWithin(error: ExtractError, requestId: string, docsBase: string): ErrorDetails {
  return {
    // The message includes it.
    next: '',
    requestId: error.requestId || requestId,
    docsBase,
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    ...(error.seen.length === 0 ? {} : { seen: error.seen }),
    ...(error.records.length === 0 ? {} : { records: error.records }),
    ...(error.scope === 'subject' ? {} : { scope: error.scope }),
    ...(error.answeredElsewhere ? { answeredElsewhere: true } : {}),
    ...(error.field === undefined ? {} : { field: error.field }),
  };
}

/** Returns the error of a parameter, a setting or a file that cannot be used. */
export const invalidParameter = (message: string, details?: ErrorDetails) =>
  new ExtractError('invalid_parameter', message, details);
