import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redirectedWithoutSlash } from '../../output/address-without-slash.js';
import { type DashboardContext, type DashboardOptions, redirectTo } from './context.js';
import { cookiesFor } from './cookies.js';
import { addErrorHandler, pageNotFound } from './error-handler.js';
import { findViewer } from './find-viewer.js';
import { addPages } from './frame.js';
import { MemoryDrafts } from './jobs/memory-drafts.js';
import { SharedDrafts } from './jobs/shared-drafts.js';
import { addAccountRoutes } from './routes/admin/accounts.js';
import { addHealthRoutes } from './routes/admin/health.js';
import { addAdminGuard, addAdminSignIn, addAdminSignOut } from './routes/admin/session.js';
import { addSuppressionRoutes } from './routes/admin/suppressions.js';
import { addDeleteAccountRoutes } from './routes/delete-account.js';
import { addDraftRoutes } from './routes/jobs/draft.js';
import { addJobRoutes } from './routes/jobs/job.js';
import { addLinkRoutes } from './routes/jobs/links.js';
import { addJobListRoute } from './routes/jobs/list.js';
import { addNewJobRoutes } from './routes/jobs/new.js';
import { addScheduleRoute } from './routes/jobs/schedule.js';
import { addScheduleRoutes } from './routes/jobs/schedules.js';
import { addKeyRoutes } from './routes/keys.js';
import { addLandingRoute } from './routes/landing.js';
import { addOverviewRoutes } from './routes/overview.js';
import { addPackRoutes } from './routes/packs.js';
import { addPlaygroundRoutes } from './routes/playground.js';
import { addRequestRoutes } from './routes/requests.js';
import { addSettingsRoutes } from './routes/settings.js';
import { addSignInRoutes, addSignOutRoute } from './routes/sign-in.js';
import { addUsageRoutes } from './routes/usage.js';
import { addSecurity, addTokenCheck, SignedOutFormError } from './security.js';
import { SubmittedForms } from './submitted-forms.js';
import { formPage, isRestorable, signInFor } from './unsent-form.js';

/** Milliseconds of the event loop that a page takes after its first chunk. */
const pageMs = 4;

/**
 * Redirects requests without a session to the sign-in page, which redirects back. A form is read before it is refused,
 * so that its fields can be restored.
 */
function addGuard(app: FastifyInstance, context: DashboardContext): void {
  app.addHook('onRequest', async (request, reply) => {
    request.viewer = await findViewer(context, request, reply);
    if (request.viewer !== null) return context.access.admitPage(request.viewer.account.id, pageMs);
    if (request.method === 'GET') return redirectTo(reply, signInFor(request.url));
    if (request.url === '/dashboard/sign-out') return redirectTo(reply, '/sign-in', 'signed-out');
    if (!isRestorable(request)) return redirectTo(reply, signInFor(formPage(request)), 'not-taken');
  });
  app.addHook('preHandler', async (request) => {
    if (request.viewer === null) throw new SignedOutFormError();
  });
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (redirectedWithoutSlash(request, reply)) return reply;
  throw pageNotFound();
}

/** The operator's pages. They show no secrets, job inputs or results. */
async function addAdminRoutes(app: FastifyInstance, context: DashboardContext): Promise<void> {
  addAdminSignIn(app, context);
  await app.register(
    async (pages) => {
      addAdminGuard(pages, context);
      pages.setNotFoundHandler(refuseUnknown);
      addHealthRoutes(pages, context);
      addAccountRoutes(pages, context);
      addSuppressionRoutes(pages, context);
      addAdminSignOut(pages, context);
    },
    { prefix: '/admin' },
  );
}

/**
 * The pages for people: sign-in, and everything below `/dashboard`. Rendered on the server, without external resources;
 * they work without scripts.
 */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const cookies = cookiesFor(options.services.docsBase);
  await addSecurity(app, options, cookies);
  app.addHook('onRequest', ({ ip }) => options.access.admitPage(ip, 0));
  app.decorateRequest('viewer', null);
  app.decorateRequest('operator', null);
  const { expiringStore, jobs, services } = options;
  const submitted = new SubmittedForms(expiringStore, services.clock);
  const drafts =
    expiringStore === undefined
      ? new MemoryDrafts(services.clock)
      : new SharedDrafts(expiringStore, jobs.endpoints);
  const context: DashboardContext = { ...options, cookies, submitted, drafts };
  addPages(app, context);
  addErrorHandler(app, context);
  addTokenCheck(app);

  addLandingRoute(app, context);
  addSignInRoutes(app, context);
  await addAdminRoutes(app, context);
  await app.register(
    async (pages) => {
      addGuard(pages, context);
      // Below the guard, so that visitors without a session cannot find out which pages exist.
      pages.setNotFoundHandler(refuseUnknown);
      addOverviewRoutes(pages, context);
      addJobListRoute(pages, context);
      addNewJobRoutes(pages, context);
      addDraftRoutes(pages, context);
      addJobRoutes(pages, context);
      addScheduleRoutes(pages, context);
      addScheduleRoute(pages, context);
      addLinkRoutes(pages, context);
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
