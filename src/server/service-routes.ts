import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../lib/call/call.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { makeOnce } from '../../lib/runtime/make-once.js';
import type { Metrics } from './metrics.js';
import { openApiDocument } from './openapi/document.js';

export interface ServiceDependencies {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** What operators and tools ask: health, metrics, the description of the API. */
export function addServiceRoutes(
  app: FastifyInstance,
  { services, metrics, metricsToken }: ServiceDependencies,
): void {
  // Reads what every call needs. No platform is asked: that one is in trouble is not a fault of the server. Without the
  // cache file its answers are as right as before, and cost more requests.
  app.get('/healthz', async (_, reply) => {
    await Promise.all([services.ledger.balance('health'), services.secret(), services.pages()]);
    return reply
      .header('Cache-Control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ status: 'ok', cache: metrics.isCacheUsable ? 'ok' : 'degraded' }));
  });

  const expected = metricsToken === undefined ? null : digest(`Bearer ${metricsToken}`);
  app.get('/metrics', async (request, reply) => {
    if (expected !== null && !timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new ExtractError('invalid_api_key', 'The metrics are shown to the bearer of their token.');
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });

  const description = makeOnce(async () => JSON.stringify(await openApiDocument(services.docsBase)));
  for (const path of ['/openapi.json', '/v1/openapi.json']) {
    app.get(path, async (_, reply) => {
      return reply
        .header('Cache-Control', 'public, max-age=300')
        .type('application/json; charset=utf-8')
        .send(await description.get());
    });
  }
}
