import { countOrNull } from '../../read/convert.js';

/** A number of a page that stands there twice: exactly, and as the page shows it. */
export interface TwinCount {
  readonly count: number;
  /** True if only the number that the page shows is there, and it is shown in short. */
  readonly isRounded: boolean;
}

/** The page shows smaller numbers whole; 783427 is shown as 783400, 3922256 as 3900000 (2025-12). */
const shownWhole = 10_000;

/** The first number of several places for one; 0 only if no place has another. */
function firstCount(values: readonly unknown[]): number | null {
  const counts = values.map(countOrNull).filter((count) => count !== null);
  return counts.find((count) => count !== 0) ?? counts[0] ?? null;
}

/** True if one number cannot be the other as it is shown, nor as it was a moment before. */
const contradicts = (one: number, other: number) => Math.max(one, other) > Math.min(one, other) * 1.2 + 10;

/**
 * Reads a count from its two places. A 0 beside another number is unknown, not none (reported since 2020). Two other
 * numbers of which neither can be the other, rounded, are null: nothing says which is right.
 */
export function twinCount(exact: readonly unknown[], shown: readonly unknown[]): TwinCount | null {
  const [whole, short] = [firstCount(exact), firstCount(shown)];
  const isShort = whole === null || (whole === 0 && short !== null);
  const count = isShort ? short : whole;
  if (count === null) return null;
  if (!isShort && short !== null && short !== 0 && contradicts(count, short)) return null;
  return { count, isRounded: isShort && count >= shownWhole };
}
