import type { Endpoint } from '../../lib/endpoint.js';
import type { ExtractError } from '../../lib/errors/extract-error.js';
import { seenLine } from '../../lib/errors/seen.js';
import { dayOf } from './baseline-shares.js';
import { noOutcomes, outcomeOf } from './call-outcome.js';
import type { CanaryResult } from './canary.js';
import { type FallenField, type JudgedState, judge, type State } from './endpoint-state.js';
import { FieldWatch } from './field-watch.js';
import { addToDay, type HealthDay } from './health-day.js';
import type { FieldAlarm, HealthNow, SeenError } from './health-store.js';
import { RecentCalls } from './recent-calls.js';

const maxErrors = 5;
/** Characters of what was seen that are kept of each. */
const maxSeen = 2000;

const noMinutes = (): Record<State, number> => ({ ok: 0, degraded: 0, refused: 0, changed: 0, unknown: 0 });

/** What was counted of an endpoint on a day since the counts were last taken. */
interface Tally {
  readonly day: string;
  readonly outcomes: Record<keyof HealthDay['outcomes'], number>;
  readonly minutes: Record<State, number>;
  answers: number;
  readonly filled: Record<string, number>;
}

/** All that a server holds in memory of one endpoint's health. */
export class EndpointRecord {
  readonly endpoint: Endpoint;
  readonly recent = new RecentCalls();
  readonly watch: FieldWatch;
  days: readonly HealthDay[] = [];
  canary: CanaryResult | null;
  errors: readonly SeenError[];
  #judged: JudgedState;
  #since: number;
  #tallies: Tally[] = [];
  #isCounted = false;

  constructor(endpoint: Endpoint, now: number, kept: HealthNow | undefined) {
    this.endpoint = endpoint;
    this.watch = new FieldWatch(endpoint, kept?.blocks);
    this.canary = kept?.canary ?? null;
    this.errors = kept?.errors ?? [];
    this.#judged = { state: kept?.state ?? 'unknown', reasons: kept?.reasons ?? [] };
    this.#since = kept?.since ?? now;
  }

  get judged(): JudgedState {
    return this.#judged;
  }

  get since(): number {
    return this.#since;
  }

  get fallen(): readonly FallenField[] {
    return this.watch.open.map(({ field, usual, share }) => ({ field, usual, share }));
  }

  learn(days: readonly HealthDay[], alarms: readonly FieldAlarm[], now: number): void {
    this.days = days;
    this.watch.learn(days, alarms, now);
  }

  /** Counts an answer; true where a look at its fields is due. */
  countAnswer(data: unknown, now: number): boolean {
    this.recent.add(now, 'answered');
    const tally = this.#tally(now);
    tally.outcomes.answered += 1;
    this.#isCounted = true;
    const counted = this.watch.count(data, now);
    if (counted === null) return false;
    tally.answers += 1;
    for (const [index, field] of this.watch.fields.entries()) {
      const share = counted.shares[index] ?? 0;
      if (share > 0) tally.filled[field] = (tally.filled[field] ?? 0) + share;
    }
    return counted.isDue;
  }

  /** Counts a failure, if it says something about the platform. */
  countFailure(error: ExtractError, now: number): void {
    const outcome = outcomeOf(error);
    if (outcome === null) return;
    this.recent.add(now, outcome, outcome === 'not_found' ? null : error.code);
    this.#tally(now).outcomes[outcome] += 1;
    this.#isCounted = true;
    if (outcome === 'not_found') return;
    const seen = { at: new Date(now).toISOString(), code: error.code, message: error.message };
    const line = seenLine(error.seen).slice(0, maxSeen);
    this.errors = [{ ...seen, seen: line }, ...this.errors].slice(0, maxErrors);
  }

  /** Judges anew. Gives the state before, where it is another one now; null where it is the same. */
  judge(now: number, canaryMs: number): State | null {
    const isYoung = this.canary !== null && now - this.canary.at <= canaryMs;
    const canary = isYoung ? this.canary : null;
    const answersSinceCanary = canary === null ? 0 : this.recent.since(now, canary.at).counts.answered;
    const evidence = { lastHour: this.recent.since(now), canary, answersSinceCanary, fallen: this.fallen };
    const before = this.#judged.state;
    this.#judged = judge(evidence);
    if (this.#judged.state === before) return null;
    this.#since = now;
    return before;
  }

  /** Notes that the endpoint was in its state for a minute. */
  passMinute(now: number): void {
    this.#tally(now).minutes[this.#judged.state] += 1;
  }

  /** True when calls were counted since the last `take`. */
  get isCounted(): boolean {
    return this.#isCounted;
  }

  /** Takes what was counted, to be kept. */
  take(): { readonly days: readonly HealthDay[]; readonly now: HealthNow } {
    const days = this.#tallies.map((tally) => ({ ...tally, endpoint: this.endpoint.path }));
    this.#tallies = [];
    this.#isCounted = false;
    const { canary, errors, watch } = this;
    const standing = { ...this.#judged, since: this.#since, canary, errors, blocks: watch.blocks };
    return { days, now: { endpoint: this.endpoint.path, ...standing } };
  }

  /** Adds days that were kept to what is known. */
  know(kept: readonly HealthDay[]): void {
    for (const counted of kept) {
      const known = this.days.find(({ day }) => day === counted.day);
      this.days = [...this.days.filter((one) => one !== known), addToDay(known, counted)];
    }
  }

  /** Brings back what was taken and could not be kept. */
  untake(days: readonly HealthDay[]): void {
    const tallies = days.map(({ endpoint: _, ...tally }) => ({
      ...tally,
      outcomes: { ...tally.outcomes },
      minutes: { ...tally.minutes },
      filled: { ...tally.filled },
    }));
    // A disk that stays full must not let them grow: the oldest days go.
    this.#tallies = [...tallies, ...this.#tallies].slice(-7);
    this.#isCounted = true;
  }

  #tally(now: number): Tally {
    const day = dayOf(now);
    const last = this.#tallies.at(-1);
    if (last?.day === day) return last;
    const tally = { day, outcomes: noOutcomes(), minutes: noMinutes(), answers: 0, filled: {} };
    this.#tallies.push(tally);
    return tally;
  }
}
