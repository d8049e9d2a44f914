import { hourMs, minuteMs } from '../../../lib/runtime/clock.js';
import { outcomes } from './call-outcome.js';
import type { CanaryResult } from './canary.js';
import { isOut, type JudgedState } from './endpoint-state.js';
import type { FieldChanges } from './field-watch.js';
import type { FieldAlert } from './health-store.js';
import type { LastHour } from './recent-calls.js';

/** The `field` of an alert about a whole endpoint. */
export const allFields = '';

/** Minimum duration of a reported outage. Shorter ones often end without help. */
const outageMs = 6 * minuteMs;
/** Minimum time with answers before another outage is reported. */
const overMs = hourMs;
/** Minimum failed calls, so that a few bad subjects are not an outage. */
const minFailures = 10;

interface OutageEvidence {
  readonly endpoint: string;
  readonly judged: JudgedState;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly canary: CanaryResult | null;
  readonly lastHour: LastHour;
  readonly alerts: readonly FieldAlert[];
}

/** Returns an outage that began or ended. */
export function checkOutage(evidence: OutageEvidence, now: number): FieldChanges {
  const { endpoint, judged, since, canary, lastHour, alerts } = evidence;
  const alert = alerts.find(({ field, ended }) => field === allFields && ended === null);
  if (alert !== undefined) {
    const isOver = !isOut(judged.state) && now - since >= overMs;
    return { raised: [], ended: isOver ? [{ alert, accepted: false }] : [] };
  }
  const { counts } = lastHour;
  const failures = counts.refused + counts.changed + counts.unreachable;
  const isSure = failures >= minFailures || (canary !== null && isOut(canary.outcome));
  if (!isOut(judged.state) || now - since < outageMs || !isSure) return { raised: [], ended: [] };
  const answers = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  const share = answers === 0 ? 0 : (answers - failures) / answers;
  const raised = { endpoint, field: allFields, since: now, usual: 1, share, answers };
  return { raised: [{ ...raised, ended: null, accepted: false }], ended: [] };
}
