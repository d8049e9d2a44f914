import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { signWebhook } from '../../../../lib/webhook.js';
import type { WatchDelivery } from '../../../files/watch/watch-store.js';
import { createSender, type Sender } from '../../../service/jobs/webhooks/sender.js';
import { Targets } from '../../../service/jobs/webhooks/targets.js';

/** Milliseconds before each further attempt: those of a server's webhooks. */
const pauses = [2000, 4000, 8000, 16_000, 32_000];

/** A command may post wherever its machine can: the ranges that a server keeps closed are open here. */
const everywhere = ['0.0.0.0/0', '::/0'];

export interface WatchWebhook {
  /** Posts it, with further attempts; resolves with why it was not taken in the end, or null. */
  post(delivery: WatchDelivery, signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
}

/** Posts what is said of runs; signed where a secret is set. */
export function openWatchWebhook(
  url: string,
  secret: string | undefined,
  proxy: Config,
  sender: Sender = createSender({ targets: new Targets(everywhere), clock: systemClock, proxy }),
  clock = systemClock,
): WatchWebhook {
  return {
    async post({ id, body }, signal) {
      for (let attempt = 0; ; attempt += 1) {
        const now = Math.floor(clock.now() / 1000);
        const signature =
          secret === undefined ? {} : { 'extract-signature': signWebhook([secret], now, body) };
        const sent = await sender.send(
          { url, body, headers: { ...signature, 'extract-delivery': id } },
          signal,
        );
        if (sent.error === null) return null;
        const pause = pauses[attempt];
        if (!sent.again || pause === undefined) return sent.error;
        await clock.sleep(pause, signal);
      }
    },
    close: () => sender.close(),
  };
}
