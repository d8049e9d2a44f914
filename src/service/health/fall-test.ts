/**
 * The test behind every field alert: is the share of answers with the field lower than usual by more than chance?
 *
 * A one-sided G-test of two proportions, in nats: the likelihood with separate shares against the likelihood with one
 * common share. A normal approximation (a z-test, arcsines) is simpler, but raises dozens of false alerts for fields
 * that are rare or almost always present. The nats are divided by how much more the earlier days scattered than chance
 * explains. A list counts as the fraction of its items with the field, which scatters less than whole answers do, so
 * the test errs on the safe side.
 */

export interface FieldCount {
  readonly answers: number;
  /** May be fractional: every item of a list has the same weight. */
  readonly filled: number;
}

export interface BaselineShare extends FieldCount {
  /** Variance from day to day as a multiple of what chance explains; 1 for chance alone. */
  readonly scatter: number;
}

/**
 * The threshold of an alert, in nats. Chance alone reaches it less than once in 1,000 weeks on a server with 1,000
 * answers a week at each of 18 endpoints, as `test/service/health/drift-simulation.nightly.test.ts` simulates.
 */
export const alertNats = 18;
/** The threshold of a single comparison at the end of a batch. */
export const singleNats = 7;
/** Above this part of its usual share a field is not reported: other subjects may explain the fall. */
const maxRemaining = 0.75;
export const minBaselineAnswers = 500;
/** Below this usual share a field is not watched: its absence may be chance. */
const minBaselineShare = 0.15;

/** Returns the share of answers with the field; 0 without answers. */
export function shareOf({ answers, filled }: FieldCount): number {
  return answers === 0 ? 0 : filled / answers;
}

function divergence({ answers, filled }: FieldCount, expected: number): number {
  const part = (count: number, share: number) =>
    count <= 0 ? 0 : count * Math.log(count / (answers * share));
  return part(filled, expected) + part(answers - filled, 1 - expected);
}

/** Returns true if the evidence reaches `nats` and the fall is large enough to report. */
export function hasFallen(usual: BaselineShare, now: FieldCount, nats: number): boolean {
  const share = shareOf(usual);
  if (usual.answers < minBaselineAnswers || share < minBaselineShare) return false;
  if (now.answers === 0 || shareOf(now) > share * maxRemaining) return false;
  const combined = (usual.filled + now.filled) / (usual.answers + now.answers);
  return divergence(usual, combined) + divergence(now, combined) >= nats * usual.scatter;
}

/**
 * Returns how much more the share scattered from day to day than chance explains: different subjects on different days
 * cause scatter without any change of the page. Only a clear excess counts.
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
