import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DashboardContext, redirectTo, viewerOf } from '../context.js';
import { parseCredits, textFields } from '../forms.js';
import { SettingsPage } from '../pages/settings/settings.js';
import { WebhookSecretPage } from '../pages/settings/webhook-secret.js';

const settings = '/dashboard/settings';

/** Parses a threshold: null for none, undefined if it is not a number of credits. */
function thresholdOf(text: string): number | null | undefined {
  if (text.trim().replaceAll(/[, _]/g, '') === '') return null;
  return parseCredits(text) ?? undefined;
}

export function addSettingsRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, jobs, submitted } = context;

  async function page(
    request: FastifyRequest,
    reply: FastifyReply,
    again?: { text: string; problem: string },
  ) {
    const { account, session } = viewerOf(request);
    const [sessions, threshold, secret] = await Promise.all([
      hosting.signIn.listSessions(account.id),
      hosting.alerts.readThreshold(account.id),
      jobs.webhooks.secrets.state(account.id),
    ]);
    return reply.sendPage(
      <SettingsPage
        currentSession={session.id}
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
    // A session already ended in another tab is over, too.
    await hosting.signIn.endSession(account.id, id);
    return id === session.id
      ? redirectTo(reply, '/sign-in', 'signed-out')
      : redirectTo(reply, settings, 'session-ended');
  });

  app.post('/settings/sessions/end-others', async (request, reply) => {
    const { account, session } = viewerOf(request);
    for (const { id } of await hosting.signIn.listSessions(account.id)) {
      if (id !== session.id) await hosting.signIn.endSession(account.id, id);
    }
    return redirectTo(reply, settings, 'sessions-ended');
  });

  app.post('/settings/alert', async (request, reply) => {
    const { threshold: text = '' } = textFields(request.body);
    const threshold = thresholdOf(text);
    if (threshold === undefined) {
      return page(request, reply, {
        text,
        problem: 'Enter a whole number of credits, at least 1, or leave it empty.',
      });
    }
    const { id, credits } = viewerOf(request).account;
    await hosting.alerts.setThreshold(id, threshold);
    if (threshold === null) return redirectTo(reply, settings, 'alert-off');
    return redirectTo(reply, settings, credits < threshold ? 'alert-due' : 'alert-set');
  });

  app.post('/settings/webhook-secret', async (request, reply) => {
    const { id } = viewerOf(request).account;
    const secret = await submitted.secretly(request, () => jobs.webhooks.secrets.rotate(id));
    if (secret === undefined) return redirectTo(reply, settings, 'secret-created-before');
    return reply.sendPage(<WebhookSecretPage secret={secret} />, 201);
  });
}
