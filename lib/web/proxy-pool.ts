import { type Dispatcher, Pool } from 'undici';
import { isShortageCause } from '../errors/shortage.js';

/** Why a tunnel did not come about: the words that end “the proxy …”, and whether another attempt may help. */
interface ProxyFault {
  readonly what: string;
  readonly isPassing: boolean;
  readonly isTimeout: boolean;
}

const passing = (what: string): ProxyFault => ({ what, isPassing: true, isTimeout: false });
const lasting = (what: string): ProxyFault => ({ what, isPassing: false, isTimeout: false });
const late: ProxyFault = { what: 'did not answer in time', isPassing: false, isTimeout: true };

const faults: Readonly<Record<string, ProxyFault>> = {
  UND_ERR_SOCKET: passing('closed the connection'),
  ECONNRESET: passing('closed the connection'),
  EPIPE: passing('closed the connection'),
  ECONNREFUSED: passing('refused the connection'),
  EHOSTUNREACH: passing('cannot be reached'),
  ENETUNREACH: passing('cannot be reached'),
  EAI_AGAIN: passing('cannot be found'),
  ENOTFOUND: lasting('cannot be found'),
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  ETIMEDOUT: late,
};

function faultOf(cause: unknown): ProxyFault {
  if (cause instanceof Error && cause.name === 'HTTPParserError') return lasting('does not answer in HTTP');
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return faults[code] ?? lasting('cannot be used');
}

function faultOfTunnel({ statusCode, socket }: Dispatcher.ConnectData<unknown>): ProxyFault | null {
  if (statusCode !== 200) return lasting(`answered with status ${statusCode}`);
  // Bytes before the first request come from the proxy itself: no host speaks first.
  return socket.readableLength > 0 ? lasting('does not tunnel') : null;
}

/**
 * A tunnel that did not come about. Nothing was sent to the host behind the proxy. undici connects again, without end,
 * for faults with some codes. It fails the request for this one.
 */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'ERR_PROXY';
  /** The proxy's action, without its name. */
  readonly what: string;
  /** True when another attempt may help. */
  readonly isPassing: boolean;
  readonly isTimeout: boolean;

  /** `setting` names the proxy: its address may hold a password. */
  constructor(setting: string, { what, isPassing, isTimeout }: ProxyFault, cause?: unknown) {
    super(`the proxy of ${setting} ${what}; check that setting`, cause === undefined ? undefined : { cause });
    this.what = what;
    this.isPassing = isPassing;
    this.isTimeout = isTimeout;
  }
}

/** The error of a connector where the other end closes the tunnel before TLS stands. */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The fault of a tunnel that was made and then closed. Null for any other fault of a connection over it. */
export function tunnelClosed(setting: string, cause: Error): ProxyError | null {
  if (proxyErrorOf(cause) !== null) return null;
  const isClosed = 'code' in cause && closedCodes.has(cause.code);
  return isClosed ? new ProxyError(setting, passing('closed the tunnel'), cause) : null;
}

/** The failed tunnel behind an error, or null. */
export function proxyErrorOf(error: unknown): ProxyError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProxyError) return cause;
  }
  return null;
}

/** The options as undici's declaration of a pool has them, which knows no `opaque`. */
type Plain = Dispatcher.ConnectOptions;

/** The connections to one proxy. A tunnel that does not come about rejects with `ProxyError`. */
export class ProxyPool extends Pool {
  readonly #setting: string;

  constructor(origin: string | URL, options: Pool.Options, setting: string) {
    super(origin, options);
    this.#setting = setting;
  }

  override connect<T = null>(
    options: Dispatcher.ConnectOptions<T>,
    callback: (error: Error | null, data: Dispatcher.ConnectData<T>) => void,
  ): void;
  override connect<T = null>(options: Dispatcher.ConnectOptions<T>): Promise<Dispatcher.ConnectData<T>>;
  override connect<T = null>(
    options: Dispatcher.ConnectOptions<T>,
    callback?: (error: Error | null, data: Dispatcher.ConnectData<T>) => void,
  ): Promise<Dispatcher.ConnectData<T>> | undefined {
    // undici's proxy agent takes the promise; the other form stays as it is.
    if (callback === undefined) return this.tunnel(options);
    super.connect(options as Plain, callback as never);
    return undefined;
  }

  /** A tunnel to the host and port that `path` names. */
  protected async tunnel<T>(options: Dispatcher.ConnectOptions<T>): Promise<Dispatcher.ConnectData<T>> {
    const data = await this.#connect(options).catch((cause: unknown) => {
      // No fault of the proxy.
      if (isShortageCause(cause)) throw cause;
      throw new ProxyError(this.#setting, faultOf(cause), cause);
    });
    const fault = faultOfTunnel(data);
    if (fault === null) return data;
    data.socket.on('error', () => {}).destroy();
    throw new ProxyError(this.#setting, fault);
  }

  #connect<T>(options: Dispatcher.ConnectOptions<T>): Promise<Dispatcher.ConnectData<T>> {
    return super.connect(options as Plain) as Promise<unknown> as Promise<Dispatcher.ConnectData<T>>;
  }
}
