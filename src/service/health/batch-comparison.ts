import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type Clock, dayMs } from '../../../lib/runtime/clock.js';
import { baselineDays, baselineShare, dayOf } from './baseline-shares.js';
import type { BatchShares } from './batch-shares.js';
import { noOutcomes } from './call-outcome.js';
import type { BaselineShare } from './fall-test.js';
import { noMinutes } from './health-day.js';
import type { StoredHealth } from './health-log.js';

/** Minimum number of answers for a batch to be compared and added to the baseline. */
export const minBatchAnswers = 20;

/**
 * Compares a batch with the baseline in the data directory, then adds its answers to that. Returns a sentence for each
 * field that is missing more often than usual.
 */
export async function compareBatch(
  endpoint: Endpoint,
  shares: BatchShares,
  store: StoredHealth,
  clock: Clock,
): Promise<readonly string[]> {
  const now = clock.now();
  const { path } = endpoint;
  const { days, alerts } = await store.load(dayOf(now - baselineDays * dayMs));
  const endpointDays = days.filter((one) => one.endpoint === path);
  const endpointAlerts = alerts.filter((alert) => alert.endpoint === path);
  // Preferably the days up to yesterday: an earlier batch of today may have read the same broken page.
  const tomorrow = dayOf(now + dayMs);
  const baselineOf = (field: string): BaselineShare | null =>
    baselineShare(field, endpointDays, endpointAlerts, dayOf(now)) ??
    baselineShare(field, endpointDays, endpointAlerts, tomorrow);
  const sentences = shares.comparedWith(baselineOf);
  const day = {
    ...{ endpoint: path, day: dayOf(now), answers: shares.answers, filled: shares.filled },
    outcomes: { ...noOutcomes(), answered: shares.answers },
    minutes: noMinutes(),
  };
  await store.add([day], []);
  return sentences;
}

/** The weight of a published share, in answers. Servers publish only shares of enough answers. */
const publishedAnswers = 2_000;

/** Fetches the shares that a server publishes in `/status.json`; none if it publishes none. */
export async function publishedShares(
  { path }: Endpoint,
  config: Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy' | 'userAgent'>,
  baseUrl: string,
): Promise<(field: string) => BaselineShare | null> {
  const [{ connections }, { proxiesOf }] = await Promise.all([
    import('../../../lib/web/connections.js'),
    import('../../../lib/web/proxies.js'),
  ]);
  const timeouts = { connectMs: 3_000, headersMs: 5_000, bodyMs: 5_000 };
  const { dispatcher, close } = connections(proxiesOf(config), timeouts, 1);
  try {
    const { origin, pathname } = new URL(baseUrl);
    const { statusCode, body } = await dispatcher.request({
      ...{ origin, path: `${pathname.replace(/\/v1$/, '')}/status.json`, method: 'GET' },
      headers: { 'user-agent': config.userAgent, accept: 'application/json' },
    });
    const { data } = (statusCode === 200 ? await body.json() : {}) as PublishedStatus;
    const fields = data?.endpoints?.find(({ endpoint }) => endpoint === path)?.fields ?? [];
    return (name) => {
      const share = fields.find(({ field }) => field === name)?.usual_share;
      return typeof share === 'number'
        ? { answers: publishedAnswers, filled: share * publishedAnswers, scatter: 1 }
        : null;
    };
  } finally {
    await close();
  }
}

interface PublishedStatus {
  readonly data?: {
    readonly endpoints?: readonly {
      readonly endpoint?: string;
      readonly fields?: readonly { readonly field?: string; readonly usual_share?: number | null }[];
    }[];
  };
}
