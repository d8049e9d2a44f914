import type { Endpoint } from '../../../lib/endpoint.js';
import type { ErrorCode, ExtractError } from '../../../lib/errors/extract-error.js';
import { seenLine } from '../../../lib/errors/seen.js';
import { hourMs } from '../../../lib/runtime/clock.js';
import { baselineShare, dayOf } from './baseline-shares.js';
import { noOutcomes, type Outcome, outcomeOf } from './call-outcome.js';
import type { CanaryResult } from './canary.js';
import { type FallenField, type JudgedState, judge, type State } from './endpoint-state.js';
import type { BaselineShare } from './fall-test.js';
import { checkFields, type FieldChanges } from './field-watch.js';
import { addToDays, type HealthDay, noMinutes } from './health-day.js';
import type { FieldAlert, HealthNow, SeenError } from './health-store.js';
import { mergeHealth } from './merge-health.js';
import { allFields, checkOutage } from './outage.js';
import { countOf, type LastHour, lastHour, noCalls } from './recent-calls.js';
import { filledShares, type WatchedField, watchedFields } from './watched-fields.js';

/** Maximum characters of a page description per error. */
const maxSeen = 2000;
/** Maximum unsaved days while the store fails. */
const maxUnsavedDays = 7;

/** This process's unpublished observations. */
export interface HealthDelta {
  readonly days: readonly HealthDay[];
  readonly now: HealthNow | undefined;
}

/** An endpoint's health in memory. */
export class EndpointRecord {
  readonly endpoint: Endpoint;
  /** The watched fields of its answers. */
  readonly fields: readonly WatchedField[];
  #days: readonly HealthDay[] = [];
  #alerts: readonly FieldAlert[] = [];
  #judged: JudgedState;
  #since: number;
  /** The counts of all processes, as of this one's last publication. */
  #shared: HealthNow;
  #sharedBefore: HealthNow;
  #unpublished: HealthNow | undefined;
  #unsavedDays: readonly HealthDay[] = [];

  constructor(endpoint: Endpoint, now: number, shared: HealthNow | undefined) {
    this.endpoint = endpoint;
    this.fields = watchedFields(endpoint);
    this.#shared = shared ?? this.#nothing('unknown', now);
    this.#sharedBefore = this.#shared;
    const { state, reasons, since } = this.#shared;
    this.#judged = { state, reasons };
    this.#since = since;
  }

  get days(): readonly HealthDay[] {
    return this.#days;
  }

  get judged(): JudgedState {
    return this.#judged;
  }

  get since(): number {
    return this.#since;
  }

  get canary(): CanaryResult | null {
    return this.#seen.canary;
  }

  set canary(canary: CanaryResult) {
    this.#see({ canary });
  }

  /** Newest first. */
  get errors(): readonly SeenError[] {
    return this.#seen.errors;
  }

  get fallen(): readonly FallenField[] {
    return this.#alerts
      .filter(({ field, ended }) => field !== allFields && ended === null)
      .map(({ field, usual, share }) => ({ field, usual, share }));
  }

