import { EventEmitter } from 'node:events';
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.js';
import { readBody } from './body.js';
import { tookTooLong } from './faults.js';
import { headerValues, type RawHeaders } from './headers.js';
import type { Target } from './redirects.js';

/** One answer as it came, its body decoded. */
export interface Answer {
  readonly status: number;
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
 * Sends one request and reads its answer to the end. Rejects with the signal's reason when aborted, with
 * `platform_timeout` after `totalMs`, and with what the connection throws: nothing stays open then.
 */
export async function exchange(
  dispatcher: Dispatcher,
  { url, method, headers, body }: Target,
  { maxBytes, totalMs, clock }: ExchangeLimits,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  // What undici listens to; an AbortSignal for each request is dear.
  const end = Object.assign(new EventEmitter(), { aborted: false, reason: undefined as unknown });
  let giveUp = (_reason: unknown) => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = (reason) => {
      end.aborted = true;
      end.reason = reason;
      end.emit('abort');
      reject(reason);
    };
  });
  const abort = () => giveUp(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const done = clock.alarm(totalMs, () => giveUp(tookTooLong(url.hostname)));
  try {
    const asked = dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      // A copy: undici's proxy agent writes the host into it, which must not follow a redirect to another.
      headers: { ...headers },
      body: body ?? null,
      signal: end,
    });
    // Not left to undici, which notices an abort only when a connection stands.
    const response = await Promise.race([asked, givenUp]);
    const encoding = headerValues(response.headers, 'content-encoding').join(',');
    const length = headerValues(response.headers, 'content-length')[0];
    return {
      status: response.statusCode,
      headers: response.headers,
      body: await readBody(response.body, encoding, length, maxBytes),
    };
  } catch (error) {
    throw end.aborted ? end.reason : error;
  } finally {
    signal.removeEventListener('abort', abort);
    done();
  }
}
