import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DashboardContext, frameOf, goTo, viewerOf } from '../context.js';
import { typed } from '../forms.js';
import { SettingsPage } from '../pages/settings/settings.js';
import { WebhookSecretPage } from '../pages/settings/webhook-secret.js';
import { notFound } from '../refusals.js';
import { show } from '../show.js';

const settings = '/dashboard/settings';

/** Credits that an alert may be set to at most. */
const mostThreshold = 1_000_000_000;

/** The threshold that was typed: null for none, undefined for what is no number of credits. */
function thresholdOf(text: string): number | null | undefined {
  const digits = text.trim().replaceAll(/[, _]/g, '');
  if (digits === '') return null;
  const credits = Number(digits);
  return /^\d{1,10}$/.test(digits) && credits >= 1 && credits <= mostThreshold ? credits : undefined;
}

/** Sessions, balance alert and the secret of webhooks. */
export function addSettingsRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { desk, jobs } = context;

  async function page(
    request: FastifyRequest,
    reply: FastifyReply,
    again?: { text: string; problem: string },
  ) {
    const { account, session } = viewerOf(request);
    const [sessions, threshold, secret] = await Promise.all([
      desk.signIn.sessions(account.id),
      desk.alerts.threshold(account.id),
      jobs.webhooks.secretState(account.id),
    ]);
    return show(
      reply,
      <SettingsPage
        frame={frameOf(context, request, reply)}
        own={session.id}
        {...{ sessions, secret }}
        threshold={again?.text ?? String(threshold ?? '')}
        thresholdProblem={again?.problem}
      />,
      again === undefined ? 200 : 400,
    );
  }

  app.get('/settings', async (request, reply) => page(request, reply));

  app.post<{ Params: { id: string } }>('/settings/sessions/:id/end', async (request, reply) => {
    const { account, session } = viewerOf(request);
    const { id } = request.params;
    if (!(await desk.signIn.end(account.id, id))) throw notFound();
    return id === session.id ? goTo(reply, '/sign-in', 'signed-out') : goTo(reply, settings, 'session-ended');
  });

  app.post('/settings/sessions/end-others', async (request, reply) => {
    const { account, session } = viewerOf(request);
    for (const { id } of await desk.signIn.sessions(account.id)) {
      if (id !== session.id) await desk.signIn.end(account.id, id);
    }
    return goTo(reply, settings, 'sessions-ended');
  });

  app.post('/settings/alert', async (request, reply) => {
    const { threshold: text = '' } = typed(request.body);
    const threshold = thresholdOf(text);
    if (threshold === undefined) {
      return page(request, reply, { text, problem: 'Type a whole number of credits from 1 up, or nothing.' });
    }
    await desk.alerts.setThreshold(viewerOf(request).account.id, threshold);
    return goTo(reply, settings, threshold === null ? 'alert-off' : 'alert-set');
  });

  app.post('/settings/webhook-secret', async (request, reply) => {
    const secret = await jobs.webhooks.rotate(viewerOf(request).account.id);
    return show(reply, <WebhookSecretPage frame={frameOf(context, request, reply)} secret={secret} />, 201);
  });
}
