import type { FastifyInstance } from 'fastify';
import { addAssets } from './assets.js';
import type { DashboardContext, DashboardOptions } from './context.js';
import { cookiesFor } from './cookies.js';
import { addErrorHandler, pageNotFound } from './error-handler.js';
import { addGuard } from './guard.js';
import { addAdminRoutes } from './routes/admin/routes.js';
import { addDeleteAccountRoutes } from './routes/delete-account.js';
import { addBatchRoutes } from './routes/jobs/routes.js';
import { addKeyRoutes } from './routes/keys.js';
import { addOverviewRoutes } from './routes/overview.js';
import { addPackRoutes } from './routes/packs.js';
import { addPlaygroundRoutes } from './routes/playground.js';
import { addRequestRoutes } from './routes/requests.js';
import { addSettingsRoutes } from './routes/settings.js';
import { addSignInRoutes } from './routes/sign-in.js';
import { addSignOutRoute } from './routes/sign-out.js';
import { addUsageRoutes } from './routes/usage.js';
import { addSecurity, addTokenCheck } from './security.js';

/**
 * The pages for people: signing in, and everything below `/dashboard`. Rendered here and served with nothing from
 * elsewhere; they work without script.
 */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const cookies = cookiesFor(options.services.docsBase);
  await addSecurity(app, options, cookies);
  app.decorateRequest('viewer', null);
  app.decorateRequest('operator', null);
  const context: DashboardContext = { ...options, cookies, assets: await addAssets(app) };
  addErrorHandler(app, context);
  addTokenCheck(app);

  app.get('/', async (_, reply) => reply.redirect('/dashboard', 303));
  addSignInRoutes(app, context);
  await addAdminRoutes(app, context);
  await app.register(
    async (pages) => {
      addGuard(pages, context);
      // Below the guard, so that who is not signed in learns nothing of which pages there are.
      pages.setNotFoundHandler(() => {
        throw pageNotFound();
      });
      addOverviewRoutes(pages, context);
      addBatchRoutes(pages, context);
      addKeyRoutes(pages, context);
      addRequestRoutes(pages, context);
      addUsageRoutes(pages, context);
      addPlaygroundRoutes(pages, context);
      addPackRoutes(pages, context);
      addSettingsRoutes(pages, context);
      addDeleteAccountRoutes(pages, context);
      addSignOutRoute(pages, context);
    },
    { prefix: '/dashboard' },
  );
}
