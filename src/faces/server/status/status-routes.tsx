import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../../../lib/endpoints.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import { sendPage } from '../docs/docs-routes.js';
import { statusObject } from './status-object.js';
import { StatusPage } from './status-page.js';

export interface StatusDependencies {
  readonly health: HealthReports;
  readonly clock: Clock;
}

const seconds = 30;

/** Adds `/status` for people and `/status.json` for programs: without a key, and without anything about accounts. */
export function addStatusRoutes(app: FastifyInstance, { health, clock }: StatusDependencies): void {
  app.get('/status', async (_, reply) =>
    sendPage(reply, <StatusPage endpoints={endpoints} health={health} now={clock.now()} />, seconds),
  );
  app.get('/status.json', async (_, reply) =>
    reply
      .header('Cache-Control', `public, max-age=${seconds}`)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(statusObject(health, endpoints, clock))),
  );
}
