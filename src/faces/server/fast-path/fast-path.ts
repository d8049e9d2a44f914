import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Caller, callRequest, type Services } from '../../../../lib/call/call.js';
import type { CallRequest } from '../../../../lib/call/call-request.js';
import { type Answer, envelopeEnd } from '../../../../lib/call/envelope.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { newRequestId } from '../../../../lib/runtime/request-id.js';
import type { Access, LimitHeaders } from '../../../service/limits/access.js';
import type { RefusalNotes } from '../../../service/usage/refusal-notes.js';

export interface ReadDependencies {
  readonly services: Services;
  readonly access: Access;
  readonly refusals: RefusalNotes;
  /** Aborts calls in progress when the server must stop. */
  readonly closing: AbortSignal;
  /** Called with each answer, for metrics and the log. */
  onAnswered(endpoint: Endpoint, answer: Answer): void;
}

/** Buffers the rate limit headers of a request until its response is written. */
class BufferedRateLimitHeaders implements LimitHeaders {
  policy = '';
  limit = '';

  header(name: string, value: string): void {
    if (name === 'RateLimit') this.limit = value;
    else this.policy = value;
  }

  /** Copies them to a response sent by fastify. */
  onto(reply: FastifyReply): void {
    if (this.policy === '') return;
    reply.header('RateLimit-Policy', this.policy).header('RateLimit', this.limit);
  }
}

export interface FastPathError {
  readonly id: string;
  readonly error: unknown;
  readonly limits: BufferedRateLimitHeaders;
}

/** The data of an answer as text, and the bytes sent for it: the envelope up to `meta`. */
interface SentBytes {
  readonly json: string;
  readonly bytes: Buffer;
}

/** Memory for sent bytes: encoding an answer again took 40% of a call (measured 2026-11). */
const maxSentBytes = 32 * 1024 * 1024;

/** Number of checked requests remembered by URL. A long URL has a cursor, which is used once, and is not remembered. */
const maxRequests = 5_000;
const maxUrlLength = 300;

/**
 * Answers requests whose URL was answered before, bypassing fastify: its routing, request and reply objects are a fifth
 * of the cost of a cached answer (measured 2026-11). The call itself is the same, and fastify sends its errors.
 */
export class FastPath {
  readonly #dependencies: ReadDependencies;
  readonly #requests = new LRUCache<string, CallRequest>({ max: maxRequests });
  readonly #bytes = new LRUCache<string, SentBytes>({
    maxSize: maxSentBytes,
    sizeCalculation: ({ bytes }) => bytes.length * 2 + 512,
  });
  readonly #refused = new WeakMap<IncomingMessage, FastPathError>();
  #isClosed = false;

  constructor(dependencies: ReadDependencies) {
    this.#dependencies = dependencies;
  }

  /** Answers what it can, and passes everything else to the `ordinary` listener. */
  before(ordinary: RequestListener): RequestListener {
    return (request, response) => {
      const { method, url = '' } = request;
      const cachedRequest = method === 'GET' && !this.#isClosed ? this.#requests.get(url) : undefined;
      if (cachedRequest === undefined) ordinary(request, response);
      else this.#answer(cachedRequest, request, response, ordinary);
    };
  }

  /** Remembers the checked request of a URL, except for samples, which need no key. */
  remember(url: string, request: CallRequest): void {
    if (url.length <= maxUrlLength && !request.demo) this.#requests.set(url, request);
  }

  /** Returns the error of a request that failed here, for fastify to send. */
  errorOf(request: IncomingMessage): FastPathError | undefined {
    return this.#refused.get(request);
  }

  /** Called before the server closes: fastify answers all further requests. */
  close(): void {
    this.#isClosed = true;
  }

  /** True when every response must close its connection. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  #answer(
    ready: CallRequest,
    request: IncomingMessage,
    response: ServerResponse,
    ordinary: RequestListener,
  ): void {
    const { services, access, closing } = this.#dependencies;
    const { endpoint } = ready;
    const id = newRequestId();
    const limits = new BufferedRateLimitHeaders();
    const refuse = (error: unknown) => {
      this.#refused.set(request, { id, error, limits });
      ordinary(request, response);
    };
    access
      .admit(request, limits, endpoint.platform)
      .then((owner) => {
        const caller: Caller = { requestId: id, account: owner.account, key: owner.key };
        return callRequest(ready, services, caller, closing);
      })
      .then((answer) => {
        this.#dependencies.onAnswered(endpoint, answer);
        this.#send(request.url ?? '', answer, limits, response);
      }, refuse);
  }

  /**
   * Returns the encoded envelope up to `meta`. The memory tier returns the same string instance, which is compared by
   * identity.
   */
  #bytesOf(url: string, json: string): Buffer {
    const sentBytes = this.#bytes.get(url);
    if (sentBytes?.json === json) return sentBytes.bytes;
    const bytes = Buffer.from(`{"data":${json}`);
    this.#bytes.set(url, { json, bytes });
    return bytes;
  }

  #send(url: string, answer: Answer, limits: BufferedRateLimitHeaders, response: ServerResponse): void {
    const data = this.#bytesOf(url, answer.json);
    const end = envelopeEnd(answer);
    // The server may have begun to close since the request arrived.
    if (this.#isClosed) response.shouldKeepAlive = false;
    response.writeHead(200, {
      'X-Request-Id': answer.meta.request_id,
      'RateLimit-Policy': limits.policy,
      RateLimit: limits.limit,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': data.length + Buffer.byteLength(end),
    });
    response.write(data);
    response.end(end);
  }
}
