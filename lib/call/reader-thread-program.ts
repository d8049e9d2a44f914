// The reader thread: parses pages that would block a server's event loop, one message per reading.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { endpoints } from '../endpoints.js';
import { page } from '../web/page.js';
import type { Attempt, PageSession } from '../web/page-source.js';
import { readEndpoint } from './read-endpoint.js';
import {
  errorOf,
  type FromReading,
  type ReadingOrder,
  type SerializedError,
  serializeError,
  type ToReading,
} from './reader-messages.js';

/** The session of the main thread, over the reading's port. */
class RemoteSession implements PageSession {
  readonly runsPages: boolean;
  readonly #port: MessagePort;
  readonly #pending: ((answer: ToReading) => void)[] = [];
  /** The request number of each error from the session. */
  readonly #answers = new WeakMap<object, number>();

  constructor({ port, runsPages }: ReadingOrder) {
    this.#port = port;
    this.runsPages = runsPages;
    port.on('message', (answer: ToReading) => this.#pending[answer.ask]?.(answer));
  }

  async fetch(request: Parameters<PageSession['fetch']>[0]) {
    const answer = await this.#ask((ask) => ({ ask, fetch: request }));
    if (!('page' in answer)) throw new Error('The session has no such request.');
    const { url, status, headers, body } = answer.page;
    return page(url, status, headers, body);
  }

  async cookie(url: string, name: string) {
    const answer = await this.#ask((ask) => ({ ask, cookie: [url, name] }));
    return 'cookie' in answer ? answer.cookie : null;
  }

  report(attempt: Attempt): void {
    this.#send({ attempt });
  }

  /** The main thread ends the session. */
  end(error?: unknown): unknown {
    return error;
  }

  /**
   * Reports the outcome of the reading. The session's own error is named by its request, because it holds more than its
   * message.
   */
  finish(outcome: Extract<FromReading, { reading: unknown }> | { readonly thrown: unknown }): void {
    if ('reading' in outcome) this.#send(outcome);
    else this.#send({ error: this.#serialize(outcome.thrown) });
  }

  #serialize(thrown: unknown): SerializedError {
    const ask = typeof thrown === 'object' && thrown !== null ? this.#answers.get(thrown) : undefined;
    return ask === undefined ? serializeError(thrown) : { kind: 'answer', ask };
  }

  async #ask(questionOf: (ask: number) => FromReading): Promise<ToReading> {
    const ask = this.#pending.length;
    const answer = await new Promise<ToReading>((resolve) => {
      this.#pending.push(resolve);
      this.#send(questionOf(ask));
    });
    if (!('error' in answer) || answer.error.kind === 'answer') return answer;
    const error = errorOf(answer.error);
    this.#answers.set(error, ask);
    throw error;
  }

  #send(message: FromReading): void {
    this.#port.postMessage(message);
  }
}

parentPort?.on('message', async (order: ReadingOrder) => {
  const {
    path,
    identity,
    limit,
    position,
    overrides = null,
    beyond = false,
    refusedLately = [],
    alone,
  } = order;
  const session = new RemoteSession(order);
  try {
    const endpoint = endpoints.find((one) => one.path === path);
    if (endpoint === undefined) throw new Error(`There is no endpoint ${path}.`);
    const question = { identity, limit, position, session, overrides, beyond, refusedLately, alone };
    session.finish({ reading: await readEndpoint(endpoint, question) });
  } catch (thrown) {
    session.finish({ thrown });
  }
});
parentPort?.postMessage('ready');
