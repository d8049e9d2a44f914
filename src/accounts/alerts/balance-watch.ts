import type { Clock } from '../../../lib/runtime/clock.js';
import type { Mail, Mailer } from '../mail/mailer.js';
import { packsPath } from '../packs/payments.js';
import type { Alerts, DueAlert } from './alerts.js';

const number = (credits: number) => credits.toLocaleString('en');

/** The mail about a balance below what its owner has set. */
function alertMail({ email, balance, threshold }: DueAlert, publicUrl: string): Mail {
  const { host } = new URL(publicUrl);
  return {
    to: email,
    subject: `Your balance at ${host} is ${number(balance)} credits`,
    text: `Your balance at ${host} is ${number(balance)} credits, below your alert of ${number(threshold)}.

Add credits: ${publicUrl}${packsPath}

You get this mail once, and again only after your balance has been back at ${number(threshold)} or more.
`,
  };
}

export interface BalanceWatchOptions {
  readonly alerts: Alerts;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Gets what kept a mail from being sent or recorded. */
  readonly onError: (account: string, cause: unknown) => void;
}

/** Milliseconds from one check of the balances to the next. */
const interval = 60_000;

/** Checks the balances that have an alert, every minute, and sends the mails that are due. */
export class BalanceWatch {
  readonly #options: BalanceWatchOptions;
  #disarm: () => void = () => undefined;
  #sending: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: BalanceWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#sending = this.#sendDue().then(() => {
      if (!this.#stopped) this.#disarm = this.#options.clock.alarm(interval, () => this.start());
    });
  }

  /** Begins no further mail, and waits for the one that is being sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#disarm();
    await this.#sending;
  }

  async #sendDue(): Promise<void> {
    const { alerts, clock, onError } = this.#options;
    try {
      for (const alert of await alerts.claim(clock.now())) {
        if (this.#stopped) await alerts.settle(alert, false, clock.now());
        else await this.#notify(alert);
      }
    } catch (cause) {
      onError('', cause);
    }
  }

  async #notify(alert: DueAlert): Promise<void> {
    const { alerts, mailer, clock, publicUrl, onError } = this.#options;
    const sent = await mailer.send(alertMail(alert, publicUrl)).then(
      () => true,
      (cause: unknown) => {
        onError(alert.account, cause);
        return false;
      },
    );
    await alerts.settle(alert, sent, clock.now());
  }
}
