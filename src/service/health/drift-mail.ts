import { brandOf, type Platform, platforms } from '../../../lib/platforms.js';
import { type Clock, minuteMs } from '../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../lib/runtime/periodic-task.js';
import type { Mail, Mailer } from '../accounts/mail/mailer.js';
import { percent } from './endpoint-state.js';
import type { StoredHealth } from './health-log.js';
import type { EndpointReport } from './health-report.js';
import type { FieldAlert } from './health-store.js';
import { allFields } from './outage.js';
import { fieldText } from './watched-fields.js';

export interface DriftMailOptions {
  readonly store: StoredHealth;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly to: string;
  readonly publicUrl: string;
  /** Resolves once no judgement of the endpoints is in progress in this process. */
  readonly whenJudged: () => Promise<void>;
  readonly reportOf: (endpoint: string) => EndpointReport | undefined;
  readonly onError: (cause: unknown) => void;
}

/** Endpoints that a command can name and stay readable. */
const maxNames = 4;

const minuteOf = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const isOutage = ({ field }: FieldAlert) => field === allFields;

const fieldLine = ({ endpoint, field, share, usual, answers, since }: FieldAlert) =>
  `- ${endpoint}: ${fieldText(field)} in ${percent(share)} of ${answers} answers; usually ${percent(usual)} (seen ${minuteOf(since)})`;

const brandOfPath = (path: string) => brandOf(path.split('/')[0] as Platform);

function outageSubject(alerts: readonly FieldAlert[]): string {
  const brands = new Set(alerts.map(({ endpoint }) => brandOfPath(endpoint)));
  const [first] = alerts;
  const where = brands.size === 1 ? `${[...brands].join()}: ` : '';
  return alerts.length === 1
    ? `${first?.endpoint} is failing`
    : `${where}${alerts.length} endpoints are failing`;
}

function outageLines(alerts: readonly FieldAlert[], reasonsOf: (path: string) => string): string {
  const groups = Map.groupBy(alerts, ({ endpoint }) => `${brandOfPath(endpoint)}\n${reasonsOf(endpoint)}`);
  const lines = [...groups].map(([group, members]) => {
    const [brand = '', reasons = ''] = group.split('\n');
    const names = members.map(({ endpoint }) => endpoint.split('/')[1]).join(', ');
    const since = Math.min(...members.map((one) => one.since));
    return `- ${`${brand} (${names}): ${reasons}`.trim()} (seen ${minuteOf(since)})`;
  });
  return lines.join('\n');
}

function fieldSubject([first, ...more]: readonly FieldAlert[]): string {
  if (first === undefined || more.length > 0) return `${more.length + 1} fields are missing from answers`;
  const what = first.field.endsWith('>0') ? 'is 0 in answers' : 'is missing from answers';
  return `${first.endpoint}: ${first.field.replace(/>0$/, '')} ${what}`;
}

/**
 * Mails the operator once about each endpoint or field that fell. Alerts of the same minute share one mail. Never
 * rejects.
 */
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

  async send(): Promise<void> {
    const { store, mailer, clock, whenJudged: judged, onError } = this.#options;
    try {
      // Both run every minute. Without waiting, one outage could take two mails.
      await judged();
      const alerts = await store.claimMails(clock.now());
      if (alerts.length === 0) return;
      const isSent = await mailer.send(this.#mailAbout(alerts)).then(
        () => true,
        (cause: unknown) => {
          onError(cause);
          return false;
        },
      );
      await store.settleMails(alerts, isSent, clock.now());
    } catch (cause) {
      onError(cause);
    }
  }

  #mailAbout(alerts: readonly FieldAlert[]): Mail {
    const { to, publicUrl, reportOf } = this.#options;
    const outages = alerts.filter(isOutage);
    const fields = alerts.filter((alert) => !isOutage(alert));
    const reasonsOf = (path: string) => reportOf(path)?.reasons.join(' ') ?? '';
    const isNetworkDown =
      outages.every(({ endpoint }) => reportOf(endpoint)?.state === 'unreachable') &&
      platforms.every((platform) => outages.some(({ endpoint }) => endpoint.startsWith(`${platform}/`)));
    const endpoints = [...new Set(alerts.map(({ endpoint }) => endpoint))];
    // Without names, it checks all endpoints.
    const names = endpoints.length > maxNames ? '' : ` ${endpoints.join(' ')}`;
    const parts = [
      ...(outages.length === 0
        ? []
        : [
            isNetworkDown
              ? 'No platform can be reached from this server: check its network, its DNS and its proxy. “extract doctor” says what fails.'
              : 'Endpoints are failing. The platform refuses this server, cannot be reached, or has changed its pages.',
            outageLines(outages, reasonsOf),
          ]),
      ...(fields.length === 0
        ? []
        : [
            'Fields are missing from answers that usually have them. The platform has probably changed its pages.',
            fields.map(fieldLine).join('\n'),
          ]),
      `Status of every endpoint: ${publicUrl}/status`,
      ...(isNetworkDown
        ? []
        : [`What to do: run “extract doctor --live${names} --save DIR” and report the saved pages.`]),
      'You get one e-mail per outage and per missing field.\n',
    ];
    const subjects = [
      ...(outages.length === 0
        ? []
        : [isNetworkDown ? 'No platform can be reached' : outageSubject(outages)]),
      ...(fields.length === 0 ? [] : [fieldSubject(fields)]),
    ];
    return { to, subject: subjects.join('; '), text: parts.join('\n\n') };
  }
}
