import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Caller, callRequest, type Services } from '../../../lib/call/call.js';
import type { CallRequest } from '../../../lib/call/call-request.js';
import type { Answer } from '../../../lib/call/envelope.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import type { Access } from '../access.js';
import type { Metrics } from '../metrics.js';
import { BufferedRateLimitHeaders } from './buffered-rate-limit-headers.js';

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
  readonly limits: BufferedRateLimitHeaders;
}

/** The data of an answer as text and as the bytes that were sent for it. */
interface SentBytes {
  readonly json: string;
  readonly bytes: Buffer;
}

const dataStart = Buffer.from('{"data":');

/** Memory for bytes that were sent: to encode an answer anew takes longer than the rest of the call. */
const maxSentBytes = 64 * 1024 * 1024;

/** Questions remembered by the URL they came as, and the longest URL that is: a long one has a cursor, asked once. */
const maxQuestions = 5_000;
const maxUrlLength = 300;

/**
 * The way of questions that were asked before, in front of fastify: its routing, request and reply are a twelfth of
 * what an answer from the cache costs (measured 2026-11). The call goes the one road all the same, and a refusal
 * is told on the ordinary way.
 */
export class FastPath {
  readonly #dependencies: ReadDependencies;
  readonly #questions = new LRUCache<string, CallRequest>({ max: maxQuestions });
  readonly #bytes = new LRUCache<string, SentBytes>({
    maxSize: maxSentBytes,
    sizeCalculation: ({ bytes }) => bytes.length * 2 + 512,
  });
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
  remember(url: string, question: CallRequest): void {
    if (url.length <= maxUrlLength && !question.demo) this.#questions.set(url, question);
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
    question: CallRequest,
    request: IncomingMessage,
    response: ServerResponse,
    ordinary: RequestListener,
  ): void {
    const { services, access, metrics, closing } = this.#dependencies;
    const { endpoint } = question;
    const id = newRequestId();
    const limits = new BufferedRateLimitHeaders();
    const refuse = (error: unknown) => {
      this.#refused.set(request, { id, error, limits });
      ordinary(request, response);
    };
    try {
      const holder = access.admit(request, limits, endpoint.platform);
      const caller: Caller = { requestId: id, account: holder.account, key: holder.key };
      callRequest(question, services, caller, closing).then((answer) => {
        metrics.answered(endpoint, answer);
        this.#send(request.url ?? '', answer, limits, response);
      }, refuse);
    } catch (error) {
      refuse(error);
    }
  }

  /** The data as bytes. The memory tier gives the same text again, which is compared by its address. */
  #bytesOf(url: string, json: string): Buffer {
    const sent = this.#bytes.get(url);
    if (sent?.json === json) return sent.bytes;
    const bytes = Buffer.from(json);
    this.#bytes.set(url, { json, bytes });
    return bytes;
  }

  #send(url: string, answer: Answer, limits: BufferedRateLimitHeaders, response: ServerResponse): void {
    const data = this.#bytesOf(url, answer.json);
    const end = Buffer.from(`,"meta":${JSON.stringify(answer.meta)}}`);
    response.cork();
    // The server may be closing since the request came.
    if (this.#isClosed) response.shouldKeepAlive = false;
    response.writeHead(200, {
      'X-Request-Id': answer.meta.request_id,
      'RateLimit-Policy': limits.policy,
      RateLimit: limits.standing,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': dataStart.length + data.length + end.length,
    });
    response.write(dataStart);
    response.write(data);
    response.end(end);
  }
}
