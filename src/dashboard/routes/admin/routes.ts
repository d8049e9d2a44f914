import type { FastifyInstance } from 'fastify';
import type { DashboardContext } from '../../context.js';
import { pageNotFound } from '../../error-handler.js';
import { addAccountRoutes } from './accounts.js';
import { addHealthRoutes } from './health.js';
import { addAdminGuard, addAdminSignIn, addAdminSignOut } from './session.js';

/** The pages of the operator. They show no secret of a key, no input of a job and no result. */
export async function addAdminRoutes(app: FastifyInstance, context: DashboardContext): Promise<void> {
  addAdminSignIn(app, context);
  await app.register(
    async (pages) => {
      addAdminGuard(pages, context);
      pages.setNotFoundHandler(() => {
        throw pageNotFound();
      });
      addHealthRoutes(pages, context);
      addAccountRoutes(pages, context);
      addAdminSignOut(pages, context);
    },
    { prefix: '/admin' },
  );
}
