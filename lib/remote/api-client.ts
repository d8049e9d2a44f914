import { ExtractError } from '../errors/extract-error.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { readBody } from '../web/body.js';
import { type Connections, type ConnectionTimeouts, connections } from '../web/connections.js';
import { proxyFailure } from '../web/fetch-failure.js';
import { retryAfterSeconds } from '../web/headers.js';
import { type Proxies, type ProxySettings, proxiesOf, proxySettingOn } from '../web/proxies.js';
import { proxyErrorOf } from '../web/proxy-pool.js';
import { tunnelRetryDelay } from '../web/retry.js';
import { type ApiResponse, callApi, type ServerResponse } from './call-api.js';
import { parseErrorResponse } from './parse-error-response.js';

export interface ApiClientOptions {
  /** As returned by `baseUrlOf`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly userAgent: string;
  readonly proxy: ProxySettings;
  readonly timeouts: ConnectionTimeouts;
  readonly clock: Clock;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Disables the timeout between two chunks of the body. */
  readonly withoutBodyTimeout?: boolean;
}

const maxBytes = 64 * 1024 * 1024;
/** Maximum concurrent connections, enough for a batch. */
const maxConnections = 64;

/**
 * Resolves with the work's result, or rejects with the signal's reason immediately: undici notices an abort only once
 * it has a connection.
 */
function untilAborted<T>(work: Promise<T>, signal: CallSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The HTTP client of a server that reads the platforms on our behalf. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #connections: Connections;
  readonly #proxies: Proxies | null;
  readonly #origin: string;
  readonly #path: string;

  constructor(options: ApiClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.#options = options;
    this.#origin = origin;
    this.#path = pathname;
    this.#proxies = proxiesOf(options.proxy);
    this.#connections = connections(this.#proxies, options.timeouts, maxConnections);
  }

  /**
   * Makes one call of the API, as `callApi` describes. Throws the server's error, `platform_unavailable` if there is no
   * server, and the signal's reason.
   */
  get(
    path: string,
    query: Readonly<Record<string, string>>,
    signal?: CallSignal | undefined,
  ): Promise<ApiResponse> {
    return this.#call({ method: 'GET', path, query }, signal);
  }

  /** The same for a call that changes something; `body` is JSON. */
  post(
    path: string,
    { body, headers }: Pick<Request, 'body' | 'headers'>,
    signal?: CallSignal | undefined,
  ): Promise<ApiResponse> {
    return this.#call({ method: 'POST', path, query: {}, body, headers }, signal);
  }

  /** Returns the bytes of a response that may take long. Throws as `get` does. */
  async open(
    path: string,
    query: Readonly<Record<string, string>>,
    signal?: CallSignal | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    try {
      const request = { method: 'GET', path, query, withoutBodyTimeout: true } as const;
      const answer = await this.#sendThroughProxy(request, signal);
      if (answer.statusCode === 200) return this.#bytes(answer.body, signal);
      const { status, text, retryAfter } = await this.#read(answer);
      throw parseErrorResponse(status, text, retryAfter, this.#origin);
    } catch (cause) {
      throw this.#fault(cause, signal);
    }
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  #call(request: Request, signal: CallSignal | undefined): Promise<ApiResponse> {
    const server = { origin: this.#origin, clock: this.#options.clock };
    return callApi(() => this.#request(request, signal), server, signal);
  }

  async #request(request: Request, signal: CallSignal | undefined): Promise<ServerResponse> {
    try {
      return await this.#read(await this.#sendThroughProxy(request, signal));
    } catch (cause) {
      throw this.#fault(cause, signal);
    }
  }

  /** Sends a request, and repeats it if a proxy failed: the server received nothing. */
  async #sendThroughProxy(request: Request, signal: CallSignal | undefined) {
    for (let retries = 0; ; retries += 1) {
      signal?.throwIfAborted();
      try {
        return await untilAborted(this.#send(request, signal), signal);
      } catch (cause) {
        const delay = signal?.aborted ? null : tunnelRetryDelay(cause, retries, Math.random);
        if (delay === null) throw cause;
        await this.#options.clock.sleep(delay, signal);
      }
    }
  }

  #send({ method, path, query, body, headers, withoutBodyTimeout }: Request, signal: CallSignal | undefined) {
    const { apiKey, userAgent } = this.#options;
    return this.#connections.dispatcher.request({
      origin: this.#origin,
      path: `${this.#path}/${path}?${new URLSearchParams(query)}`,
      method,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      // 0 means no limit between two chunks.
      ...(withoutBodyTimeout === true ? { bodyTimeout: 0 } : {}),
      // undici only uses the members of CallSignal.
      ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
    });
  }

  async #read({ statusCode, headers, body }: Awaited<ReturnType<Connections['dispatcher']['request']>>) {
    const length = headers['content-length'];
    const bytes = await readBody(body, '', typeof length === 'string' ? length : undefined, maxBytes);
    const wait = headers['retry-after'];
    return {
      status: statusCode,
      text: Buffer.from(bytes).toString('utf8'),
      retryAfter: retryAfterSeconds(typeof wait === 'string' ? wait : undefined, this.#options.clock.now()),
    };
  }

  async *#bytes(
    body: AsyncIterable<Uint8Array>,
    signal: CallSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* body;
    } catch (cause) {
      throw this.#fault(cause, signal);
    }
  }

  #fault(cause: unknown, signal: CallSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    if (cause instanceof ExtractError) return cause;
    const tunnel = proxyErrorOf(cause);
    if (tunnel !== null) return proxyFailure(`The server at ${this.#origin} could not be reached`, tunnel);
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    const setting = proxySettingOn(this.#proxies, new URL(this.#origin));
    const proxy = setting === null ? '' : ` and the proxy of ${setting}`;
    return new ExtractError(
      'platform_unavailable',
      `The server at ${this.#origin} could not be reached, or closed the connection${reason}. Check its address${proxy} and try again.`,
      { cause },
    );
  }
}
