import { type Clock, minuteMs } from '../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../lib/runtime/periodic-task.js';
import type { Mailer } from '../accounts/mail/mailer.js';
import { percent } from './endpoint-state.js';
import type { FieldAlarm, HealthStore } from './health-store.js';

export interface DriftMailOptions {
  readonly store: HealthStore;
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Address of the operator. */
  readonly to: string;
  readonly publicUrl: string;
  readonly onError: (cause: unknown) => void;
}

const line = ({ endpoint, field, share, usual, answers, since }: FieldAlarm) =>
  `- ${endpoint}: ${field} was filled in ${percent(share)} of ${answers} answers; usually ${percent(usual)} (seen ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC)`;

/** Mails the operator about fields that fell, once each: those that fell in the same minute in one mail. */
export class DriftMail {
  readonly #options: DriftMailOptions;
  readonly #mails: PeriodicTask;

  constructor(options: DriftMailOptions) {
    this.#options = options;
    this.#mails = new PeriodicTask(options.clock, minuteMs, () => this.send());
  }

  start(): void {
    void this.#mails.run();
  }

  stop(): Promise<void> {
    return this.#mails.stop();
  }

  /** Sends what is due now. Never rejects. */
  async send(): Promise<void> {
    const { store, mailer, clock, to, publicUrl, onError } = this.#options;
    try {
      const alarms = await store.claimMails(clock.now());
      const [first] = alarms;
      if (first === undefined) return;
      const subject =
        alarms.length === 1
          ? `${first.endpoint}: ${first.field} is missing from answers`
          : `${alarms.length} fields are missing from answers`;
      const text = `Fields are missing from answers that usually have them. The platform has probably changed its pages.

${alarms.map(line).join('\n')}

Status of every endpoint: ${publicUrl}/status
What to do: run “extract doctor --live ${[...new Set(alarms.map(({ endpoint }) => endpoint))].join(' ')} --keep-pages DIR” and report the saved pages.

You get one mail for each missing field.
`;
      const sent = await mailer.send({ to, subject, text }).then(
        () => true,
        (cause: unknown) => {
          onError(cause);
          return false;
        },
      );
      await store.settleMails(alarms, sent, clock.now());
    } catch (cause) {
      onError(cause);
    }
  }
}
