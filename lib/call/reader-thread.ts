import { MessageChannel, Worker } from 'node:worker_threads';
import type { Endpoint } from '../endpoint.js';
import { ExtractError } from '../errors/extract-error.js';
import type { ReadResult } from '../routes/reading.js';
import type { Clock } from '../runtime/clock.js';
import { threadProgram } from '../runtime/package-root.js';
import type { Attempt, Page, PageRequest, PageSession } from '../web/page-source.js';
import { type EndpointReader, type Question, readEndpoint } from './read-endpoint.js';
import {
  errorOf,
  type FromReading,
  type ReadingOrder,
  type SerializedError,
  serializeError,
  type ToReading,
} from './reader-messages.js';

/**
 * Maximum bytes of a page parsed in the main thread. No page takes more than 100 ms of CPU time per megabyte, so 7 ms
 * here.
 */
const maxBytesHere = 64 * 1024;

/** Maximum megabytes of the thread's heap. A page of 5 MB takes at most 400. */
const maxHeapMb = 1024;

/** Maximum milliseconds of CPU time. A page that takes longer is designed to block its reader. */
const maxThinkingMs = 30_000;

/** The thread ended with readings in progress. */
class ThreadEnded extends ExtractError {
  /** False if the thread never started, for lack of resources. */
  readonly began: boolean;

  constructor(began: boolean, cause: unknown) {
    super('internal_error', 'The thread that reads large pages ended.', { cause });
    this.began = began;
  }
}

/** The pages of a session, each fetched once. A restarted reading receives the same ones. */
class FetchedPages {
  readonly session: PageSession;
  readonly #fetched: Promise<Page>[] = [];
  /** The outcomes of the routes, from the latest start of the reading. */
  attempts: Attempt[] = [];
  #reader = 0;

  constructor(session: PageSession) {
    this.session = session;
  }

  /** Starts a reading and discards what an earlier one recorded. */
  begin(): number {
    this.attempts = [];
    this.#reader += 1;
    return this.#reader;
  }

  report(): void {
    for (const attempt of this.attempts) this.session.report?.(attempt);
  }

  /**
   * Returns the page for a reader's request, after `before` earlier ones. A reader always sends the same requests in
   * the same order.
   */
  fetch(request: PageRequest, before: number): Promise<Page> {
    const fetched = this.#fetched[before] ?? this.session.fetch(request);
    this.#fetched[before] = fetched;
    return fetched;
  }

  /** The session of a reader in this thread. `onLarge` is called instead of returning a large page. */
  here(onLarge?: () => void): PageSession {
    let requests = 0;
    const reader = this.begin();
    return {
      runsPages: this.session.runsPages === true,
      fetch: async (request) => {
        const before = requests;
        requests += 1;
        const page = await this.fetch(request, before);
        if (onLarge === undefined || page.body.byteLength <= maxBytesHere) return page;
        onLarge();
        return new Promise<never>(() => undefined);
      },
      cookie: (url, name) => this.session.cookie(url, name),
      report: (attempt) => {
        if (this.#reader === reader) this.attempts.push(attempt);
      },
      end: (error) => error,
    };
  }
}

/** Serves the requests of a reading in the other thread. */
class SessionAnswers {
  readonly #pages: FetchedPages;
  readonly #errors = new Map<number, unknown>();
  #requests = 0;

  constructor(pages: FetchedPages) {
    this.#pages = pages;
  }

  async to(request: Extract<FromReading, { ask: number }>): Promise<ToReading> {
    const { ask } = request;
    try {
      if ('cookie' in request) return { ask, cookie: await this.#pages.session.cookie(...request.cookie) };
      const before = this.#requests;
      this.#requests += 1;
      const { url, status, headers, body } = await this.#pages.fetch(request.fetch, before);
      return { ask, page: { url, status, headers, body } };
    } catch (error) {
      this.#errors.set(ask, error);
      return { ask, error: serializeError(error) };
    }
  }

  errorOf(message: SerializedError): unknown {
    return message.kind === 'answer' ? this.#errors.get(message.ask) : errorOf(message);
  }
}

/**
 * Parses small pages inline and large ones in a worker thread, so that the server's event loop stays free. Readers are
 * pure, so a reading whose page turns out to be large restarts there with the pages it already received. The thread
 * starts with the first such page. If it ends, its readings end with it, and the next page starts another.
 */
export class ReaderThread {
  readonly #clock: Clock;
  readonly #program: URL;
  #worker: Worker | undefined;
  /** Ends readings in progress when their thread ends. */
  readonly #pending = new Set<(error: ThreadEnded) => void>();

  constructor(clock: Clock, program = threadProgram('lib/call/reader-thread-program')) {
    this.#clock = clock;
    this.#program = program;
  }

  readonly read: EndpointReader = (endpoint, question) => {
    const pages = new FetchedPages(question.session);
    return new Promise<ReadResult<unknown>>((resolve, reject) => {
      const onLarge = () => this.#readApart(endpoint, question, pages).then(resolve, reject);
      readEndpoint(endpoint, { ...question, session: pages.here(onLarge) }).then(resolve, reject);
    }).finally(() => pages.report());
  };

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #readApart(
    endpoint: Endpoint,
    question: Question,
    pages: FetchedPages,
  ): Promise<ReadResult<unknown>> {
    const worker = this.#start();
    const { port1: port, port2 } = new MessageChannel();
    const answers = new SessionAnswers(pages);
    pages.begin();
    let done = () => {};
    const think = () => {
      done = this.#clock.alarm(maxThinkingMs, () => void worker.terminate());
    };
    let giveUp = (_: ThreadEnded) => {};
    try {
      return await new Promise<ReadResult<unknown>>((resolve, reject) => {
        giveUp = reject;
        this.#pending.add(giveUp);
        port.on('message', async (message: FromReading) => {
          done();
          if ('attempt' in message) {
            pages.attempts.push(message.attempt);
            return think();
          }
          if ('reading' in message) return resolve(message.reading);
          if ('error' in message) return reject(answers.errorOf(message.error));
          port.postMessage(await answers.to(message));
          if (this.#pending.has(giveUp)) think();
        });
        const { session, ...query } = question;
        const runsPages = session.runsPages === true;
        const order: ReadingOrder = { ...query, path: endpoint.path, runsPages, port: port2 };
        worker.postMessage(order, [port2]);
        think();
      });
    } catch (error) {
      if (!(error instanceof ThreadEnded) || error.began) throw error;
      return await readEndpoint(endpoint, { ...question, session: pages.here() });
    } finally {
      done();
      this.#pending.delete(giveUp);
      port.close();
    }
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    let began = false;
    let cause: unknown;
    worker
      .once('message', () => {
        began = true;
      })
      .on('error', (error) => {
        cause = error;
      })
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
        for (const giveUp of this.#pending) giveUp(new ThreadEnded(began, cause));
      });
    // Does not keep a finished process alive.
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
