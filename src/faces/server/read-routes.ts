import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callRequest } from '../../../lib/call/call.js';
import { parseCallRequest } from '../../../lib/call/call-request.js';
import { envelopeText } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseQuery, queryText } from '../../../lib/params/query.js';
import type { FastPath, ReadDependencies } from './fast-path/fast-path.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly endpoint?: Endpoint;
  }
}

/** Adds a route for each endpoint. */
export function addReadRoutes(
  app: FastifyInstance,
  dependencies: ReadDependencies,
  fastPath: FastPath,
): void {
  for (const endpoint of endpoints) {
    // HEAD would be charged for a discarded answer.
    const options = { config: { endpoint }, exposeHeadRoute: false };
    app.get(`/v1/${endpoint.path}`, options, readHandler(endpoint, dependencies, fastPath));
  }
}

function readHandler(
  endpoint: Endpoint,
  { services, access, refusals, closing, onAnswered }: ReadDependencies,
  fastPath: FastPath,
) {
  const { platform } = endpoint;
  return async function read(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const failure = fastPath.errorOf(request.raw);
    if (failure !== undefined) {
      failure.limits.onto(reply);
      throw failure.error;
    }
    const params = parseQuery(queryText(request));
    // Checked first, so that a caller without access learns nothing about the parameters.
    const holder =
      params.demo === 'true'
        ? await access.admitDemo(request, reply)
        : await access.admit(request, reply, platform);
    const payer = params.demo === 'true' ? null : holder;
    const question = refusals.under(payer, () => parseCallRequest(endpoint, params, true));
    fastPath.remember(request.raw.url ?? '', question);
    const caller = { requestId: request.id, account: holder?.account ?? null, key: holder?.key };
    // A client that disconnects does not end its call, because the cache stores the answer.
    const answer = await callRequest(question, services, caller, closing);
    onAnswered(endpoint, answer);
    return reply
      .header('Cache-Control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(envelopeText(answer));
  };
}
