import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../../lib/endpoints.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { HealthReports } from '../../health/health-report.js';
import { renderPage } from '../../output/html.js';
import { pagePolicy } from '../docs/page-policy.js';
import { statusObject } from './status-object.js';
import { StatusPage } from './status-page.js';

export interface StatusDependencies {
  readonly health: HealthReports;
  readonly clock: Clock;
}

/** `/status` for people and `/status.json` for programs: without a key, and without anything about an account. */
export function addStatusRoutes(app: FastifyInstance, { health, clock }: StatusDependencies): void {
  app.get('/status', async (_, reply) =>
    reply
      .headers(pagePolicy)
      .header('Cache-Control', 'public, max-age=30')
      .type('text/html; charset=utf-8')
      .send(renderPage(<StatusPage endpoints={endpoints} health={health} now={clock.now()} />)),
  );
  app.get('/status.json', async (_, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=30')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(statusObject(health, endpoints, clock))),
  );
}
