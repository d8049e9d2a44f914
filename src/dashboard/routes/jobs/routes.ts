import type { FastifyInstance } from 'fastify';
import type { DashboardContext } from '../../context.js';
import { Drafts } from '../../jobs/drafts.js';
import { addDraftRoutes } from './draft.js';
import { addJobRoutes } from './job.js';
import { addJobListRoute } from './list.js';
import { addNewJobRoutes } from './new.js';

/** Batch jobs. */
export function addBatchRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { jobs, services } = context;
  const batch = { jobs, drafts: new Drafts(services.clock) };
  addJobListRoute(app, context, jobs);
  addNewJobRoutes(app, context, batch);
  addDraftRoutes(app, context, batch);
  addJobRoutes(app, context, batch);
}
