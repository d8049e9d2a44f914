import { Code } from '../../../../output/site/code.js';
import { Time } from '../../../../output/site/time.js';
import type { SecretState } from '../../../../service/jobs/webhooks/webhooks.js';
import { settingsPage } from '../../parts/layout.js';
import { SecretLayout } from '../../parts/pages-below.js';
import { Panel } from '../../parts/panel.js';

export function WebhookSecretPage({
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
