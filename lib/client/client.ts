import type { FunctionOptions } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { Functions } from '../functions.js';
import { baseUrlOf } from '../remote/base-url.js';
import { type ApiResponse, callApi, type ServerResponse } from '../remote/call-api.js';
import type { CallSignal } from '../runtime/abort.js';
import { type Clock, plainClock } from '../runtime/clock.js';
import { retryAfterSeconds } from '../web/headers.js';
import type { Fetch } from './fetch.js';
import { paths } from './paths.js';

/** The server of a client, and how to reach it. */
export interface ClientOptions {
  /** Address of the server, such as `https://extract.example.com`. The version (`/v1`) is optional. */
  readonly baseUrl: string;
  /** API key, `xt_live_…`. Without one the server answers only demo calls. */
  readonly apiKey?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Milliseconds that one attempt may take. Default 210,000: the maximum of a call at the server, plus the network. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the machine's clock. */
  readonly clock?: Clock | undefined;
}

const defaultTimeoutMs = 210_000;
/** Milliseconds before each retry of a call that reached no server. */
const retryDelaysMs = [500, 1000];

/** Codes of Node.js and Bun for a connection that was never made: nothing was sent or charged. */
const notConnected = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused']);
/** Deno only has a message for it. */
const notConnectedWords = 'client error (Connect)';

function* causesOf(error: unknown): Generator<Error> {
  for (let one = error; one instanceof Error; one = one.cause) yield one;
}

function codeOf(error: unknown): string | undefined {
  for (const one of causesOf(error)) if ('code' in one && typeof one.code === 'string') return one.code;
  return undefined;
}

function wasNeverConnected(error: unknown): boolean {
  if (notConnected.has(codeOf(error) ?? '')) return true;
  return [...causesOf(error)].some(({ message }) => message.includes(notConnectedWords));
}

class Server {
  readonly #base: string;
  readonly #origin: string;
  readonly #docsBase: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #clock: Clock;

  /** Throws `invalid_parameter` for an invalid address or key. */
  constructor({ baseUrl, apiKey: key, fetch: customFetch, timeoutMs, clock = plainClock }: ClientOptions) {
    this.#base = baseUrlOf(baseUrl, { url: 'baseUrl', key: 'apiKey' });
    this.#origin = new URL(this.#base).origin;
    this.#docsBase = this.#base.replace(/\/v1$/, '');
    // An empty environment variable is no key.
    const apiKey = key === '' ? undefined : key;
    // The error of `fetch` would quote an invalid header, and thus the key.
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw this.#error('invalid_parameter', 'apiKey must be a key such as xt_live_…, without blanks.');
    }
    this.#headers = {
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    // Looked up at each call, because programs replace it. Some runtimes require it to be called without a receiver.
    this.#fetch = customFetch ?? ((url, request) => fetch(url, request as RequestInit));
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs;
    this.#clock = clock;
  }

  /**
   * Makes one call of the API, as `callApi` describes. A call that reached no server, or is free, is tried three times.
   * Throws the server's error, `platform_unavailable` if there is no server, `platform_timeout`, and the signal's
   * reason.
   */
  async get(
    path: string,
    params: Readonly<Record<string, unknown>>,
    signal: CallSignal | undefined,
  ): Promise<ApiResponse> {
    const url = this.#urlOf(path, params);
    const delaysMs = retryDelaysMs.values();
    const send = async (): Promise<ServerResponse> => {
      signal?.throwIfAborted();
      try {
        return await this.#send(url, signal);
      } catch (cause) {
        if (signal?.aborted === true) throw signal.reason;
        const mayRepeat = params.demo === true || wasNeverConnected(cause);
        const wait = mayRepeat ? delaysMs.next().value : undefined;
        if (wait === undefined) throw this.#fault(cause);
        await this.#clock.sleep(wait, signal);
        return send();
      }
    };
    return callApi(send, { origin: this.#origin, docsBase: this.#docsBase, clock: this.#clock }, signal);
  }

  #urlOf(path: string, params: Readonly<Record<string, unknown>>): string {
    const url = new URL(`${this.#base}/${path}`);
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined) continue;
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        throw this.#error(
          'invalid_parameter',
          `The parameter ${name} must be a string, a number, or true or false.`,
        );
      }
      url.searchParams.append(name, String(value));
    }
    return url.href;
  }

  /** Makes one attempt, which ends with the caller's signal or at its timeout. */
  async #send(url: string, signal: CallSignal | undefined): Promise<ServerResponse> {
    const controller = new AbortController();
    const follow = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', follow, { once: true });
    const onTimeout = () =>
      controller.abort(
        this.#error(
          'platform_timeout',
          `The server at ${this.#origin} did not respond within ${this.#timeoutMs} ms.`,
        ),
      );
    const stop = this.#clock.alarm(this.#timeoutMs, onTimeout);
    try {
      const answer = await this.#fetch(url, {
        method: 'GET',
        headers: this.#headers,
        redirect: 'manual',
        signal: controller.signal,
      });
      return {
        status: answer.status,
        text: await answer.text(),
        retryAfter: retryAfterSeconds(answer.headers.get('retry-after') ?? undefined, this.#clock.now()),
      };
    } catch (cause) {
      // Some runtimes reject with their own error instead of the reason.
      throw controller.signal.aborted ? controller.signal.reason : cause;
    } finally {
      stop();
      signal?.removeEventListener('abort', follow);
    }
  }

  #fault(cause: unknown): ExtractError {
    if (cause instanceof ExtractError) return cause;
    const code = codeOf(cause);
    const reason = code === undefined ? '' : ` (${code})`;
    return this.#error(
      'platform_unavailable',
      `The server at ${this.#origin} could not be reached, or the connection broke${reason}.`,
      cause,
    );
  }

  #error(
    code: 'invalid_parameter' | 'platform_timeout' | 'platform_unavailable',
    message: string,
    cause?: unknown,
  ): ExtractError {
    return new ExtractError(code, message, { docsBase: this.#docsBase, cause });
  }
}

/** The functions of the library, run by a server: the same names, parameters, answers and errors. */
export type Client = Functions;

/**
 * Creates a client of a server. It requires nothing but `fetch`, and leaves nothing open between calls. Throws
 * `invalid_parameter` for an invalid address or key.
 */
export function createClient(options: ClientOptions): Client {
  const server = new Server(options);
  const functions = Object.entries(paths).map(([name, path]) => [
    name,
    (params: Readonly<Record<string, unknown>> = {}, options?: FunctionOptions) =>
      server.get(path, params, options?.signal),
  ]);
  return Object.fromEntries(functions) as Client;
}
