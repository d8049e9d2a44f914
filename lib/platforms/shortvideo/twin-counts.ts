import { firstCount } from '../../read/convert.js';

/** A number that a page has twice: exact, and as displayed. */
export interface TwinCount {
  readonly count: number;
  /** True if only the displayed number is present, and abbreviated. */
  readonly isRounded: boolean;
}

/** The page displays smaller numbers in full; 783427 is displayed as 783400, 3922256 as 3900000 (2025-12). */
const firstAbbreviated = 10_000;

/** True if one number cannot be the displayed form of the other, even a moment earlier. */
const contradicts = (one: number, other: number) => Math.max(one, other) > Math.min(one, other) * 1.2 + 10;

/** Null if the two numbers contradict each other, because nothing says which is right. */
export function twinCount(exact: readonly unknown[], rounded: readonly unknown[]): TwinCount | null {
  const [full, short] = [firstCount(...exact), firstCount(...rounded)];
  const isShort = full === null || (full === 0 && short !== null);
  const count = isShort ? short : full;
  if (count === null) return null;
  if (!isShort && short !== null && short !== 0 && contradicts(count, short)) return null;
  return { count, isRounded: isShort && count >= firstAbbreviated };
}
