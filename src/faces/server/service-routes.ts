import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../lib/call/call.js';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { elapsed } from '../../../lib/runtime/clock.js';
import { makeOnce } from '../../../lib/runtime/make-once.js';
import { withTimeout } from '../../../lib/runtime/with-timeout.js';
import type { ServerConfig } from '../../config/server-config.js';
import type { Metrics } from './metrics.js';
import { metricsAccess } from './metrics-access.js';
import { openApiDocument } from './openapi/document.js';

export interface ServiceDependencies {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly config: Pick<ServerConfig, 'host' | 'metricsToken' | 'metricsOpen'>;
}

/** Milliseconds for which a check of the ledger is cached, because health may be requested by anyone at any rate. */
const ledgerCheckMs = 1_000;
/** Milliseconds after which an unresponsive ledger counts as unhealthy, because probes do not wait longer. */
const maxHealthMs = 4_000;

const silentLedger = () =>
  new StorageError(
    'unreachable',
    'The credit ledger did not respond in time. Check what keeps its database or disk busy; calls are answered as soon as it responds.',
    { retryAfter: 5 },
  );

/** Adds the routes for operators and their tools: health and metrics. */
export function addHealthRoutes(
  app: FastifyInstance,
  { services, metrics, config }: ServiceDependencies,
): void {
  const { clock, ledger } = services;
  let lastCheck: { readonly at: number; readonly done: Promise<void> } | undefined;
  const checkLedger = () => {
    const now = elapsed(clock);
    if (lastCheck === undefined || now - lastCheck.at >= ledgerCheckMs) {
      lastCheck = { at: now, done: ledger.checkWritable() };
    }
    return lastCheck.done;
  };
  // Checks what every call needs. It contacts no platform, because a platform's outage is not a fault of the server.
  // Without the cache file answers are correct, but cost more requests.
  app.get('/healthz', async (_, reply) => {
    const needed = Promise.all([checkLedger(), services.secret(), services.pages()]);
    await withTimeout(needed, maxHealthMs, clock, silentLedger);
    return reply
      .header('Cache-Control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ status: 'ok', cache: metrics.isCacheUsable ? 'ok' : 'degraded' }));
  });

  const checkAccess = metricsAccess({ ...config, publicAddress: services.docsBase });
  app.get('/metrics', async (request, reply) => {
    checkAccess(request);
    const text = await metrics.registry.metrics();
    return reply.header('Cache-Control', 'no-store').type(metrics.registry.contentType).send(text);
  });
}

export function addDescriptionRoutes(app: FastifyInstance, docsBase: string): void {
  const description = makeOnce(async () => JSON.stringify(await openApiDocument(docsBase)));
  // Takes a fifth of a second, so it is prepared before any request.
  app.addHook('onListen', async () => void (await description.get()));
  for (const path of ['/openapi.json', '/v1/openapi.json']) {
    app.get(path, async (_, reply) => {
      return reply
        .header('Cache-Control', 'public, max-age=300')
        .type('application/json; charset=utf-8')
        .send(await description.get());
    });
  }
  const asYaml = makeOnce(async () => {
    const { stringify } = await import('yaml');
    return stringify(JSON.parse(await description.get()));
  });
  app.get('/openapi.yaml', async (_, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=300')
      .type('application/yaml; charset=utf-8')
      .send(await asYaml.get()),
  );
}