  /** The outcomes of calls since a time within the last hour. */
  lastHour(now: number, from?: number): LastHour {
    return lastHour(this.#seen.minutes, now, from);
  }

  /** The usual share of a field before the day of `now`; null if there are too few answers. */
  baselineOf(field: string, now: number): BaselineShare | null {
    return baselineShare(field, this.#days, this.#alerts, dayOf(now));
  }

  loadHistory(days: readonly HealthDay[], alerts: readonly FieldAlert[]): void {
    this.#days = days;
    this.#alerts = alerts;
  }

  /** Replaces the shared counts with the counts of all processes, which include what this one has published. */
  mergeShared(shared: HealthNow | undefined, alerts: readonly FieldAlert[]): void {
    if (shared !== undefined) {
      this.#shared = shared;
      if (shared.state === this.#judged.state) this.#since = Math.min(this.#since, shared.since);
    }
    this.#alerts = alerts;
  }

  countAnswer(data: unknown, now: number): void {
    this.#count(now, 'answered', null, filledShares(this.fields, data));
  }

  /** Counts a failure if it says something about the platform. */
  countFailure(error: ExtractError, now: number): void {
    const outcome = outcomeOf(error);
    if (outcome === null) return;
    this.#count(now, outcome, outcome === 'not_found' ? null : error.code, null);
    if (outcome === 'not_found') return;
    const { code, message } = error;
    const pages = seenLine(error.seen).slice(0, maxSeen);
    this.#see({ errors: [{ at: new Date(now).toISOString(), code, message, seen: pages }] });
  }

  /** Compares the fields of recent answers with the baseline, and records changes. */
  checkFields(now: number): FieldChanges {
    const history = { hours: this.#seen.hours, days: this.#days, alerts: this.#alerts };
    const fields = this.fields.map(({ name }) => name);
    return this.#remember(
      checkFields({ endpoint: this.endpoint.path, fields, ...history }, now, (field, time) =>
        this.baselineOf(field, time),
      ),
      now,
    );
  }

  /** Records an outage that began or ended. */
  checkOutage(now: number): FieldChanges {
    const { endpoint, judged, since, canary } = this;
    const evidence = { endpoint: endpoint.path, judged, since, canary, alerts: this.#alerts };
    return this.#remember(checkOutage({ ...evidence, lastHour: this.lastHour(now) }, now), now);
  }

  #remember(changes: FieldChanges, now: number): FieldChanges {
    const endedAlerts = new Map(
      changes.ended.map(({ alert, accepted }) => [alert, { ...alert, ended: now, accepted }]),
    );
    if (endedAlerts.size + changes.raised.length > 0) {
      this.#alerts = [...this.#alerts.map((alert) => endedAlerts.get(alert) ?? alert), ...changes.raised];
    }
    return changes;
  }

  /** Judges the endpoint again. Returns the previous state if it changed, otherwise null. */
  judge(now: number, canaryMs: number): State | null {
    const { canary: last } = this;
    const canary = last !== null && now - last.at <= canaryMs ? last : null;
    const answersSinceCanary = canary === null ? 0 : this.lastHour(now, canary.at).counts.answered;
    const before = this.#judged.state;
    this.#judged = judge({
      lastHour: this.lastHour(now),
      failuresInRow: this.#failuresInRow(now),
      canary,
      answersSinceCanary,
      fallen: this.fallen,
    });
    const { state } = this.#judged;
    if (state === before) return null;
    // Another process may have noticed it first.
    this.#since = state === this.#shared.state ? this.#shared.since : now;
    this.#see({});
    return before;
  }

  /** Records a minute in the current state. */
  tick(now: number): void {
    this.#addDay(now, { minutes: { ...noMinutes(), [this.#judged.state]: 1 } });
  }

  /** True if other processes lack observations of this one. */
  get isUnpublished(): boolean {
    return this.#unpublished !== undefined;
  }

  /** Returns the observations since the last call. */
  takeDelta(): HealthDelta {
    const days = this.#unsavedDays;
    const now = this.#unpublished && { ...this.#unpublished, ...this.#judged, since: this.#since };
    this.#unsavedDays = [];
    this.#unpublished = undefined;
    if (now !== undefined) {
      this.#sharedBefore = this.#shared;
      this.#shared = mergeHealth(this.#shared, now);
    }
    return { days, now };
  }

  /** Merges saved days into the history. */
  markSaved({ days }: HealthDelta): void {
    this.#days = addToDays(this.#days, days);
  }

  restoreUnsaved({ days, now }: HealthDelta): void {
    // Bounds the memory while a disk stays full.
    this.#unsavedDays = addToDays(days, this.#unsavedDays).slice(-maxUnsavedDays);
    if (now === undefined) return;
    this.#shared = this.#sharedBefore;
    this.#unpublished = mergeHealth(now, this.#unpublished ?? this.#nothing(now.state, now.since));
  }

  /** Error codes since the last answer, within the last hour, newest first. */
  #failuresInRow(now: number): readonly ErrorCode[] {
    const { errors, answeredAt = 0 } = this.#seen;
    const from = Math.max(answeredAt, now - hourMs);
    return errors.filter(({ at }) => Date.parse(at) > from).map(({ code }) => code);
  }

  /** The counts of all processes plus this one's unpublished ones. */
  get #seen(): HealthNow {
    return this.#unpublished === undefined ? this.#shared : mergeHealth(this.#shared, this.#unpublished);
  }

  #nothing(state: State, since: number): HealthNow {
    return { endpoint: this.endpoint.path, state, since, reasons: [], canary: null, errors: [], ...noCalls };
  }

  #see(observation: Partial<HealthNow>): void {
    const nothing = this.#nothing(this.#judged.state, this.#since);
    this.#unpublished = mergeHealth(this.#unpublished, { ...nothing, ...observation });
  }

  #count(
    now: number,
    outcome: Outcome,
    code: ExtractError['code'] | null,
    shares: readonly number[] | null,
  ): void {
    // “Not found” is an answer, too.
    const isAnswer = outcome === 'answered' || outcome === 'not_found';
    this.#see({ ...countOf(now, outcome, code, shares), ...(isAnswer ? { answeredAt: now } : {}) });
    this.#addDay(now, {
      outcomes: { ...noOutcomes(), [outcome]: 1 },
      answers: shares === null ? 0 : 1,
      filled: Object.fromEntries(
        this.fields
          .map(({ name }, index) => [name, shares?.[index] ?? 0] as const)
          .filter(([, share]) => share !== 0),
      ),
    });
  }

  #addDay(now: number, counts: Partial<HealthDay>): void {
    const nothing = { outcomes: noOutcomes(), minutes: noMinutes(), answers: 0, filled: {} };
    const day = { endpoint: this.endpoint.path, day: dayOf(now), ...nothing, ...counts };
    this.#unsavedDays = addToDays(this.#unsavedDays, [day]);
  }
}
