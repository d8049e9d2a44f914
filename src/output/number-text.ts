/** Formats a number in English: `12,345`. */
export const grouped = (value: number) => value.toLocaleString('en-US');

/** Formats a count with its noun: `1 input`, `12,345 inputs`. */
export const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Formats a number that may have a fraction: `12,345.678`. */
export const decimal = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** Formats the growth of a number, with a plus sign; null if unknown. */
export function growthText(value: number | null): string | null {
  if (value === null) return null;
  return value > 0 ? `+${decimal(value)}` : decimal(value);
}
