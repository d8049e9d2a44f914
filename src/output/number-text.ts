/** Formats a number in English: `12,345`. */
export const grouped = (value: number) => value.toLocaleString('en-US');

/** Formats a count with its noun: `1 input`, `12,345 inputs`. */
export const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

export const decimal = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

export function growthText(value: number | null): string | null {
  if (value === null) return null;
  return value > 0 ? `+${decimal(value)}` : decimal(value);
}
