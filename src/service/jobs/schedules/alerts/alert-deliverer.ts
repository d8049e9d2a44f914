import type { Clock } from '../../../../../lib/runtime/clock.js';
import type { Mailer } from '../../../accounts/mail/mailer.js';
import { sendNotice } from '../../../notify/send-notice.js';
import { Deliverer } from '../../webhooks/deliverer.js';
import { maxPauseMs } from '../../webhooks/delivery-rules.js';
import type { AttemptOutcome, Sender } from '../../webhooks/sender.js';
import type { WebhookStore } from '../../webhooks/webhook-store.js';
import type { AlertStore, DueAlert } from './alert-store.js';

export interface AlertDelivererOptions {
  readonly store: AlertStore;
  readonly webhooks: Pick<WebhookStore, 'secrets'>;
  readonly sender: Sender;
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  /** Called if an alert could not be sent or recorded; the schedule is empty if it concerns all of them. */
  readonly onError: (schedule: string, cause: unknown) => void;
}

/** Sends the alerts of runs, alternating between accounts and receivers like webhooks. */
export function alertDeliverer(options: AlertDelivererOptions): Deliverer<DueAlert> {
  const { store, webhooks, sender, mailer, clock, onError } = options;
  return new Deliverer<DueAlert>({
    ...{ store, clock },
    // Longer than the time allowed for a mail server.
    claimMs: maxPauseMs,
    async attempt(alert, signal) {
      const notice = await store.readNotice(alert);
      const lostRun: AttemptOutcome = { status: null, error: 'The run no longer exists.', again: false };
      const secrets = alert.target.kind === 'webhook' ? await webhooks.secrets.list(alert.account) : [];
      const outcome =
        notice === null
          ? lostRun
          : await sendNotice({ sender, mailer, secrets, clock }, alert.target, notice, signal);
      await store.record(alert, outcome);
      return outcome;
    },
    onError: (alert, cause) => onError(alert?.schedule ?? '', cause),
  });
}
