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
  type ToldError,
  type ToReading,
  toldError,
} from './reader-messages.js';

/**
 * Bytes of a page that is read in the thread of the server itself. The worst page that was found takes 320 ms of
 * processor time a megabyte on a busy machine (2026-11), so 20 here.
 */
const maxBytesHere = 64 * 1024;

/** Megabytes of objects that the thread may hold: a page of 5 MB takes 400 at most. */
const maxHeapMb = 1024;

/** Milliseconds for which a reading may think: past that, a page was made to hold its reader. */
const maxThinkingMs = 30_000;

/** The thread ended with readings under way. */
class ThreadEnded extends ExtractError {
  /** False where it never began: the machine had nothing left for a thread. */
  readonly began: boolean;

  constructor(began: boolean, cause: unknown) {
    super('internal_error', 'The thread that reads large pages ended.', { cause });
    this.began = began;
  }
}

/** The pages of a session, each fetched once: a reading that begins anew is given the same ones. */
class FetchedPages {
  readonly session: PageSession;
  readonly #fetched: Promise<Page>[] = [];
  /** What came of the routes, by the reading that began last. */
  attempts: Attempt[] = [];
  #reader = 0;

  constructor(session: PageSession) {
    this.session = session;
  }

  /** Begins a reading: what an earlier one noted is void. */
  begin(): number {
    this.attempts = [];
    this.#reader += 1;
    return this.#reader;
  }

  /** Passes on what came of the routes. */
  report(): void {
    for (const attempt of this.attempts) this.session.report?.(attempt);
  }

  /** The answer to a reader's request, of which it sent `before` others. A reader asks for the same in the same order. */
  fetch(request: PageRequest, before: number): Promise<Page> {
    const fetched = this.#fetched[before] ?? this.session.fetch(request);
    this.#fetched[before] = fetched;
    return fetched;
  }

  /** The session of a reader in this thread. It gives no large page where `onLarge` is to be called in its place. */
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

/** Answers what a reading in the other thread asks of its session. */
class SessionAnswers {
  readonly #pages: FetchedPages;
  readonly #errors = new Map<number, unknown>();
  #requests = 0;

  constructor(pages: FetchedPages) {
    this.#pages = pages;
  }

  async to(asked: Extract<FromReading, { ask: number }>): Promise<ToReading> {
    const { ask } = asked;
    try {
      if ('cookie' in asked) return { ask, cookie: await this.#pages.session.cookie(...asked.cookie) };
      const before = this.#requests;
      this.#requests += 1;
      const { url, status, headers, body } = await this.#pages.fetch(asked.fetch, before);
      return { ask, page: { url, status, headers, body } };
    } catch (error) {
      this.#errors.set(ask, error);
      return { ask, error: toldError(error) };
    }
  }

  errorOf(told: ToldError): unknown {
    return told.kind === 'answer' ? this.#errors.get(told.ask) : errorOf(told);
  }
}

/**
 * Reads endpoints for a server: small pages at once, a large one in a thread of its own, where it keeps nobody waiting.
 * Readers are pure, so a reading whose page turns out to be large begins anew there, with the pages that it has had. The
 * thread starts with the first such page. One that ends takes its readings along, and the next page starts another.
 */
export class ReaderThread {
  readonly #clock: Clock;
  readonly #program: URL;
  #worker: Worker | undefined;
  /** Tells the readings under way that their thread has ended. */
  readonly #underWay = new Set<(error: ThreadEnded) => void>();

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
        this.#underWay.add(giveUp);
        port.on('message', async (message: FromReading) => {
          done();
          if ('attempt' in message) {
            pages.attempts.push(message.attempt);
            return think();
          }
          if ('reading' in message) return resolve(message.reading);
          if ('error' in message) return reject(answers.errorOf(message.error));
          port.postMessage(await answers.to(message));
          if (this.#underWay.has(giveUp)) think();
        });
        const { session, ...asked } = question;
        const runsPages = session.runsPages === true;
        const order: ReadingOrder = { ...asked, path: endpoint.path, runsPages, port: port2 };
        worker.postMessage(order, [port2]);
        think();
      });
    } catch (error) {
      if (!(error instanceof ThreadEnded) || error.began) throw error;
      return await readEndpoint(endpoint, { ...question, session: pages.here() });
    } finally {
      done();
      this.#underWay.delete(giveUp);
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
        for (const giveUp of this.#underWay) giveUp(new ThreadEnded(began, cause));
      });
    // A program that is done does not wait for it.
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
