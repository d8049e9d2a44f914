/**
 * The test behind every alarm about a field. Is the share of answers that hold it lower than usual by more than chance?
 *
 * It is the one-sided log-likelihood ratio of two shares, in nats. It compares the window's share and the usual one
 * with one share for both. It is divided by how much more the days before scattered than chance lets them. Answers may
 * count in part (the share of a list's objects). That scatters less than whole ones, so the test stays on the safe
 * side.
 */

/** A number of answers, and how many of them held a field. */
export interface FieldCount {
  readonly answers: number;
  /** May have a fraction: of a list each object counts alike. */
  readonly filled: number;
}

/**
 * Nats from which on a fall is an alarm. Chance alone reaches them less than once in 1,000 weeks. The server has 1,000
 * answers a week at each of 18 endpoints. `test/health/drift-simulation.test.ts` plays those weeks.
 */
export const alarmNats = 18;
/** A fall to more than this part of the usual share is not reported: other subjects may explain it. */
export const maxRemaining = 0.75;
/** Nats that are enough where one comparison is made, and not one after every few answers. At the end of a batch. */
export const singleNats = 7;
/** Answers of the weeks before from which on there is something usual. */
export const minBaselineAnswers = 500;
/** Fields that fewer answers hold than this are not watched: their absence cannot be told from chance. */
export const minBaselineShare = 0.15;

function part(share: number, expected: number): number {
  return share <= 0 ? 0 : share * Math.log(share / expected);
}

/** Nats that an answer tells `observed` from `expected`: shares from 0 to 1. */
function divergence(observed: number, expected: number): number {
  return part(observed, expected) + part(1 - observed, 1 - expected);
}

/** The share of answers that held the field; 0 where there were none. */
export function shareOf({ answers, filled }: FieldCount): number {
  return answers === 0 ? 0 : filled / answers;
}

/** Evidence that the share has fallen, in nats; 0 where it has not. `scatter` is what `scatterOf` gives. */
export function fallNats(usual: FieldCount, now: FieldCount, scatter = 1): number {
  if (usual.answers === 0 || now.answers === 0) return 0;
  const [before, after] = [shareOf(usual), shareOf(now)];
  if (after >= before) return 0;
  const both = (usual.filled + now.filled) / (usual.answers + now.answers);
  const nats = usual.answers * divergence(before, both) + now.answers * divergence(after, both);
  return nats / scatter;
}

/** True where the evidence reaches `nats` and the fall is large enough to be told. */
export function hasFallen(usual: FieldCount, now: FieldCount, nats: number, scatter = 1): boolean {
  const share = shareOf(usual);
  if (usual.answers < minBaselineAnswers || share < minBaselineShare) return false;
  if (shareOf(now) > share * maxRemaining) return false;
  return fallNats(usual, now, scatter) >= nats;
}

/**
 * How much more the share scattered from day to day than chance explains: 1 for chance alone. Where people ask about
 * other subjects on other days, that is no fall of the page. Only what exceeds chance clearly counts.
 */
export function scatterOf(days: readonly FieldCount[]): number {
  const full = days.filter(({ answers }) => answers >= 10);
  if (full.length < 5) return 1;
  const answers = full.reduce((sum, day) => sum + day.answers, 0);
  const share = full.reduce((sum, day) => sum + day.filled, 0) / answers;
  if (share <= 0 || share >= 1) return 1;
  const squares = full.reduce(
    (sum, day) => sum + (day.filled - day.answers * share) ** 2 / (day.answers * share * (1 - share)),
    0,
  );
  const freedom = full.length - 1;
  return Math.max(1, squares / freedom / (1 + 2 * Math.sqrt(2 / freedom)));
}
