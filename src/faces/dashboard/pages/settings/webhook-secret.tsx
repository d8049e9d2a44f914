import { Code } from '../../../../output/site/code.js';
import { Notice } from '../../../../output/site/status.js';
import { Time } from '../../../../output/site/time.js';
import type { SecretState } from '../../../../service/jobs/webhooks/webhooks.js';
import { Layout } from '../../parts/layout.js';
import { Panel } from '../../parts/panel.js';

/** The only page that shows a signing secret: the response to the form that created it. */
export function WebhookSecretPage({
  secret: { secret, previous_until: until },
}: {
  readonly secret: SecretState & { readonly secret: string };
}) {
  return (
    <Layout title="Your webhook signing secret" above={[{ title: 'Settings', href: '/dashboard/settings' }]}>
      <Notice kind="note">
        <p>
          <b>It is only shown once.</b> Copy it now to your webhook receiver.
          {until === null ? null : (
            <>
              {' '}
              The previous one stays valid until <Time at={until} />.
            </>
          )}
        </p>
      </Notice>
      <Panel title="Secret">
        <Code label="Signing secret" text={secret} />
      </Panel>
      <Panel title="Use it">
        <Code
          label="Receive webhooks on your machine and check them"
          text={'EXTRACT_WEBHOOK_SECRET=<SECRET> extract jobs webhooks listen'}
        />
      </Panel>
      <p>
        <a href="/dashboard/settings">Back to the settings</a>
      </p>
    </Layout>
  );
}
