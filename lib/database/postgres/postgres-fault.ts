import { ExtractError } from '../../errors/extract-error.js';
import { StorageError, type StorageFault } from '../../errors/storage-error.js';

interface Advice {
  readonly fault: StorageFault;
  /** What went wrong, and what to do next. */
  readonly message: string;
  /** Seconds until a retry. Undefined for a fault that needs intervention. */
  readonly retryAfter?: number;
}

const locked: Advice = {
  fault: 'locked',
  retryAfter: 1,
  message: 'Rows in the database have been locked for too long. Try again in a moment.',
};
const damaged: Advice = {
  fault: 'damaged',
  message: 'The database reports damaged data. Restore a backup.',
};
const unreachable: Advice = {
  fault: 'unreachable',
  retryAfter: 2,
  message:
    'The database cannot be reached. Check that it runs and that EXTRACT_DATABASE_URL is correct; calls work again as soon as it is back.',
};
const unencrypted: Advice = {
  fault: 'unreachable',
  message:
    'The connection to the database cannot be encrypted as configured. Check its certificate (NODE_EXTRA_CA_CERTS), or the sslmode of EXTRACT_DATABASE_URL.',
};
const slow: Advice = {
  fault: 'unreachable',
  retryAfter: 5,
  message: 'The database did not respond in time. Try again in a moment, and check what keeps it busy.',
};
const login: Advice = {
  fault: 'unwritable',
  message: 'The database refuses the login. Correct user and password in EXTRACT_DATABASE_URL.',
};
const failed: Advice = {
  fault: 'failed',
  message: 'The database failed. EXTRACT_DEBUG=1 shows the cause, as does the log of a server.',
};

/** By SQLSTATE: the full code takes precedence over its class. */
const states: Readonly<Record<string, Advice>> = {
  '08': unreachable,
  28: login,
  '3D000': {
    fault: 'unwritable',
    message:
      'The database named in EXTRACT_DATABASE_URL does not exist. Create it (createdb), or correct the name.',
  },
  '25006': {
    fault: 'unwritable',
    retryAfter: 5,
    message:
      'The database is a read-only standby. Point EXTRACT_DATABASE_URL to the primary; its name is resolved again for each connection.',
  },
  '25P03': slow,
  40: locked,
  42501: {
    fault: 'unwritable',
    message:
      'The user of EXTRACT_DATABASE_URL lacks rights in the database. Create a separate database that this user owns.',
  },
  '42P01': {
    fault: 'damaged',
    message: 'A table is missing in the database. Run “extract server database check”.',
  },
  53100: {
    fault: 'full',
    retryAfter: 60,
    message: 'The disk of the database is full. Free some space and try again.',
  },
  53200: {
    fault: 'exhausted',
    retryAfter: 5,
    message: 'The database ran out of memory. Try again in a moment, and reduce the load or add memory.',
  },
  53300: {
    fault: 'exhausted',
    retryAfter: 5,
    message:
      'The database accepts no more connections. Raise its max_connections, or lower EXTRACT_DATABASE_CONNECTIONS.',
  },
  55: locked,
  57014: slow,
  57: unreachable,
  58030: {
    fault: 'unreadable',
    message: 'The disk of the database failed during a read or write. Check the disk and try again.',
  },
  XX001: damaged,
  XX002: damaged,
};

const poolExhausted: Advice = {
  fault: 'exhausted',
  retryAfter: 1,
  message:
    'All connections to the database are in use. Try again in a moment; EXTRACT_DATABASE_CONNECTIONS raises their number.',
};

/** The driver's messages for errors without a code, as of version 8. */
const words: readonly (readonly [RegExp, Advice])[] = [
  [/timeout exceeded when trying to connect/, poolExhausted],
  [/Query read timeout/, slow],
  [/timeout expired/, unreachable],
  [/does not support SSL|SSL connection/, unencrypted],
  [/[Cc]onnection (terminated|error|ended)|not queryable|Client was closed/, unreachable],
  [/SASL|password/, login],
];

const network =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOENT|EADDRNOTAVAIL)$/;
const encryption = /^(ERR_TLS|ERR_SSL|UNABLE_|CERT_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

function adviceFor(cause: unknown): Advice {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (typeof code === 'string') {
    if (/^(EMFILE|ENFILE|ENOMEM)$/.test(code)) {
      return {
        fault: 'exhausted',
        retryAfter: 1,
        message:
          'The database cannot be reached: this machine ran out of file descriptors or memory. Try again in a moment; a higher limit (ulimit -n) prevents it.',
      };
    }
    if (network.test(code)) return unreachable;
    if (encryption.test(code)) return unencrypted;
    if (/^[0-9A-Z]{5}$/.test(code)) return states[code] ?? states[code.slice(0, 2)] ?? failed;
  }
  if (cause instanceof AggregateError) return adviceFor(cause.errors[0]);
  const text = cause instanceof Error ? cause.message : '';
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? failed;
}

/**
 * Converts a driver's error to one of the port, with the original as `cause`. Returns errors of the catalogue
 * unchanged.
 */
export function postgresFault(cause: unknown): ExtractError {
  if (cause instanceof ExtractError) return cause;
  const { fault, message, retryAfter } = adviceFor(cause);
  return new StorageError(fault, message, { cause, ...(retryAfter !== undefined && { retryAfter }) });
}

/** Returns the SQLSTATE of an error. Null if the server did not answer, undefined if the database was not involved. */
function stateOf(fault: unknown): string | null | undefined {
  if (!(fault instanceof StorageError) || fault.cause === undefined) return undefined;
  const { code, severity } = fault.cause as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : null;
}

/** Returns true if the connection is lost or hangs. The last statement may have been executed. */
export function isLost(fault: unknown): boolean {
  const state = stateOf(fault);
  // The connection is healthy; a number could not be represented exactly.
  if (state === null) return !((fault as Error).cause instanceof RangeError);
  return state !== undefined && /^(08|57P|25P03)/.test(state);
}

/** A read-only server. A new connection may lead elsewhere. */
export const isReadOnly = (fault: unknown) => stateOf(fault) === '25006';

/** Returns true if the work was undone only because of concurrent transactions, and can be repeated immediately. */
export function isConflict(fault: unknown): boolean {
  const state = stateOf(fault);
  return state === '40001' || state === '40P01';
}

/**
 * A migration has changed the columns of a statement prepared on this connection. The statement did nothing; another
 * connection prepares it again.
 */
export const isOutdated = (fault: unknown) =>
  stateOf(fault) === '0A000' && /cached plan/.test(String((fault as Error).cause));

/** A statement waited too long for another transaction's lock. */
export const isLocked = (fault: unknown) => stateOf(fault) === '55P03';

/** True if a local timeout expired. Such a wait is not repeated. */
export const isTimeout = (fault: unknown) =>
  stateOf(fault) === null && /timeout/i.test(String((fault as Error).cause));
