import type { Endpoint } from '../../lib/endpoint.js';
import { dayMs } from '../../lib/runtime/clock.js';
import { type AnswerBlock, AnswerWindow, type BaselineShare, maxBlocks } from './answer-window.js';
import { baselineDays, baselineShare, dayOf } from './baseline-shares.js';
import { shareOf } from './fall-test.js';
import type { HealthDay } from './health-day.js';
import type { FieldAlarm } from './health-store.js';
import { filledShares, optionalFields } from './optional-fields.js';

/** What a look at the last answers found. */
export interface FieldNews {
  readonly raised: readonly FieldAlarm[];
  /** Fields whose alarm is over; `accepted`: what they are like now is what is usual from here on. */
  readonly ended: readonly { readonly alarm: FieldAlarm; readonly accepted: boolean }[];
}

/** Blocks after an alarm that must hold the field again as often as usual, nearly. */
const backBlocks = 10;
const minBack = 0.85;
/** Blocks of the last answers, which are not yet part of what is usual. */
const recentBlocks = 20;

/** The fields of an endpoint's answers: counted, and compared with the weeks before. */
export class FieldWatch {
  readonly fields: readonly string[];
  readonly #window: AnswerWindow;
  #baseline: readonly (BaselineShare | null)[] = [];
  #alarms: readonly FieldAlarm[] = [];
  /** Full blocks that no other process knows of. */
  #untold: readonly AnswerBlock[] = [];

  constructor(endpoint: Endpoint, blocks: readonly AnswerBlock[] = []) {
    this.fields = optionalFields(endpoint);
    this.#window = new AnswerWindow(this.fields.length, blocks);
  }

  /** Hands over the blocks that were filled since the last time. */
  take(): readonly AnswerBlock[] {
    const taken = this.#untold;
    this.#untold = [];
    return taken;
  }

  /** Takes back what could not be told. */
  untake(blocks: readonly AnswerBlock[]): void {
    this.#untold = [...blocks, ...this.#untold].slice(-maxBlocks);
  }

  /** Takes over what all processes saw. */
  adopt(blocks: readonly AnswerBlock[], alarms: readonly FieldAlarm[]): void {
    this.#window.replace([...blocks, ...this.#untold].sort((a, b) => a.at - b.at));
    const accepted = (list: readonly FieldAlarm[]) => list.filter((alarm) => alarm.accepted);
    const before = new Set(accepted(this.#alarms).map(({ field, since }) => `${field} ${since}`));
    const news = accepted(alarms).filter(({ field, since }) => !before.has(`${field} ${since}`));
    // What is usual now is known when the days are read again.
    for (const { field } of news) this.#forget(this.fields.indexOf(field));
    this.#alarms = alarms;
  }

  /** Alarms that have not ended. */
  get open(): readonly FieldAlarm[] {
    return this.#alarms.filter(({ ended }) => ended === null);
  }

  /** Takes up what the store knows of the endpoint: its days and alarms. */
  learn(days: readonly HealthDay[], alarms: readonly FieldAlarm[], now: number): void {
    this.#alarms = alarms;
    const first = this.#window.blocks.at(-recentBlocks)?.at ?? now;
    const before = dayOf(Math.min(first, now));
    this.#baseline = this.fields.map((field) => baselineShare(field, days, alarms, before));
  }

  /** The usual share of a field, as counts; null where too few answers are known. */
  baselineOf(field: string): BaselineShare | null {
    return this.#baseline[this.fields.indexOf(field)] ?? null;
  }

  /** Counts an answer. Gives the shares that were counted, and true where a look is due; null for an empty list. */
  count(data: unknown, now: number): { readonly shares: readonly number[]; readonly isDue: boolean } | null {
    const shares = filledShares(this.fields, data);
    if (shares === null) return null;
    const block = this.#window.add(now, shares);
    if (block !== null) this.#untold = [...this.#untold, block].slice(-maxBlocks);
    return { shares, isDue: block !== null };
  }

  /** Compares the last answers with what is usual, and takes what it finds for known. */
  look(endpoint: string, now: number): FieldNews {
    const raised: FieldAlarm[] = [];
    const ended: { alarm: FieldAlarm; accepted: boolean }[] = [];
    for (const [index, field] of this.fields.entries()) {
      const alarm = this.open.find((one) => one.field === field);
      if (alarm !== undefined) {
        const accepted = now - alarm.since >= (baselineDays / 2) * dayMs;
        if (!accepted && !this.#isBack(index, alarm)) continue;
        ended.push({ alarm, accepted });
        if (accepted) this.#forget(index);
        continue;
      }
      const usual = this.#baseline[index];
      const fall = usual == null ? null : this.#window.fallOf(index, usual, this.#lastEnd(field));
      if (usual == null || fall === null) continue;
      const share = { usual: shareOf(usual), share: shareOf(fall), answers: fall.answers };
      raised.push({ endpoint, field, since: now, ...share, ended: null, accepted: false });
    }
    const over = new Map(ended.map(({ alarm, accepted }) => [alarm, { ...alarm, ended: now, accepted }]));
    this.#alarms = [...this.#alarms.map((alarm) => over.get(alarm) ?? alarm), ...raised];
    return { raised, ended };
  }

  #forget(index: number): void {
    if (index >= 0 && index < this.#baseline.length) this.#baseline = this.#baseline.with(index, null);
  }

  /** When the last alarm of a field ended: the answers before are part of it. */
  #lastEnd(field: string): number {
    return this.#alarms.reduce(
      (last, alarm) => (alarm.field === field ? Math.max(last, alarm.ended ?? 0) : last),
      0,
    );
  }

  #isBack(index: number, { since, usual }: FieldAlarm): boolean {
    if (this.#window.blocksSince(since) < backBlocks) return false;
    return shareOf(this.#window.last(index, backBlocks)) >= usual * minBack;
  }
}
