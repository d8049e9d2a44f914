import { maxBlocks } from './answer-window.js';
import type { CanaryResult } from './canary.js';
import type { HealthNow, SeenError } from './health-store.js';
import { sumMinutes } from './recent-calls.js';

const maxErrors = 5;

/** The later one of two canaries. */
export function laterCanary(one: CanaryResult | null, other: CanaryResult | null): CanaryResult | null {
  if (one === null || other === null) return one ?? other;
  return one.at > other.at ? one : other;
}

/** The last errors of both, newest first. */
export function lastErrors(one: readonly SeenError[], other: readonly SeenError[]): readonly SeenError[] {
  return [...one, ...other].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, maxErrors);
}

/**
 * How an endpoint stands after a process has told what it saw since it told last. What it counted is added, and the state
 * is as it judged it.
 */
export function mergeHealth(known: HealthNow | undefined, news: HealthNow): HealthNow {
  if (known === undefined) return news;
  const { state, reasons, since } = news;
  return {
    endpoint: news.endpoint,
    ...{ state, reasons, since: known.state === state ? Math.min(known.since, since) : since },
    canary: laterCanary(news.canary, known.canary),
    errors: lastErrors(news.errors, known.errors),
    blocks: [...known.blocks, ...news.blocks].sort((a, b) => a.at - b.at).slice(-maxBlocks),
    // Kept by versions before this one without them.
    minutes: sumMinutes([known.minutes ?? [], news.minutes]),
  };
}
