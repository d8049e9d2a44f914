import { type Clock, minuteMs } from '../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../lib/runtime/periodic-task.js';
import type { Mail, Mailer } from '../accounts/mail/mailer.js';
import { percent } from './endpoint-state.js';
import type { FieldAlarm, HealthStore } from './health-store.js';
import { wholeEndpoint } from './outage.js';
import { fieldText } from './watched-fields.js';

export interface DriftMailOptions {
  readonly store: HealthStore;
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** Address of the operator. */
  readonly to: string;
  readonly publicUrl: string;
  /** Resolves when this process has finished judging all endpoints, if it is doing so. */
  readonly judged: () => Promise<void>;
  /** Why an endpoint is in its state, in sentences. */
  readonly reasonsOf: (endpoint: string) => readonly string[];
  readonly onError: (cause: unknown) => void;
}

const minuteOf = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const isOutage = ({ field }: FieldAlarm) => field === wholeEndpoint;

const fieldLine = ({ endpoint, field, share, usual, answers, since }: FieldAlarm) =>
  `- ${endpoint}: ${fieldText(field)} in ${percent(share)} of ${answers} answers; usually ${percent(usual)} (seen ${minuteOf(since)})`;

function outageSubject([first, ...more]: readonly FieldAlarm[]): string {
  return more.length === 0
    ? `${first?.endpoint} gives no answers`
    : `${more.length + 1} endpoints give no answers`;
}

function fieldSubject([first, ...more]: readonly FieldAlarm[]): string {
  if (first === undefined || more.length > 0) return `${more.length + 1} fields are missing from answers`;
  const what = first.field.endsWith('>0') ? 'is 0 in answers' : 'is missing from answers';
  return `${first.endpoint}: ${first.field.replace(/>0$/, '')} ${what}`;
}

/** Mails the operator once about each endpoint or field that fell. Alarms of the same minute share one mail. */
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
    const { store, mailer, clock, judged, onError } = this.#options;
    try {
      // Both run each minute. Without this wait, one outage could be split over two mails.
      await judged();
      const alarms = await store.claimMails(clock.now());
      if (alarms.length === 0) return;
      const sent = await mailer.send(this.#mailAbout(alarms)).then(
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

  #mailAbout(alarms: readonly FieldAlarm[]): Mail {
    const { to, publicUrl, reasonsOf } = this.#options;
    const outages = alarms.filter(isOutage);
    const fields = alarms.filter((alarm) => !isOutage(alarm));
    const outageLine = ({ endpoint, since }: FieldAlarm) =>
      `- ${[`${endpoint}:`, ...reasonsOf(endpoint)].join(' ')} (seen ${minuteOf(since)})`;
    const endpoints = [...new Set(alarms.map(({ endpoint }) => endpoint))];
    const parts = [
      ...(outages.length === 0
        ? []
        : [
            'Endpoints give no answers. The platform refuses this server, cannot be reached, or has changed its pages.',
            outages.map(outageLine).join('\n'),
          ]),
      ...(fields.length === 0
        ? []
        : [
            'Fields are missing from answers that usually have them. The platform has probably changed its pages.',
            fields.map(fieldLine).join('\n'),
          ]),
      `Status of every endpoint: ${publicUrl}/status\nWhat to do: run “extract doctor --live ${endpoints.join(' ')} --save DIR” and report the saved pages.`,
      'You get one e-mail for each outage and for each missing field.\n',
    ];
    const subjects = [
      ...(outages.length === 0 ? [] : [outageSubject(outages)]),
      ...(fields.length === 0 ? [] : [fieldSubject(fields)]),
    ];
    return { to, subject: subjects.join('; '), text: parts.join('\n\n') };
  }
}
