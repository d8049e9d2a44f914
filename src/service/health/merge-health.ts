import { maxSkewMs } from '../../../lib/runtime/clock.js';
import type { CanaryResult } from './canary.js';
import { minInRow } from './endpoint-state.js';
import type { HealthNow, SeenError } from './health-store.js';
import { addCalls, callsUntil } from './recent-calls.js';

const maxErrors = minInRow;

function laterCanary(one: CanaryResult | null, other: CanaryResult | null): CanaryResult | null {
  if (one === null || other === null) return one ?? other;
  return one.at > other.at ? one : other;
}

function lastErrors(one: readonly SeenError[], other: readonly SeenError[]): readonly SeenError[] {
  return [...one, ...other].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, maxErrors);
}

/** Merges a process's observations since its last publication: counts are added, its state replaces the old one. */
export function mergeHealth(shared: HealthNow | undefined, delta: HealthNow): HealthNow {
  if (shared === undefined) return delta;
  const { endpoint, state, reasons, since } = delta;
  const answeredAt = Math.max(delta.answeredAt ?? 0, shared.answeredAt ?? 0);
  return {
    ...{ endpoint, state, reasons, since: shared.state === state ? Math.min(shared.since, since) : since },
    canary: laterCanary(delta.canary, shared.canary),
    errors: lastErrors(delta.errors, shared.errors),
    ...(answeredAt === 0 ? {} : { answeredAt }),
    ...addCalls(shared, delta),
  };
}

/** Removes what a fast clock dated in the future, which would otherwise be the newest until that time arrives. */
export function healthUntil(now: number, { answeredAt = 0, ...health }: HealthNow): HealthNow {
  const latest = now + maxSkewMs;
  return {
    ...health,
    since: Math.min(health.since, now),
    canary: health.canary !== null && health.canary.at > latest ? null : health.canary,
    errors: health.errors.filter(({ at }) => Date.parse(at) <= latest),
    ...(answeredAt === 0 || answeredAt > latest ? {} : { answeredAt }),
    ...callsUntil(latest, health),
  };
}
