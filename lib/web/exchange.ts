import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { readBody } from './body.js';
import { totalTimeoutError } from './fetch-failure.js';
import { headerValues, type RawHeaders } from './headers.js';
import { bodyTooLarge } from './page.js';
import type { Target } from './redirects.js';

/** One response, with its body decoded. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
  /** Bytes of the body as transferred. */
  readonly sentBytes: number;
}

export interface ExchangeLimits {
  readonly maxBytes: number;
  /** Total milliseconds, including the body. */
  readonly totalMs: number;
  readonly clock: Clock;
}

/**
 * Collects a response from undici's callbacks. A stream would cost more than the rest of the request, and readers need
 * the complete body anyway.
 */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #maxBytes: number;
  #resolve!: (answer: Answer) => void;
  #reject!: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #abortReason: Error | undefined;
  #status = 0;
  #headers: RawHeaders = {};
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends the exchange and closes its connection, which undici would notice only later. */
  abort(reason: unknown): void {
    this.#reject(reason);
    this.#abortReason = reason instanceof Error ? reason : new Error('given up', { cause: reason });
    this.#controller?.abort(this.#abortReason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortReason !== undefined) controller.abort(this.#abortReason);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#maxBytes) this.abort(bodyTooLarge(this.#maxBytes));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size > this.#maxBytes) this.abort(bodyTooLarge(this.#maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    // Many pages arrive in one chunk, which needs no copy.
    const body = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ status: this.#status, headers: this.#headers, body, sentBytes: this.#size });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}

async function decodeBody(answer: Answer, encoding: string, maxBytes: number): Promise<Answer> {
  const body = await readBody(Readable.from([answer.body]), encoding, undefined, maxBytes);
  return { ...answer, body };
}

/**
 * Sends one request and reads the complete response. Rejects with the signal's reason if aborted, with
 * `platform_timeout` after `totalMs`, or with the connection's error. A body over the limit, encoded or not, is
 * `platform_changed`. Leaves nothing open.
 */
export async function exchange(
  dispatcher: Dispatcher,
  { url, method, headers, body }: Target,
  { maxBytes, totalMs, clock }: ExchangeLimits,
  signal: CallSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const handler = new ResponseHandler(maxBytes);
  const onAbort = () => handler.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const stopTimer = clock.alarm(totalMs, () => handler.abort(totalTimeoutError(url.hostname)));
  try {
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        // Copied: undici's proxy agent adds the host, which must not follow a redirect to another.
        headers: { ...headers },
        body: body ?? null,
      },
      handler,
    );
    const answer = await handler.answer;
    const encoding = headerValues(answer.headers, 'content-encoding').join(',');
    const plain = encoding === '' || answer.body.byteLength === 0;
    return plain ? answer : await decodeBody(answer, encoding, maxBytes);
  } finally {
    signal.removeEventListener('abort', onAbort);
    stopTimer();
  }
}
