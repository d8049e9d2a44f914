import type { Endpoint } from '../../../lib/endpoint.js';
import type { ExtractError } from '../../../lib/errors/extract-error.js';
import { type Clock, dayMs, hourMs, minuteMs } from '../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../lib/runtime/periodic-task.js';
import type { Attempt } from '../../../lib/web/page-source.js';
import { baselineShareOf, dayOf } from './baseline-shares.js';
import { outcomeShares } from './call-outcome.js';
import type { CanaryResult } from './canary.js';
import { type DayState, dayStates, historyDays } from './day-states.js';
import { EndpointRecord } from './endpoint-record.js';
import type { State } from './endpoint-state.js';
import type { BaselineShare } from './fall-test.js';
import type { FieldChanges } from './field-watch.js';
import type { StoredHealth } from './health-log.js';
import type { EndpointReport, HealthReports } from './health-report.js';
import type { FieldAlert, SeenError } from './health-store.js';
import { type RouteCalls, RouteWatch } from './route-calls.js';

export interface HealthWatchOptions {
  readonly endpoints: readonly Endpoint[];
  readonly store: StoredHealth;
  readonly clock: Clock;
  /** Minutes between canaries; undefined for none. */
  readonly canaryMinutes?: number | undefined;
  /** Base URL of `/status`. */
  readonly docsBase: string;
  readonly onState?: (report: EndpointReport, before: State) => void;
  /** Called for each field alert that this process raises first. */
  readonly onAlert?: (alert: FieldAlert) => void;
  readonly onAlertEnd?: (alert: FieldAlert, accepted: boolean) => void;
  /** Called if the health log cannot be saved. Calls are not affected. */
  readonly onError: (cause: unknown) => void;
}

const firstDay = (now: number) => dayOf(now - (historyDays - 1) * dayMs);

/** Minutes between writes of the time in each state without calls. */
const idleMinutes = 10;

/**
 * Tracks the health of every endpoint from calls and canaries, and judges and saves each minute. A call costs a few
 * additions in memory, and no failure here reaches it.
 */
export class HealthWatch implements HealthReports {
  readonly #options: HealthWatchOptions;
  readonly #records = new Map<string, EndpointRecord>();
  readonly #canaryMs: number;
  readonly #routes = new RouteWatch();
  #loadedDay = '';
  #minutes = 0;
  #working: Promise<void> = Promise.resolve();
  readonly #ticks: PeriodicTask;

  constructor(options: HealthWatchOptions) {
    this.#options = options;
    this.#ticks = new PeriodicTask(options.clock, minuteMs, () => this.tick());
    this.#canaryMs = Math.max(hourMs, (options.canaryMinutes ?? 0) * 2 * minuteMs);
    for (const endpoint of options.endpoints) {
      this.#records.set(endpoint.path, new EndpointRecord(endpoint, options.clock.now(), undefined));
    }
  }

  /** Loads the health log, and starts to judge and save each minute. */
  async start(): Promise<void> {
    await this.#guarded(() => this.#load(true));
    this.#ticks.arm();
  }

  async stop(): Promise<void> {
    await this.#ticks.stop();
    await this.#working;
    await this.#guarded(() => this.#publish());
  }

  onFetched(endpoint: Endpoint, data: unknown): void {
    try {
      this.#records.get(endpoint.path)?.countAnswer(data, this.#options.clock.now());
    } catch (cause) {
      this.#options.onError(cause);
    }
  }

  onFetchFailed(endpoint: Endpoint, error: ExtractError): void {
    try {
      this.#records.get(endpoint.path)?.countFailure(error, this.#options.clock.now());
    } catch (cause) {
      this.#options.onError(cause);
    }
  }

  onAttempt({ path }: Endpoint, attempt: Attempt): void {
    this.#routes.note(path, attempt, this.#options.clock.now());
  }

  routeCalls({ path }: Endpoint): ReadonlyMap<string, RouteCalls> {
    return this.#routes.of(path);
  }

  /** Records a canary's result, and judges its endpoint immediately. */
  canary(endpoint: Endpoint, result: CanaryResult): void {
    const record = this.#recordOf(endpoint);
    record.canary = result;
    this.#judge(record, this.#options.clock.now());
  }

  reports(): readonly EndpointReport[] {
    return this.#options.endpoints.map((endpoint) => this.report(endpoint));
  }

  report(endpoint: Endpoint): EndpointReport {
    const record = this.#recordOf(endpoint);
    const { fields, canary, since, fallen, judged } = record;
    const now = this.#options.clock.now();
    return {
      endpoint: endpoint.path,
      ...judged,
      since,
      canary,
      fallen,
      lastHour: outcomeShares(record.lastHour(now).counts),
      fields: fields.map(({ name }) => ({
        field: name,
        usual: baselineShareOf(record.baselineOf(name, now)),
      })),
    };
  }

