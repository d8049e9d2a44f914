/** Formats a number in English: `12,345`. */
export const integerText = (value: number) => value.toLocaleString('en-US');

/** Formats a count with its noun: `1 input`, `12,345 inputs`. */
export const quantity = (count: number, noun: string) =>
  `${integerText(count)} ${noun}${count === 1 ? '' : 's'}`;

export const decimalText = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 3 });

export function growthText(value: number | null): string | null {
  if (value === null) return null;
  return value > 0 ? `+${decimalText(value)}` : decimalText(value);
}
