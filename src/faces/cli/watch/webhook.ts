import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { signWebhook } from '../../../../lib/webhook.js';
import type { WatchDelivery } from '../../../files/watch/watch-store.js';
import { createSender, type Sender } from '../../../service/jobs/webhooks/sender.js';
import { everywhere } from '../notify/notifier.js';
import { retried } from '../notify/retried.js';

/** Posts the reports of runs, signed if a secret is configured. */
export function openWatchWebhook(
  url: string,
  secret: string | undefined,
  proxy: Config,
  sender: Sender = createSender({ targets: everywhere, clock: systemClock, proxy }),
  clock = systemClock,
) {
  return {
    /** Posts with retries. Resolves with why the delivery was not accepted, or null. */
    post: ({ id, body }: Pick<WatchDelivery, 'id' | 'body'>, signal: AbortSignal) =>
      retried(
        () => {
          const now = Math.floor(clock.now() / 1000);
          const signature =
            secret === undefined ? {} : { 'extract-signature': signWebhook([secret], now, body) };
          return sender.send({ url, body, headers: { ...signature, 'extract-delivery': id } }, signal);
        },
        clock,
        signal,
      ),
    close: () => sender.close(),
  };
}
