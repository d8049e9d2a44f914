/**
 * The test behind every field alarm: is the share of answers that hold the field lower than usual by more than chance?
 *
 * It is a one-sided G-test of two proportions, in nats: the likelihood with separate shares against the likelihood with
 * one common share. A normal approximation (a z-test, arcsines) is much simpler, but raises dozens of false alarms for
 * fields that are rare or almost always present. The nats are divided by how much more the days before scattered than
 * chance explains. The share of a list's items counts as a fraction. It scatters less than whole answers do, so the
 * test stays on the safe side.
 */

/** A number of answers, and how many of them held a field. */
export interface FieldCount {
  readonly answers: number;
  /** May have a fraction: every item of a list has the same weight. */
  readonly filled: number;
}

/** A field over the baseline weeks. */
export interface BaselineShare extends FieldCount {
  /** The variance from day to day as a multiple of what chance explains; 1 for chance alone. */
  readonly scatter: number;
}

/**
 * The evidence needed for an alarm, in nats. Chance alone reaches it less than once in 1,000 weeks on a server with
 * 1,000 answers a week at each of 18 endpoints: `test/service/health/drift-simulation.nightly.test.ts` simulates those
 * weeks.
 */
export const alarmNats = 18;
/** The evidence needed for a single comparison at the end of a batch. */
export const singleNats = 7;
/** A field that keeps more than this part of its usual share is not reported: other subjects may explain the fall. */
const maxRemaining = 0.75;
/** Minimum number of answers for a baseline. */
export const minBaselineAnswers = 500;
/** Fields with a lower usual share are not watched: their absence cannot be told from chance. */
const minBaselineShare = 0.15;

/** The share of answers that held the field. 0 if there were no answers. */
export function shareOf({ answers, filled }: FieldCount): number {
  return answers === 0 ? 0 : filled / answers;
}

/** Nats between the observed share and an expected one. */
function divergence({ answers, filled }: FieldCount, expected: number): number {
  const part = (count: number, share: number) =>
    count <= 0 ? 0 : count * Math.log(count / (answers * share));
  return part(filled, expected) + part(answers - filled, 1 - expected);
}

/** True if the evidence reaches `nats` and the fall is large enough to report. */
export function hasFallen(usual: BaselineShare, now: FieldCount, nats: number): boolean {
  const share = shareOf(usual);
  if (usual.answers < minBaselineAnswers || share < minBaselineShare) return false;
  if (now.answers === 0 || shareOf(now) > share * maxRemaining) return false;
  const both = (usual.filled + now.filled) / (usual.answers + now.answers);
  return divergence(usual, both) + divergence(now, both) >= nats * usual.scatter;
}

/**
 * How much more the share scattered from day to day than chance explains. Users who query different subjects on
 * different days cause such scatter without any change of the page. Only a clear excess over chance counts.
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
