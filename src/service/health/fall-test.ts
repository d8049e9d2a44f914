/**
 * The test behind every alarm about a field: is the share of answers that hold it lower than usual, by more than chance?
 *
 * It is the one-sided G-test of two proportions, in nats: the likelihood of the share of now and the usual one, against that
 * of one share for both. An approximation by the normal distribution (a z-test, arcsines) is much simpler to write, and
 * raises false alarms by the dozen where a field is rare or nearly always there. The nats are divided by how much more the
 * days before scattered than chance explains. The share of a list's objects counts in part; it scatters less than whole
 * answers do, so the test stays on the safe side.
 */

/** A number of answers, and how many of them held a field. */
export interface FieldCount {
  readonly answers: number;
  /** May have a fraction: of a list each object counts alike. */
  readonly filled: number;
}

/** A field over the weeks before. */
export interface BaselineShare extends FieldCount {
  /** The variance from day to day as a multiple of what chance explains; 1 for chance alone. */
  readonly scatter: number;
}

/**
 * The evidence of an alarm, in nats. Chance alone reaches it less than once in 1,000 weeks of a server with 1,000 answers
 * a week at each of 18 endpoints: `test/service/health/drift-simulation.nightly.test.ts` plays those weeks.
 */
export const alarmNats = 18;
/** The evidence that is enough for a single comparison, at the end of a batch. */
export const singleNats = 7;
/** A fall to more than this part of the usual share is not reported: other subjects may explain it. */
const maxRemaining = 0.75;
/** Answers of the weeks before from which on there is something usual. */
export const minBaselineAnswers = 500;
/** Fields that fewer answers hold than this are not watched: their absence cannot be told from chance. */
const minBaselineShare = 0.15;

/** The share of answers that held the field; 0 where there were none. */
export function shareOf({ answers, filled }: FieldCount): number {
  return answers === 0 ? 0 : filled / answers;
}

/** Nats that so many answers of a share tell from an expected one. */
function divergence({ answers, filled }: FieldCount, expected: number): number {
  const part = (count: number, share: number) =>
    count <= 0 ? 0 : count * Math.log(count / (answers * share));
  return part(filled, expected) + part(answers - filled, 1 - expected);
}

/** True where the evidence reaches so many nats and the fall is large enough to report. */
export function hasFallen(usual: BaselineShare, now: FieldCount, nats: number): boolean {
  const share = shareOf(usual);
  if (usual.answers < minBaselineAnswers || share < minBaselineShare) return false;
  if (now.answers === 0 || shareOf(now) > share * maxRemaining) return false;
  const both = (usual.filled + now.filled) / (usual.answers + now.answers);
  return divergence(usual, both) + divergence(now, both) >= nats * usual.scatter;
}

/**
 * How much more the share scattered from day to day than chance explains. Where people ask about other subjects on other
 * days, that is no fall of the page. Only what exceeds chance clearly counts.
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
