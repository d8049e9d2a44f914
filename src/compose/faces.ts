import type { Suppressions } from '../../lib/suppressions/suppressions.js';
import { toolRoutes } from '../faces/mcp/routes.js';
import type { Face } from '../faces/server/app.js';
import { toExtractError } from '../output/error-answer.js';
import { logFailure, logVisited } from '../output/log.js';
import type { Hosting } from '../service/accounts/hosting.js';
import type { Monitoring } from '../service/monitoring/monitoring.js';

/** The tools of assistants, as the server offers them. */
export const tools: Face = async (
  routes,
  { services, access, refusals, config, log, closing, metrics, expiringStore },
) => {
  await routes.register(toolRoutes, {
    ...{ services, access, config, closing, expiringStore },
    namedError: (error, requestId) => toExtractError(error, requestId, services.docsBase),
    onRefusal(error, request) {
      metrics.countError(null, error.code);
      logFailure(error, request);
    },
    onAnswered(endpoint, answer) {
      metrics.countAnswer(endpoint, answer);
      logVisited(log, endpoint, answer);
    },
    onRejected(endpoint, { code, requestId }, cause) {
      metrics.countError(endpoint, code);
      refusals.noteFailure(cause, endpoint, requestId);
    },
  });
};

/** The documentation, instead of the pages for people, on a server without accounts. */
export const docsOnly: Face = async (routes) => {
  for (const path of ['/', '/dashboard']) routes.get(path, async (_, reply) => reply.redirect('/docs'));
};

/** The pages for people, as the server offers them. A server without pages never loads their modules. */
export function pages(
  hosting: Hosting,
  monitoring: Monitoring,
  suppressions: Suppressions,
  mailFolder?: string,
): Face {
  return async (routes, { config: { trialCredits }, ...parts }) => {
    const { dashboard } = await import('../faces/dashboard/dashboard.js');
    const dashboardParts = { hosting, monitoring, suppressions, trialCredits, mailFolder };
    await routes.register(dashboard, { ...parts, ...dashboardParts });
  };
}
