import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { call } from '../../../../lib/call/call.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { endpoints } from '../../../../lib/endpoints.js';
import { type DashboardContext, redirectTo } from '../context.js';
import { findViewer } from '../find-viewer.js';
import { type Demo, LandingPage } from '../pages/landing.js';
import { sampleParams, valuesOf } from '../playground.js';

/** The endpoint whose sample the page shows by default. */
const firstPath = 'maps/places';

/** The first page, for visitors without a session; others are redirected to their account. */
export function addLandingRoute(app: FastifyInstance, context: DashboardContext): void {
  const { access, closing, health, hosting, metrics, services, trialCredits } = context;
  let first: Promise<Demo> | undefined;

  async function demoOf(endpoint: Endpoint, request: FastifyRequest): Promise<Demo> {
    const params = valuesOf(endpoint, await sampleParams(endpoint));
    const caller = { requestId: request.id, account: null };
    const answer = await call(endpoint, { ...params, demo: true }, services, caller, { signal: closing });
    metrics.countAnswer(endpoint, answer);
    return { endpoint, params, data: JSON.parse(answer.json) as unknown };
  }

  /** A demo that a visitor requests counts against the rate limit; the default one is read once. */
  async function chosenDemo(request: FastifyRequest, reply: FastifyReply): Promise<Demo> {
    const { endpoint: path } = request.query as { endpoint?: unknown };
    const chosenEndpoint = endpoints.find((one) => one.path === path);
    if (chosenEndpoint !== undefined) {
      await access.admitDemo(request, reply);
      return demoOf(chosenEndpoint, request);
    }
    const endpoint = endpoints.find((one) => one.path === firstPath) ?? endpoints[0];
    if (endpoint === undefined) throw new Error('The table of endpoints is empty.');
    first ??= demoOf(endpoint, request);
    first.catch(() => {
      first = undefined;
    });
    return first;
  }

  app.get('/', async (request, reply) => {
    if ((await findViewer(context, request, reply)) !== null) return redirectTo(reply, '/dashboard');
    const demo = await chosenDemo(request, reply);
    return reply.sendPage(
      <LandingPage {...{ demo, trialCredits }} packs={hosting.payments.packs} reports={health.reports()} />,
    );
  });
}
