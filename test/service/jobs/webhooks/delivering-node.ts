import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { webhookDeliverer } from '../../../../src/service/jobs/webhooks/attempt.js';
import { createSender } from '../../../../src/service/jobs/webhooks/sender.js';
import { Targets } from '../../../../src/service/jobs/webhooks/targets.js';
import { WebhookStore } from '../../../../src/service/jobs/webhooks/webhook-store.js';

/** Replaces the bucket in tests that write to none. */
export const noBucket = {
  send: async () => ({ status: null, error: 'There is no bucket.', again: false }),
};

/** What a node has to deliver webhooks to this machine, over a database that is open. */
export function deliveringNode(postgres: Postgres, onError: (cause: unknown) => void) {
  const clock = systemClock;
  const webhooks = new WebhookStore(postgres, clock);
  const sender = createSender({
    targets: new Targets(['127.0.0.1']),
    clock,
    proxy: { httpsProxy: undefined, httpProxy: undefined, noProxy: undefined },
  });
  const deliverer = webhookDeliverer({
    store: webhooks,
    sender,
    bucket: noBucket,
    clock,
    onError: (_, cause) => onError(cause),
  });
  return { webhooks, deliverer };
}
