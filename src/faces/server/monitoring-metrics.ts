import { Gauge, type Registry } from 'prom-client';
import { platforms } from '../../../lib/platforms.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { withTimeout } from '../../../lib/runtime/with-timeout.js';
import type { Monitoring } from '../../service/monitoring/monitoring.js';

/** Milliseconds to cache expensive figures, which need a walk over files or tables. */
const defaultRememberedMs = 15_000;

/** Maximum milliseconds to wait for a figure, because scrapers have short timeouts. */
const maxCollectMs = 3_000;
const late = () => new Error('Some of the metrics were not available in time.');

interface Figure {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Caches the result of work for some time. A rejection is not cached. */
function rememberedFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at >= ms) {
      last = { at: now, result: work() };
      last.result.catch(() => {
        last = undefined;
      });
    }
    return last.result;
  };
}

/** Adds what operators monitor to the server's metrics. Figures that cannot be read now are omitted. */
export function addMonitoringMetrics(
  registry: Registry,
  monitoring: Monitoring,
  rememberedMs = defaultRememberedMs,
): void {
  const remembered = <T>(work: () => Promise<T>) => rememberedFor(rememberedMs, work);
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    readFigures: () => Promise<readonly Figure[]>,
  ) =>
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      async collect() {
        const figures = await withTimeout(readFigures(), maxCollectMs, systemClock, late).catch(() => null);
        // In one step, because collections overlap, and one must not see another's intermediate state.
        this.reset();
        for (const { labels = {}, value } of figures ?? []) this.set(labels, value);
        // A gauge with labels has no value until one is set; one without has 0, which would be false.
        if (figures === null && labelNames.length === 0) this.remove();
      },
    });
  const number = (name: string, help: string, readNumber: () => Promise<number>) =>
    gauge(name, help, [], async () => [{ value: await readNumber() }]);
  const queue = remembered(() => monitoring.queue());
  number('extract_queue_jobs', 'Jobs that are running or waiting.', async () => (await queue()).jobs);
  number('extract_queue_inputs', 'Unfinished inputs of jobs.', async () => (await queue()).inputs);
  number(
    'extract_queue_oldest_seconds',
    'Age of the oldest unfinished job; 0 for none.',
    async () => (await queue()).oldestSeconds,
  );
  gauge(
    'extract_cooldown_seconds',
    'Remaining cool-down of a platform that refused.',
    ['platform'],
    async () => {
      const cooling = await monitoring.coolDowns();
      return platforms.map((platform) => ({
        labels: { platform },
        value: cooling.find((row) => row.platform === platform)?.secondsLeft ?? 0,
      }));
    },
  );
  gauge(
    'extract_mails',
    'E-mails since the server started, by outcome: sent or failed.',
    ['outcome'],
    async () => {
      const { sent, failed } = monitoring.mails();
      return [
        { labels: { outcome: 'sent' }, value: sent },
        { labels: { outcome: 'failed' }, value: failed },
      ];
    },
  );
  const webhooks = remembered(() => monitoring.failedWebhooks());
  number(
    'extract_webhooks_failed',
    'Webhooks that failed for good, of jobs whose results still exist.',
    async () => (await webhooks()).total,
  );
  const orders = remembered(() => monitoring.openOrders());
  number('extract_open_orders', 'Unpaid orders of packs.', async () => (await orders()).total);
  // A server without a database omits these metrics instead of reporting zeros.
  if (monitoring.connections() !== null) {
    gauge(
      'extract_database_connections',
      'Connections to the database: in use, idle, and how many more may be opened; waiting: work that has none yet.',
      ['state'],
      async () => {
        const { open = 0, idle = 0, waiting = 0, max = 0 } = monitoring.connections() ?? {};
        const states = { used: open - idle, idle, free: max - open, waiting };
        return Object.entries(states).map(([state, value]) => ({ labels: { state }, value }));
      },
    );
  }
  const files = remembered(() => monitoring.files());
  gauge('extract_data_bytes', 'Bytes of each file and folder of the data directory.', ['file'], async () =>
    (await files()).map(({ name, bytes }) => ({ labels: { file: name }, value: bytes })),
  );
}
