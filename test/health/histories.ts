import { type AnswerWindow, type BaselineShare, blockAnswers } from '../../src/health/answer-window.js';
import { type FieldCount, scatterOf } from '../../src/health/fall-test.js';

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

/** Draws how many of a block's answers hold a field: from the binomial distribution itself, as millions are drawn. */
export function blockDraws(share: number): { readonly share: number; draw(random: () => number): number } {
  const upTo: number[] = [];
  let chance = (1 - share) ** blockAnswers;
  for (let filled = 0; filled < blockAnswers; filled += 1) {
    upTo.push((upTo.at(-1) ?? 0) + chance);
    chance *= ((blockAnswers - filled) / (filled + 1)) * (share / (1 - share));
  }
  return {
    share,
    draw(random) {
      const one = random();
      const filled = upTo.findIndex((bound) => one < bound);
      return filled < 0 ? blockAnswers : filled;
    },
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

/** Nats that an answer tells a share that has fallen by half from the usual one. */
export function halfNats(share: number): number {
  const [held, not] = [share / 2, 1 - share / 2];
  return held * Math.log(0.5) + not * Math.log(not / (1 - share));
}

/**
 * After how many answers the best test there is notices a fall by half. It is Page's cumulative sum, which knows the
 * usual share and the fall, with `answers` between two false alarms. What it is told no watch can know.
 */
export function informedAlarmAfter(share: number, answers: number, random: () => number): number {
  const [held, not] = [Math.log(0.5), Math.log((1 - share / 2) / (1 - share))];
  const enough = Math.log(answers * halfNats(share));
  let sum = 0;
  const next = (now: number) => Math.max(0, sum + (random() < now ? held : not));
  for (let quiet = 0; quiet < 300; quiet += 1) sum = next(share);
  for (let after = 1; ; after += 1) {
    sum = next(share / 2);
    if (sum >= enough) return after;
  }
}

/** Plays answers into a window and tells after how many of them there was an alarm; null for none. */
export function alarmAfter(
  window: AnswerWindow,
  usual: BaselineShare,
  answers: number,
  share: number,
  random: () => number,
): number | null {
  for (let played = 0; played < answers; played += blockAnswers) {
    window.push({ at: 1, answers: blockAnswers, filled: [drawn(blockAnswers, share, random)] });
    if (window.fallOf(0, usual) !== null) return played + blockAnswers;
  }
  return null;
}
