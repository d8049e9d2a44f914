import { ExtractError } from '../errors/extract-error.js';
import { isShortageCause, ShortageError } from '../errors/shortage.js';
import { UnreadableEncoding } from './body.js';
import { type ProxyError, proxyErrorOf } from './proxy-pool.js';

/** Why a request got no response, and whether a retry may help. */
export interface FetchFailure {
  readonly error: ExtractError;
  readonly isConnectionError: boolean;
}

/** Converts a failed tunnel to a call's error, which ends its routes; `what` names the host and the outcome. */
export function proxyFailure(what: string, cause: ProxyError): ExtractError {
  const code = cause.isTimeout ? 'platform_timeout' : 'platform_unavailable';
  return new ExtractError(code, `${what}: ${cause.message}.`, { cause, scope: 'address' });
}

const timeouts: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'it accepted the request but did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
};

const connection: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'there is no network to it',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNABORTED: 'the connection was broken off',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  EHOSTDOWN: 'there is no way to it',
  EHOSTUNREACH: 'there is no way to it',
  ENETDOWN: 'there is no network to it',
  ENETRESET: 'the connection was broken off',
  ENETUNREACH: 'there is no network to it',
  EPIPE: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
};

const lasting: Readonly<Record<string, string>> = {
  UND_ERR_CLOSED: 'the connections were closed',
  UND_ERR_DESTROYED: 'the connections were closed',
  UND_ERR_HEADERS_OVERFLOW: 'its answer has too many headers',
};

const certificate = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|UND_ERR_PRX_TLS|EPROTO$)/;

/**
 * Converts what a connection, a timeout or a decoder threw; null for a bug. The message names the host and what
 * happened, never an address or a port. For a request through a proxy it names the proxy's setting, because either may
 * have failed. Details are in the cause.
 */
export function failureOf(cause: unknown, host: string, proxySetting: string | null): FetchFailure | null {
  if (cause instanceof ExtractError) return { error: cause, isConnectionError: false };
  // Retried like a broken connection: a file descriptor may be free by then.
  if (isShortageCause(cause)) return { error: new ShortageError({ cause }), isConnectionError: true };
  const tunnel = proxyErrorOf(cause);
  if (tunnel !== null) {
    // The code that opened the tunnel has already retried.
    return { error: proxyFailure(`${host} could not be read`, tunnel), isConnectionError: false };
  }
  const failure = (
    code: 'platform_unavailable' | 'platform_timeout',
    what: string,
    isConnectionError = false,
  ) => {
    const isEither = proxySetting !== null && (isConnectionError || code === 'platform_timeout');
    const proxy = isEither ? ` (through the proxy of ${proxySetting}; check that setting)` : '';
    const error = new ExtractError(code, `${host} could not be read: ${what}${proxy}.`, { cause });
    return { error, isConnectionError };
  };
  if (cause instanceof UnreadableEncoding) {
    return failure('platform_unavailable', 'its answer is in an encoding that was not requested');
  }
  if (cause instanceof Error && cause.name === 'HTTPParserError') {
    return failure('platform_unavailable', 'its answer is not HTTP');
  }
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (typeof code !== 'string' || code === 'UND_ERR_INVALID_ARG') return null;
  if (code === 'ENOTFOUND') {
    const message = `Cannot find ${host} (DNS). Check that the machine that reads the page is online.`;
    return { error: new ExtractError('platform_unavailable', message, { cause }), isConnectionError: false };
  }
  const late = timeouts[code];
  if (late !== undefined) return failure('platform_timeout', late);
  const broken = connection[code];
  if (broken !== undefined) return failure('platform_unavailable', broken, true);
  const other = lasting[code];
  if (other !== undefined) return failure('platform_unavailable', other);
  if (certificate.test(code)) {
    const what = `its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS can name further authorities`;
    return failure('platform_unavailable', what);
  }
  return failure('platform_unavailable', 'its answer is cut off or corrupt');
}

export function totalTimeoutError(host: string): ExtractError {
  return new ExtractError('platform_timeout', `${host} could not be read: the answer took too long.`);
}
