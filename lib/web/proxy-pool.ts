import { type Dispatcher, Pool } from 'undici';
import { isShortageCause } from '../errors/shortage.js';

/** Why a tunnel failed: the words that complete “the proxy …”, and whether a retry may help. */
interface ProxyFault {
  readonly what: string;
  readonly isPassing: boolean;
  readonly isTimeout: boolean;
}

const passing = (what: string): ProxyFault => ({ what, isPassing: true, isTimeout: false });
const lasting = (what: string): ProxyFault => ({ what, isPassing: false, isTimeout: false });
const late: ProxyFault = { what: 'did not respond in time', isPassing: false, isTimeout: true };

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
  // Bytes before the first request come from the proxy itself, because no host speaks first.
  return socket.readableLength > 0 ? lasting('does not tunnel') : null;
}

/**
 * A tunnel that failed. Nothing was sent to the host behind the proxy. For some error codes undici reconnects forever;
 * this error makes it fail the request.
 */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'ERR_PROXY';
  /** What the proxy did, without its name. */
  readonly what: string;
  readonly isPassing: boolean;
  readonly isTimeout: boolean;

  /** `setting` names the proxy, whose address may contain a password. */
  constructor(setting: string, { what, isPassing, isTimeout }: ProxyFault, cause?: unknown) {
    super(`the proxy of ${setting} ${what}; check that setting`, cause === undefined ? undefined : { cause });
    this.what = what;
    this.isPassing = isPassing;
    this.isTimeout = isTimeout;
  }
}

/** The codes of a connector whose peer closed the tunnel before TLS was established. */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Returns the fault of a tunnel that was opened and then closed; null for any other fault of its connection. */
export function tunnelClosed(setting: string, cause: Error): ProxyError | null {
  if (proxyErrorOf(cause) !== null) return null;
  const isClosed = 'code' in cause && closedCodes.has(cause.code);
  return isClosed ? new ProxyError(setting, passing('closed the tunnel'), cause) : null;
}

export function proxyErrorOf(error: unknown): ProxyError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProxyError) return cause;
  }
  return null;
}

/** The options of undici's own declaration of a pool, which lacks `opaque`. */
type Plain = Dispatcher.ConnectOptions;

/** The connections to one proxy. A failed tunnel rejects with `ProxyError`. */
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
    // undici's proxy agent uses the promise; the callback form is unchanged.
    if (callback === undefined) return this.tunnel(options);
    super.connect(options as Plain, callback as never);
    return undefined;
  }

  /** Opens a tunnel to the host and port in `path`. */
  protected async tunnel<T>(options: Dispatcher.ConnectOptions<T>): Promise<Dispatcher.ConnectData<T>> {
    const data = await this.#connect(options).catch((cause: unknown) => {
      // Not the proxy's fault.
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
