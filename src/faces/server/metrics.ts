import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import * as z from 'zod';
import type { Answer, AnswerSource } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { age } from '../../../lib/runtime/request-id.js';
import { RecentMinutes } from '../../service/monitoring/recent-minutes.js';

/** Where an answer came from, as a label. */
type Source = 'cache' | 'fetch' | 'browser' | 'demo';

const seriesOf: Readonly<Record<AnswerSource, Source>> = {
  cache: 'cache',
  platform: 'fetch',
  sample: 'demo',
};

/** Upper bounds in seconds: cached answers in the first, pages of a slow platform in the last. */
const buckets = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Counts of one endpoint since the last collection. Plain numbers, because every call adds to them. */
interface Tally {
  readonly answers: Record<Source, number>;
  credits: number;
}

function fieldsOf({ returns }: Endpoint): readonly string[] {
  return returns instanceof z.ZodObject ? Object.keys(returns.shape) : [];
}

/** The server's Prometheus metrics. They contain no parameter, address, account or key. */
export class Metrics {
  readonly registry = new Registry();
  /** The calls of the last minutes. */
  readonly recent: RecentMinutes;
  readonly #tallies = new Map<Endpoint, Tally>();
  readonly #refusals: Counter<'endpoint' | 'code'>;
  readonly #items: Counter<'endpoint'>;
  readonly #nulls: Counter<'endpoint' | 'field'>;
  readonly #seconds: Histogram<'endpoint'>;
  readonly #cacheUsable: Gauge;
  #isCacheUsable = true;

  constructor(recent = new RecentMinutes()) {
    this.recent = recent;
    const registers = [this.registry];
    const answers = new Counter({
      name: 'extract_answers_total',
      help: 'Calls answered, by source of the answer: cache, fetch, browser or demo.',
      labelNames: ['endpoint', 'source'],
      registers,
      // Added on collection, because labels cost more than the count itself.
      collect: () => {
        for (const [{ path }, tally] of this.#tallies) {
          for (const source of Object.keys(tally.answers) as Source[]) {
            answers.inc({ endpoint: path, source }, tally.answers[source]);
            tally.answers[source] = 0;
          }
        }
      },
    });
    const credits = new Counter({
      name: 'extract_credits_charged_total',
      help: 'Credits charged for answers; failed calls are refunded and do not count.',
      labelNames: ['endpoint'],
      registers,
      collect: () => {
        for (const [{ path }, tally] of this.#tallies) {
          credits.inc({ endpoint: path }, tally.credits);
          tally.credits = 0;
        }
      },
    });
    this.#refusals = new Counter({
      name: 'extract_refusals_total',
      help: 'Requests answered with an error, by its code; endpoint is empty outside the table.',
      labelNames: ['endpoint', 'code'],
      registers,
    });
    this.#items = new Counter({
      name: 'extract_items_total',
      help: 'Objects read from a platform.',
      labelNames: ['endpoint'],
      registers,
    });
    this.#nulls = new Counter({
      name: 'extract_null_fields_total',
      help: 'How often a field of an object read from a platform was null. A jump relative to extract_items_total indicates a changed page.',
      labelNames: ['endpoint', 'field'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'extract_read_seconds',
      help: 'Duration of calls that were not answered from the cache.',
      labelNames: ['endpoint'],
      buckets,
      registers,
    });
    this.#cacheUsable = new Gauge({
      name: 'extract_cache_usable',
      help: '1, or 0 while the cache file is unusable and answers are only cached in memory.',
      registers,
    });
    this.#cacheUsable.set(1);
    // Initialised, because Prometheus sees no increase in a series that begins with the first fault.
    for (const path of ['', ...endpoints.map((endpoint) => endpoint.path)])
      this.#refusals.inc({ endpoint: path, code: 'internal_error' }, 0);
    for (const endpoint of endpoints) {
      this.#tallies.set(endpoint, { answers: { cache: 0, fetch: 0, browser: 0, demo: 0 }, credits: 0 });
      this.#items.inc({ endpoint: endpoint.path }, 0);
      // Initialised, so that an alert can distinguish “never null” from “not counted”.
      for (const field of fieldsOf(endpoint)) this.#nulls.inc({ endpoint: endpoint.path, field }, 0);
    }
  }

  cacheUsable(usable: boolean): void {
    this.#isCacheUsable = usable;
    this.#cacheUsable.set(usable ? 1 : 0);
  }

  get isCacheUsable(): boolean {
    return this.#isCacheUsable;
  }

  /** Counts an answered call, which took this many seconds, or the time since its request id was created. */
  countAnswer(
    endpoint: Endpoint,
    { source: from, meta, browsed }: Pick<Answer, 'source' | 'meta' | 'browsed'>,
    seconds?: number,
  ): void {
    const tally = this.#tallies.get(endpoint);
    if (tally === undefined) return;
    const source = browsed === true ? 'browser' : seriesOf[from];
    tally.answers[source] += 1;
    tally.credits += meta.credits_charged;
    if (source === 'cache') {
      this.recent.countAnswer(null);
      return;
    }
    const took = seconds ?? age(meta.request_id) / 1000;
    this.recent.countAnswer(took * 1000);
    this.#seconds.observe({ endpoint: endpoint.path }, took);
  }

  countError(endpoint: Endpoint | null, code: ErrorCode): void {
    this.#refusals.inc({ endpoint: endpoint?.path ?? '', code });
    if (endpoint !== null) this.recent.countFailure(code);
  }

  /** Counts which fields of an answer from a platform were null. */
  countFields(endpoint: Endpoint, data: unknown): void {
    const items = (Array.isArray(data) ? data : [data]) as readonly Readonly<Record<string, unknown>>[];
    this.#items.inc({ endpoint: endpoint.path }, items.length);
    for (const field of fieldsOf(endpoint)) {
      const nulls = items.reduce((count, item) => count + (item[field] === null ? 1 : 0), 0);
      if (nulls > 0) this.#nulls.inc({ endpoint: endpoint.path, field }, nulls);
    }
  }
}
