import './route-config.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Asked, asked } from '../../lib/asked.js';
import { callAsked, type Services } from '../../lib/call.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { envelopeBytes } from '../../lib/envelope.js';
import type { Access } from './access.js';
import { type Metrics, sourceOf } from './metrics.js';
import { parseQuery, queryText } from './query.js';

export interface ReadDependencies {
  readonly services: Services;
  readonly access: Access;
  readonly metrics: Metrics;
  /** Ends the calls under way when the server must stop. */
  readonly closing: AbortSignal;
}

/** Questions remembered by the text they came as, and the longest text that is: a long one is a cursor, asked once. */
const mostQuestions = 5_000;
const longestQuestion = 300;

/** The read endpoints: one route for each row of the table. */
export function addReadRoutes(app: FastifyInstance, dependencies: ReadDependencies): void {
  const questions = new LRUCache<string, Asked>({ max: mostQuestions });
  for (const endpoint of endpoints) {
    app.get(`/v1/${endpoint.path}`, { config: { endpoint } }, reader(endpoint, dependencies, questions));
  }
}

function reader(
  endpoint: Endpoint,
  { services, access, metrics, closing }: ReadDependencies,
  questions: LRUCache<string, Asked>,
) {
  return async function read(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    const text = queryText(request);
    const key = `${endpoint.path}?${text}`;
    const known = questions.get(key);
    const params = known === undefined ? parseQuery(text) : null;
    const demo = known?.demo ?? params?.demo === 'true';
    // Who may not call is not told what is wrong with the parameters.
    const holder = demo ? access.admitDemo(request, reply) : access.admit(request, reply, endpoint.platform);
    const question = known ?? asked(endpoint, params ?? {}, true);
    if (known === undefined && text.length <= longestQuestion) questions.set(key, question);
    const caller = { requestId: request.id, account: holder?.account ?? null, key: holder?.key };
    // A client that goes away does not end its call: the answer is kept for the next one who asks.
    const answer = await callAsked(question, services, caller, closing);
    const { meta } = answer;
    metrics.answered(endpoint, sourceOf(meta), meta.credits_charged, reply.elapsedTime / 1000);
    reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8');
    return envelopeBytes(answer);
  };
}
