import { hourMs } from '../../../lib/runtime/clock.js';
import { dayOf } from '../../../src/service/health/baseline-shares.js';
import { noOutcomes } from '../../../src/service/health/call-outcome.js';
import { type BaselineShare, type FieldCount, scatterOf } from '../../../src/service/health/fall-test.js';
import { checkFields, maxDays } from '../../../src/service/health/field-watch.js';
import { addToDays, type HealthDay } from '../../../src/service/health/health-day.js';
import { addCalls, countOf, noCalls } from '../../../src/service/health/recent-calls.js';

/** Chance that comes out the same each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many of so many answers hold a field. */
export function drawn(answers: number, share: number, random: () => number): number {
  let filled = 0;
  for (let one = 0; one < answers; one += 1) if (random() < share) filled += 1;
  return filled;
}

/** Draws how many of so many answers hold a field: from the binomial distribution itself, as millions are drawn. */
export function binomialDraws(answers: number, share: number, random: () => number): () => number {
  const upTo: number[] = [];
  let chance = (1 - share) ** answers;
  for (let filled = 0; filled < answers; filled += 1) {
    upTo.push((upTo.at(-1) ?? 0) + chance);
    chance *= ((answers - filled) / (filled + 1)) * (share / (1 - share));
  }
  return () => {
    const one = random();
    let filled = 0;
    while (filled < answers && one >= (upTo[filled] ?? 1)) filled += 1;
    return filled;
  };
}

/** Four weeks of days in which a field kept its share. */
export function quietDays(perDay: number, share: number, random: () => number): FieldCount[] {
  return Array.from({ length: 28 }, () => ({ answers: perDay, filled: drawn(perDay, share, random) }));
}

export function baselineOf(days: readonly FieldCount[]): BaselineShare {
  return {
    answers: days.reduce((sum, { answers }) => sum + answers, 0),
    filled: days.reduce((sum, { filled }) => sum + filled, 0),
    scatter: scatterOf(days),
  };
}

/** An endpoint of one field, with so many answers an hour, and what is watched of it. */
export class PlayedField {
  readonly #perHour: number;
  readonly #usual: BaselineShare;
  readonly #random: () => number;
  #played = 0;
  #recent = noCalls;
  #delta = noCalls;
  #days: readonly HealthDay[] = [];

  constructor(usual: BaselineShare, perHour: number, random: () => number) {
    this.#perHour = perHour;
    this.#usual = usual;
    this.#random = random;
  }

  /** Plays an answer that holds the field with this chance; true where an alert is raised. Every tenth is looked at. */
  answer(share: number): boolean {
    const now = Math.floor((this.#played / this.#perHour) * hourMs);
    const count = this.#random() < share ? 1 : 0;
    this.#played += 1;
    this.#delta = addCalls(this.#delta, countOf(now, 'answered', null, [count]));
    if (this.#played % 10 > 0) return false;
    const answers = this.#delta.hours.reduce((sum, hour) => sum + hour.answers, 0);
    const filled = { field: this.#delta.hours.reduce((sum, hour) => sum + (hour.filled[0] ?? 0), 0) };
    const minutes = { ok: 0, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 0 };
    const day = { endpoint: '', day: dayOf(now), outcomes: noOutcomes(), minutes, answers, filled };
    this.#days = addToDays(this.#days, [day]).slice(-maxDays);
    this.#recent = addCalls(this.#recent, this.#delta);
    this.#delta = noCalls;
    const seen = { endpoint: '', fields: ['field'], hours: this.#recent.hours, days: this.#days, alerts: [] };
    return checkFields(seen, now, () => this.#usual).raised.length > 0;
  }

  /** Plays answers, and gives after how many of them there was an alert; null for none. */
  alertAfter(answers: number, share: number): number | null {
    for (let after = 1; after <= answers; after += 1) if (this.answer(share)) return after;
    return null;
  }
}