  /** How often answers usually have a field; null if there are too few answers. */
  baselineOf(endpoint: Endpoint, field: string): BaselineShare | null {
    return this.#records.get(endpoint.path)?.baselineOf(field, this.#options.clock.now()) ?? null;
  }

  days(endpoint: Endpoint): readonly DayState[] {
    return dayStates(this.#recordOf(endpoint).days, this.#options.clock.now());
  }

  errors(endpoint: Endpoint): readonly SeenError[] {
    return this.#recordOf(endpoint).errors;
  }

  note(endpoint: Endpoint): string | null {
    const { judged, since } = this.#recordOf(endpoint);
    if (judged.state === 'ok' || judged.state === 'unknown') return null;
    const time = `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return `${endpoint.path} has been ${judged.state} since ${time}: ${this.#options.docsBase}/status shows more.`;
  }

  /** Loads what other processes observed, then judges and saves. Runs each minute. */
  tick(): Promise<void> {
    return this.#next(() => this.#tick());
  }

  /** Resolves once judgement and notifications in progress are finished. */
  whenJudged(): Promise<void> {
    return this.#working;
  }

  /** Publishes this process's observations now. */
  publish(): Promise<void> {
    return this.#next(() => this.#guarded(() => this.#publish()));
  }

  async #tick(): Promise<void> {
    await this.#guarded(() => this.#mergeShared());
    const now = this.#options.clock.now();
    for (const record of this.#records.values()) {
      await this.#guarded(() => this.#report(record.checkFields(now)));
      this.#judge(record, now);
      await this.#guarded(() => this.#report(record.checkOutage(now)));
      record.tick(now);
    }
    this.#minutes += 1;
    const isUnpublished = [...this.#records.values()].some((record) => record.isUnpublished);
    if (isUnpublished || this.#minutes % idleMinutes === 0) await this.#guarded(() => this.#publish());
    // Daily, because yesterday joins the baseline, and hourly for the days that other processes counted.
    if (this.#loadedDay !== dayOf(now) || this.#minutes % 60 === 0) {
      await this.#guarded(() => this.#load(false));
    }
  }

  /** Runs work after the pending work, so that it sees earlier writes. */
  #next(work: () => Promise<void>): Promise<void> {
    this.#working = this.#working.then(work);
    return this.#working;
  }

  #recordOf(endpoint: Endpoint): EndpointRecord {
    const record = this.#records.get(endpoint.path);
    if (record === undefined) throw new Error(`${endpoint.path} is not monitored.`);
    return record;
  }

  #judge(record: EndpointRecord, now: number): void {
    const before = record.judge(now, this.#canaryMs);
    if (before !== null) this.#options.onState?.(this.report(record.endpoint), before);
  }

  /** Records field changes. The store tells whether another process was first. */
  async #report({ raised, ended }: FieldChanges): Promise<void> {
    const { store, clock, onAlert, onAlertEnd } = this.#options;
    for (const { alert, accepted } of ended) {
      await store.end(alert.endpoint, alert.field, clock.now(), accepted);
      onAlertEnd?.(alert, accepted);
    }
    for (const alert of raised) {
      if (await store.raise(alert)) onAlert?.(alert);
    }
  }

  async #load(first: boolean): Promise<void> {
    const { store, clock, endpoints } = this.#options;
    const now = clock.now();
    const from = firstDay(now);
    await store.sweep(from);
    const history = await store.load(from);
    for (const endpoint of endpoints) {
      const { path } = endpoint;
      if (first) {
        const shared = history.now.find((one) => one.endpoint === path);
        this.#records.set(path, new EndpointRecord(endpoint, now, shared));
      }
      this.#recordOf(endpoint).loadHistory(
        history.days.filter((one) => one.endpoint === path),
        history.alerts.filter((one) => one.endpoint === path),
      );
    }
    this.#loadedDay = dayOf(now);
  }

  async #mergeShared(): Promise<void> {
    const { store, clock, endpoints } = this.#options;
    const { now, alerts } = await store.current(firstDay(clock.now()));
    for (const endpoint of endpoints) {
      const { path } = endpoint;
      this.#recordOf(endpoint).mergeShared(
        now.find((one) => one.endpoint === path),
        alerts.filter((one) => one.endpoint === path),
      );
    }
  }

  async #publish(): Promise<void> {
    const deltas = [...this.#records.values()].map((record) => ({ record, delta: record.takeDelta() }));
    try {
      await this.#options.store.add(
        deltas.flatMap(({ delta }) => delta.days),
        deltas.flatMap(({ delta }) => delta.now ?? []),
      );
    } catch (cause) {
      for (const { record, delta } of deltas) record.restoreUnsaved(delta);
      throw cause;
    }
    for (const { record, delta } of deltas) record.markSaved(delta);
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#options.onError(cause);
    }
  }
}
