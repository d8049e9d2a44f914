import { catalogue, type ErrorCode, type ErrorType, isRetryable } from './catalogue.js';
import type { SeenPage } from './seen.js';

export {
  type CatalogueEntry,
  catalogue,
  type ErrorCode,
  type ErrorType,
  isErrorCode,
} from './catalogue.js';

/** The error object of the contract, in every face: API body, job line, stderr, tool answer. */
export interface ErrorObject {
  /** Class of the error. */
  readonly type: ErrorType;
  /** Stable: what to branch on. */
  readonly code: ErrorCode;
  /** Says what went wrong and what to do next; the wording may change. */
  readonly message: string;
  /** URL of the page that explains the code. */
  readonly docs: string;
  /** The same as `meta.request_id` and `X-Request-Id`. */
  readonly request_id: string;
}

/** Options of an error beside its message. */
export interface ErrorDetails {
  /** The next step, in place of the catalogue's words; empty where the message says it. */
  next?: string;
  /** The cause. */
  cause?: unknown;
  /** Id of the call. */
  requestId?: string;
  /** Address of the service whose documentation explains the code, without a trailing slash. */
  docsBase?: string;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
  /** The requests that the call sent to the platform, and their answers. */
  seen?: readonly SeenPage[];
  /** Records of an archive that hold what the call saw. */
  records?: readonly string[];
  /** True if the platform refuses the address that asks, whatever it asks for: the host rests. */
  ofAddress?: boolean;
}

/** Where the error pages are when nothing else is set: a server started on this machine. */
export const defaultDocsBase = 'http://localhost:8787';

/** True for a text that goes on after what was wrong: by a further sentence, or behind a semicolon. */
const saysNext = (text: string) => /[.!?][”)]?\s+\S|…\s+[A-Z]|;\s/.test(text);

/** What to do after an error. A platform that refuses the address rests for an hour. */
export const nextOf = ({
  code,
  ofAddress = false,
}: {
  readonly code: ErrorCode;
  readonly ofAddress?: boolean;
}) =>
  ofAddress
    ? 'Wait an hour, as the platform refuses this address whatever it asks for; nothing was charged.'
    : catalogue[code].next;

/** The fault and the next step, in one text. A message of its own that says both stays as it is. */
function withNext(problem: string, next: string): string {
  if (next === '' || problem.endsWith(next)) return problem;
  return `${/[.!?…”)]$/.test(problem) ? problem : `${problem}.`} ${next}`;
}

/** The only error that leaves this library. `code` is stable and is what to branch on. */
export class ExtractError extends Error {
  /** How the error is called where errors are printed. */
  override readonly name = 'ExtractError';
  /** Stable: what to branch on. */
  readonly code: ErrorCode;
  /** Class of the error. */
  readonly type: ErrorType;
  /** HTTP status that goes with the code. */
  readonly status: number;
  /** URL of the page that explains the code. */
  readonly docs: string;
  /** Same as `meta.request_id` and the ledger row's id; empty before a call has one. */
  readonly requestId: string;
  /** True where the same call may succeed later: after `retryAfter` seconds if there are any, else in a minute or so. */
  readonly retryable: boolean;
  /** Seconds after which another try makes sense, where that is known. */
  readonly retryAfter: number | undefined;
  /**
   * The requests that the failed call sent to the platform, and their answers, in order. It suffices to find the
   * reader at fault. Set where a page was requested and the error is of type `platform` or `not_found`; else empty.
   * No part of the JSON.
   */
  readonly seen: readonly SeenPage[];
  /** Records of the archive that hold what the call saw, where one is kept. No part of the JSON. */
  readonly records: readonly string[];
  /**
   * True if the platform refuses the address that asks, whatever it asks for. No part of the JSON.
   * @internal
   */
  readonly ofAddress: boolean;

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
    this.ofAddress = details.ofAddress ?? false;
  }

  /**
   * The same error under a request's id and a service's documentation address.
   * @internal
   */
  within(requestId: string, docsBase: string): ExtractError {
    return retold(this, this.message, detailsWithin(this, requestId, docsBase));
  }

  /**
   * The same error with a further sentence.
   * @internal
   */
  withSentence(sentence: string): ExtractError {
    return retold(this, `${this.message} ${sentence}`, detailsWithin(this, '', docsBaseOf(this)));
  }

  /**
   * The same error with other words for what happened.
   * @internal
   */
  withMessage(message: string): ExtractError {
    return retold(this, message, { ...detailsWithin(this, this.requestId, docsBaseOf(this)), next: '' });
  }

  /**
   * The same error with what its call saw of the platform.
   * @internal
   */
  withSeen(seen: readonly SeenPage[]): ExtractError {
    return retold(this, this.message, { ...detailsWithin(this, '', docsBaseOf(this)), seen });
  }

  /**
   * The same error with the records of an archive that hold what its call saw.
   * @internal
   */
  withRecords(records: readonly string[]): ExtractError {
    return retold(this, this.message, { ...detailsWithin(this, '', docsBaseOf(this)), records });
  }

  /**
   * An error of the same kind with another message and other details.
   * @internal
   */
  again(message: string, details: ErrorDetails): ExtractError {
    return new ExtractError(this.code, message, details);
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

/** Makes an error without noting where: nobody looks for that of a refusal, and it takes as long as the rest of one. */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function retold(error: ExtractError, message: string, details: ErrorDetails): ExtractError {
  const again = withoutStack(() => error.again(message, details));
  Object.defineProperty(again, 'stack', { configurable: true, get: () => error.stack });
  return again;
}

/** The address of the documentation that an error points to. */
export const docsBaseOf = ({ docs }: ExtractError): string =>
  docs.slice(0, docs.lastIndexOf('/docs/errors/'));

/** The fault alone, without what to do next. */
export const problemOf = (error: ExtractError): string => error.message.replace(nextOf(error), '').trim();

/** The details of an error that is reported under a request's id; the first id and what caused it stay. */
export function detailsWithin(error: ExtractError, requestId: string, docsBase: string): ErrorDetails {
  return {
    // The message has it already.
    next: '',
    requestId: error.requestId || requestId,
    docsBase,
    ...(error.cause === undefined ? {} : { cause: error.cause }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    ...(error.seen.length === 0 ? {} : { seen: error.seen }),
    ...(error.records.length === 0 ? {} : { records: error.records }),
    ...(error.ofAddress ? { ofAddress: true } : {}),
  };
}
