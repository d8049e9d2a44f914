import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { integerText } from '../../../output/number-text.js';
import type { Mail, Mailer } from '../mail/mailer.js';
import { packsPath } from '../packs/payments.js';
import type { DueAlert } from './alert-row.js';
import type { AlertStore } from './alert-store.js';

function alertMail({ email, balance, threshold }: DueAlert, publicUrl: string, sells: boolean): Mail {
  const { host } = new URL(publicUrl);
  return {
    to: email,
    subject: `Your balance at ${host} is ${integerText(balance)} credits`,
    text: `Your balance at ${host} is ${integerText(balance)} credits, below your alert of ${integerText(threshold)}.

${sells ? `Add credits: ${publicUrl}${packsPath}` : 'The operator of the server can add more.'}

You get one e-mail each time your balance falls below ${integerText(threshold)}. Change this number: ${publicUrl}/dashboard/settings
`,
  };
}

export interface BalanceWatchOptions {
  readonly alerts: AlertStore;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** True if this server sells credits. */
  readonly sells: boolean;
  /** Called if a mail could not be sent or recorded. */
  readonly onError: (account: string, cause: unknown) => void;
}

const interval = 60_000;

/** Checks the balances with an alert every minute, and sends the mails that are due. */
export class BalanceWatch {
  readonly #options: BalanceWatchOptions;
  readonly #checks: PeriodicTask;

  constructor(options: BalanceWatchOptions) {
    this.#options = options;
    this.#checks = new PeriodicTask(options.clock, interval, () => this.#sendDue());
  }

  start(): void {
    void this.#checks.run();
  }

  /** Sends no further mail, and waits for the current one. */
  stop(): Promise<void> {
    return this.#checks.stop();
  }

  async #sendDue(): Promise<void> {
    const { alerts, clock, onError } = this.#options;
    try {
      while (!this.#checks.isStopped) {
        const claimed = await alerts.claim(clock.now());
        if (claimed.length === 0) return;
        for (const alert of claimed) {
          if (this.#checks.isStopped) await alerts.settle(alert, false, clock.now());
          else await this.#notify(alert);
        }
      }
    } catch (cause) {
      onError('', cause);
    }
  }

  async #notify(alert: DueAlert): Promise<void> {
    const { alerts, mailer, clock, publicUrl, sells, onError } = this.#options;
    const isSent = await mailer.send(alertMail(alert, publicUrl, sells)).then(
      () => true,
      (cause: unknown) => {
        onError(alert.account, cause);
        return false;
      },
    );
    await alerts.settle(alert, isSent, clock.now());
  }
}
