import './route-config.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Asked, asked } from '../../lib/asked.js';
import { callAsked, type Services } from '../../lib/call.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { age } from '../../lib/request-id.js';
import type { Access } from './access.js';
import { type Metrics, sourceOf } from './metrics.js';
import { checkUrl, parseQuery, queryText } from './query.js';
import { HeldLimits, sendAnswer } from './send-answer.js';

export interface ReadDependencies {
  readonly services: Services;
  readonly access: Access;
  readonly metrics: Metrics;
  /** Ends the calls under way when the server must stop. */
  readonly closing: AbortSignal;
  /** True when hooks of the app set headers on what is answered. */
  readonly hooked: boolean;
}

/** Questions remembered by the URL they came as, and the longest URL that is: a long one has a cursor, asked once. */
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
  { services, access, metrics, closing, hooked }: ReadDependencies,
  questions: LRUCache<string, Asked>,
) {
  const { platform } = endpoint;
  return async function read(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const limits = new HeldLimits();
    try {
      const { url = '' } = request.raw;
      const known = questions.get(url);
      if (known === undefined) checkUrl(request);
      const params = known === undefined ? parseQuery(queryText(request)) : null;
      const demo = known?.demo ?? params?.demo === 'true';
      // Who may not call is not told what is wrong with the parameters.
      const holder = demo ? access.admitDemo(request, limits) : access.admit(request, limits, platform);
      const question = known ?? asked(endpoint, params ?? {}, true);
      if (known === undefined && url.length <= longestQuestion) questions.set(url, question);
      const caller = { requestId: request.id, account: holder?.account ?? null, key: holder?.key };
      // A client that goes away does not end its call: the answer is kept for the next one who asks.
      const answer = await callAsked(question, services, caller, closing);
      const source = sourceOf(answer.meta);
      const seconds = source === 'cache' ? 0 : age(request.id) / 1000;
      metrics.answered(endpoint, source, answer.meta.credits_charged, seconds);
      return sendAnswer(answer, limits, reply, hooked);
    } catch (error) {
      limits.onto(reply);
      throw error;
    }
  };
}
