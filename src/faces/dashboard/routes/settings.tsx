import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Code } from '../../../output/site/code.js';
import { Time } from '../../../output/site/time.js';
import type { SecretState } from '../../../service/jobs/webhooks/webhooks.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../context.js';
import { type FormState, parseCredits, textFields } from '../forms.js';
import { SettingsPage } from '../pages/settings/settings.js';
import { settingsPage } from '../parts/layout.js';
import { SecretLayout } from '../parts/pages-below.js';
import { Panel } from '../parts/panel.js';

const settings = '/dashboard/settings';

function WebhookSecretPage({
  secret: { secret, previous_until: until },
}: {
  readonly secret: SecretState & { readonly secret: string };
}) {
  const previous =
    until === null ? null : [' The previous one stays valid until ', <Time key="at" at={until} />, '.'];
  return (
    <SecretLayout title="Your webhook signing secret" above={[settingsPage]} note={previous}>
      <Panel title="Secret">
        <Code label="Signing secret" text={secret} />
      </Panel>
      <Panel title="Use it">
        <Code
          label="Receive webhooks on your machine and check them"
          text={'EXTRACT_WEBHOOK_SECRET=<SECRET> extract jobs webhooks listen'}
        />
      </Panel>
    </SecretLayout>
  );
}

export function addSettingsRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, jobs, submitted } = context;

  async function page(request: FastifyRequest, reply: FastifyReply, again?: FormState) {
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
        alert={again ?? { values: { threshold: String(threshold ?? '') } }}
      />,
      again === undefined ? 200 : 400,
    );
  }

  app.get('/settings', async (request, reply) => page(request, reply));

  app.post<OfId>('/settings/sessions/:id/end', async (request, reply) => {
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
    const threshold = parseCredits(text);
    if (Number.isNaN(threshold)) {
      const problem = 'Enter a whole number of credits, at least 1, or leave it empty.';
      return page(request, reply, { values: { threshold: text }, problems: { threshold: problem } });
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
