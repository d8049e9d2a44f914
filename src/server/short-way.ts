import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Asked } from '../../lib/asked.js';
import { type Caller, callAsked, type Services } from '../../lib/call.js';
import { type Answer, envelopeParts } from '../../lib/envelope.js';
import { newRequestId } from '../../lib/request-id.js';
import type { Access } from './access.js';
import { HeldLimits } from './held-limits.js';
import type { Metrics } from './metrics.js';

export interface ReadDependencies {
  readonly services: Services;
  readonly access: Access;
  readonly metrics: Metrics;
  /** Ends the calls under way when the server must stop. */
  readonly closing: AbortSignal;
}

/** A request that failed on the short way. */
export interface Refused {
  readonly id: string;
  readonly error: unknown;
  readonly limits: HeldLimits;
}

/** Questions remembered by the URL they came as, and the longest URL that is: a long one has a cursor, asked once. */
const mostQuestions = 5_000;
const longestUrl = 300;

/**
 * The way of questions that were asked before, in front of fastify: its routing, request and reply are a twelfth of
 * what an answer from the cache costs (measured 2026-11). The call goes the one road all the same, and a refusal
 * is told on the ordinary way.
 */
export class ShortWay {
  readonly #dependencies: ReadDependencies;
  readonly #questions = new LRUCache<string, Asked>({ max: mostQuestions });
  readonly #refused = new WeakMap<IncomingMessage, Refused>();
  #isClosed = false;

  constructor(dependencies: ReadDependencies) {
    this.#dependencies = dependencies;
  }

  /** Answers what it may, and leaves everything else to the `ordinary` listener. */
  before(ordinary: RequestListener): RequestListener {
    return (request, response) => {
      const { method, url = '' } = request;
      const question = method === 'GET' && !this.#isClosed ? this.#questions.get(url) : undefined;
      if (question === undefined) ordinary(request, response);
      else this.#answer(question, request, response, ordinary);
    };
  }

  /** Remembers what a URL asks for, except for samples: who asks for them needs no key. */
  remember(url: string, question: Asked): void {
    if (url.length <= longestUrl && !question.demo) this.#questions.set(url, question);
  }

  /** What is to be told of a request that has failed here. */
  refused(request: IncomingMessage): Refused | undefined {
    return this.#refused.get(request);
  }

  /** The server is about to go: what is still asked takes the ordinary way. */
  close(): void {
    this.#isClosed = true;
  }

  /** True when every answer has to tell that its connection ends with it. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  #answer(
    question: Asked,
    request: IncomingMessage,
    response: ServerResponse,
    ordinary: RequestListener,
  ): void {
    const { services, access, metrics, closing } = this.#dependencies;
    const { endpoint } = question;
    const id = newRequestId();
    const limits = new HeldLimits();
    const refuse = (error: unknown) => {
      this.#refused.set(request, { id, error, limits });
      if (!response.headersSent) return ordinary(request, response);
      // The disk failed with the answer at the door. It can be held back, not changed: the refusal is logged and
      // counted as any other, and the client sees its connection end.
      ordinary(request, new ServerResponse(request));
      response.destroy();
    };
    try {
      const holder = access.admit(request, limits, endpoint.platform);
      const caller: Caller = { requestId: id, account: holder.account, key: holder.key };
      const prepare = (answer: Answer) => this.#prepare(answer, limits, response);
      callAsked(question, services, caller, closing, prepare)
        .then(({ meta, rest }) => {
          metrics.answered(endpoint, meta);
          response.end(rest, 'latin1');
          // The server may have closed since the head was written.
          if (this.#isClosed) request.socket.destroySoon();
        })
        .catch(refuse);
    } catch (error) {
      refuse(error);
    }
  }

  /**
   * Writes an answer as far as its end, in two parts, as to join them costs more than all of the headers do. Held back
   * until then: while the disk is at work on the charge there is time for it.
   */
  #prepare(answer: Answer, limits: HeldLimits, response: ServerResponse) {
    const [payload, rest] = envelopeParts(answer);
    if (this.#isClosed) response.shouldKeepAlive = false;
    response.cork();
    response.writeHead(200, {
      'X-Request-Id': answer.meta.request_id,
      'RateLimit-Policy': limits.policy,
      RateLimit: limits.standing,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': payload.length + rest.length,
    });
    response.write(payload);
    return { meta: answer.meta, rest };
  }
}
