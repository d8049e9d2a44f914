import type { FetchLeases } from '../../../lib/cache/fetch-leases.js';
import type { Services } from '../../../lib/call/call.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Mailer } from '../accounts/mail/mailer.js';
import type { CanaryResult } from './canary.js';
import { CanaryWatch } from './canary-watch.js';
import { DriftMail } from './drift-mail.js';
import { percent } from './endpoint-state.js';
import type { StoredHealth } from './health-log.js';
import { HealthWatch } from './health-watch.js';
import { allFields } from './outage.js';
import { fieldText } from './watched-fields.js';

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface HealthOptions {
  readonly endpoints: readonly Endpoint[];
  readonly services: Services;
  readonly store: StoredHealth;
  /** Let servers with a shared store run each canary round once; undefined for a single server. */
  readonly leases: FetchLeases | undefined;
  readonly mailer: Mailer;
  readonly docsBase: string;
  /** The address for mail about outages and falling fields; undefined for no mail. */
  readonly operatorEmail: string | undefined;
  /** Minutes between rounds of canaries; undefined for none. */
  readonly canaryMinutes: number | undefined;
  readonly canaries: string | undefined;
  readonly log: Log;
  readonly onCanary: (endpoint: Endpoint, result: CanaryResult) => void;
}

async function lastRound(store: StoredHealth): Promise<ReadonlyMap<string, number>> {
  // A future date, so that no alerts are loaded.
  const { now } = await store.current('9999-12-31');
  return new Map(now.map(({ endpoint, canary }) => [endpoint, canary?.at ?? 0]));
}

/** Creates the health watch: states, health log, canaries, and mail about falls. */
export function openHealth(options: HealthOptions) {
  const { endpoints, services, store, leases, mailer, docsBase, operatorEmail, canaryMinutes, log } = options;
  const { clock } = services;
  const onError = (cause: unknown) => log.error({ err: cause }, 'the health check of the endpoints failed');
  const watch = new HealthWatch({
    ...{ endpoints, store, clock, canaryMinutes, docsBase, onError },
    onState({ endpoint, state, reasons }, before) {
      const fields = { endpoint, state, before, reasons };
      if (state === 'ok' || state === 'unknown') log.info(fields, 'the state of an endpoint has changed');
      else log.warn(fields, 'the state of an endpoint has changed');
    },
    onAlert({ endpoint, field, share, usual, answers }) {
      const what =
        field === allFields
          ? 'an endpoint is failing'
          : `${fieldText(field)} in ${percent(share)} of ${answers} answers; usually ${percent(usual)}`;
      log.warn({ endpoint, field, share, usual, answers }, what);
    },
    onAlertEnd({ endpoint, field }, isAccepted) {
      const what =
        field === allFields
          ? 'an endpoint works again'
          : isAccepted
            ? 'a field remains rarer, so its new share becomes the usual one'
            : 'a field is back to its usual share';
      log.info({ endpoint, field }, what);
    },
  });
  const canaries =
    canaryMinutes === undefined
      ? undefined
      : new CanaryWatch({
          ...{ endpoints, services, onError },
          file: options.canaries,
          minutes: canaryMinutes,
          shared: leases && { leases, lastRound: () => lastRound(store), publish: () => watch.publish() },
          onResult(endpoint, result) {
            watch.canary(endpoint, result);
            options.onCanary(endpoint, result);
          },
        });
  const mail =
    operatorEmail === undefined
      ? undefined
      : new DriftMail({
          ...{ store, mailer, clock, to: operatorEmail, publicUrl: docsBase, onError },
          whenJudged: () => watch.whenJudged(),
          reportOf: (path) => watch.reports().find(({ endpoint }) => endpoint === path),
        });
  return {
    watch,
    async start() {
      await watch.start();
      canaries?.start();
      mail?.start();
    },
    async stop() {
      await canaries?.stop();
      await mail?.stop();
      await watch.stop();
    },
  };
}

export type Health = ReturnType<typeof openHealth>;
