/** A number as it is written in English: `12,345`. */
export const grouped = (value: number) => value.toLocaleString('en-US');

/** So many things, with their number: `1 input`, `12,345 inputs`. */
export const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A number that may have a fraction: `12,345.678`. */
export const decimal = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** By how much a number has grown, with the sign of more; null where it is not known. */
export function grown(value: number | null): string | null {
  if (value === null) return null;
  return value > 0 ? `+${decimal(value)}` : decimal(value);
}
