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
import { lastErrors, laterCanary, mergeHealth } from './merge-health.js';
import { type LastHour, lastHour, RecentCalls } from './recent-calls.js';

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
  readonly watch: FieldWatch;
  days: readonly HealthDay[] = [];
  #judged: JudgedState;
  #since: number;
  /** What all processes saw, as far as it is known here; and before what was told last. */
  #known: HealthNow;
  #before: HealthNow;
  /** What this process saw and has not told yet. */
  readonly #recent = new RecentCalls();
  #canary: CanaryResult | null = null;
  #errors: readonly SeenError[] = [];
  #tallies: Tally[] = [];
  #isCounted = false;

  constructor(endpoint: Endpoint, now: number, kept: HealthNow | undefined) {
    this.endpoint = endpoint;
    this.watch = new FieldWatch(endpoint, kept?.blocks);
    const { path } = endpoint;
    const nothing = { canary: null, errors: [], blocks: [], minutes: [] };
    this.#known = kept ?? { endpoint: path, state: 'unknown', since: now, reasons: [], ...nothing };
    this.#before = this.#known;
    this.#judged = this.#known;
    this.#since = this.#known.since;
  }

  get canary(): CanaryResult | null {
    return laterCanary(this.#canary, this.#known.canary);
  }

  set canary(result: CanaryResult) {
    this.#canary = result;
    this.#isCounted = true;
  }

  /** The last failures, newest first. */
  get errors(): readonly SeenError[] {
    return lastErrors(this.#errors, this.#known.errors);
  }

  /** What calls met since a time, and in the last hour at most. */
  lastHour(now: number, from?: number): LastHour {
    return lastHour([...(this.#known.minutes ?? []), ...this.#recent.minutes], now, from);
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
    this.#recent.add(now, 'answered');
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
    this.#recent.add(now, outcome, outcome === 'not_found' ? null : error.code);
    this.#tally(now).outcomes[outcome] += 1;
    this.#isCounted = true;
    if (outcome === 'not_found') return;
    const seen = { at: new Date(now).toISOString(), code: error.code, message: error.message };
    const line = seenLine(error.seen).slice(0, maxSeen);
    this.#errors = lastErrors([{ ...seen, seen: line }], this.#errors);
  }

  /** Judges anew. Gives the state before, where it is another one now; null where it is the same. */
  judge(now: number, canaryMs: number): State | null {
    const isYoung = this.canary !== null && now - this.canary.at <= canaryMs;
    const canary = isYoung ? this.canary : null;
    const answersSinceCanary = canary === null ? 0 : this.lastHour(now, canary.at).counts.answered;
    const evidence = { lastHour: this.lastHour(now), canary, answersSinceCanary, fallen: this.fallen };
    const before = this.#judged.state;
    this.#judged = judge(evidence);
    const { state } = this.#judged;
    if (state === before) return null;
    // Another process may have seen it first.
    this.#since = state === this.#known.state ? this.#known.since : now;
    this.#isCounted = true;
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

  /** Takes what was counted, to be kept and told. */
  take(): { readonly days: readonly HealthDay[]; readonly news: readonly HealthNow[] } {
    const days = this.#tallies.map((tally) => ({ ...tally, endpoint: this.endpoint.path }));
    this.#tallies = [];
    if (!this.#isCounted) return { days, news: [] };
    this.#isCounted = false;
    const [canary, errors] = [this.#canary, this.#errors];
    const seen = { canary, errors, blocks: this.watch.take(), minutes: this.#recent.take() };
    const { state, reasons } = this.#judged;
    const news = { endpoint: this.endpoint.path, state, reasons, since: this.#since, ...seen };
    [this.#canary, this.#errors] = [null, []];
    this.#before = this.#known;
    this.#known = mergeHealth(this.#known, news);
    return { days, news: [news] };
  }

  /** Takes over how the endpoint stands by what all processes saw, with what this one has told. */
  adopt(known: HealthNow | undefined, alarms: readonly FieldAlarm[]): void {
    if (known !== undefined) {
      this.#known = known;
      if (known.state === this.#judged.state) this.#since = Math.min(this.#since, known.since);
    }
    this.watch.adopt(this.#known.blocks, alarms);
  }

  /** Adds days that were kept to what is known. */
  know(kept: readonly HealthDay[]): void {
    for (const counted of kept) {
      const known = this.days.find(({ day }) => day === counted.day);
      this.days = [...this.days.filter((one) => one !== known), addToDay(known, counted)];
    }
  }

  /** Brings back what was taken and could not be kept. */
  untake(days: readonly HealthDay[], news: readonly HealthNow[]): void {
    for (const { canary, errors, blocks, minutes } of news) {
      this.#known = this.#before;
      this.#canary = laterCanary(this.#canary, canary);
      this.#errors = lastErrors(this.#errors, errors);
      this.watch.untake(blocks);
      this.#recent.untake(minutes);
    }
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
