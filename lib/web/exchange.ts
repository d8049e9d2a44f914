import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { readBody } from './body.js';
import { bodyTooLarge } from './body-bound.js';
import { tookTooLong } from './faults.js';
import { headerValues, type RawHeaders } from './headers.js';
import type { Target } from './redirects.js';

/** One answer as it came, its body decoded. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
}

export interface ExchangeLimits {
  readonly maxBytes: number;
  /** Milliseconds for the whole of it, body included. */
  readonly totalMs: number;
  readonly clock: Clock;
}

/**
 * Gathers an answer from what undici tells of it as it comes. A stream in between would cost more than the rest of
 * the request, and everything of the body is wanted before any of it is of use.
 */
class Gathering implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #maxBytes: number;
  #resolve!: (answer: Answer) => void;
  #reject!: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #givenUp: Error | undefined;
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

  /** Ends the exchange, and its connection where one stands: undici itself notices only then. */
  giveUp(reason: unknown): void {
    this.#reject(reason);
    this.#givenUp = reason instanceof Error ? reason : new Error('given up', { cause: reason });
    this.#controller?.abort(this.#givenUp);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#maxBytes) this.giveUp(bodyTooLarge(this.#maxBytes));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size > this.#maxBytes) this.giveUp(bodyTooLarge(this.#maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    // Many pages come in one piece, which needs no copy.
    const body = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}

/** The answer with its body as it was before it was encoded. */
async function decoded(answer: Answer, encoding: string, maxBytes: number): Promise<Answer> {
  const body = await readBody(Readable.from([answer.body]), encoding, undefined, maxBytes);
  return { ...answer, body };
}

/**
 * Sends one request and reads its answer to the end. Rejects with the signal's reason when aborted, with
 * `platform_timeout` after `totalMs`, with `platform_changed` for a body over the bound, encoded or not, and with
 * what the connection throws: nothing stays open then.
 */
export async function exchange(
  dispatcher: Dispatcher,
  { url, method, headers, body }: Target,
  { maxBytes, totalMs, clock }: ExchangeLimits,
  signal: CallSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const gathering = new Gathering(maxBytes);
  const abort = () => gathering.giveUp(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const done = clock.alarm(totalMs, () => gathering.giveUp(tookTooLong(url.hostname)));
  try {
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        // A copy: undici's proxy agent writes the host into it, which must not follow a redirect to another.
        headers: { ...headers },
        body: body ?? null,
      },
      gathering,
    );
    const answer = await gathering.answer;
    const encoding = headerValues(answer.headers, 'content-encoding').join(',');
    const plain = encoding === '' || answer.body.byteLength === 0;
    return plain ? answer : await decoded(answer, encoding, maxBytes);
  } finally {
    signal.removeEventListener('abort', abort);
    done();
  }
}
