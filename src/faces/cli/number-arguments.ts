import { InvalidArgumentError } from 'commander';

/** Returns a parser of whole numbers in a range, which throws commander's argument error. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d{1,10}$/.test(text) || number < min || number > max) {
      throw new InvalidArgumentError(
        `It must be a whole number from ${min} to ${max.toLocaleString('en-US')}.`,
      );
    }
    return number;
  };
}

/** Parses the credits that one command adds; the sum of many stays exact. */
export const creditsAmount = wholeNumber(1, 1_000_000_000);

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration such as `90m`, `12h` or `2d`, in milliseconds. Throws commander's argument error. */
export function timeSpan(text: string): number {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined && Number(count) > 0) return Number(count) * unitMs[unit as keyof typeof unitMs];
  throw new InvalidArgumentError('It must be a number of minutes, hours or days: 90m, 12h, 2d.');
}

/** Parses a port number. Throws commander's argument error. */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) {
    throw new InvalidArgumentError('It must be a port: 0 to 65535, 0 for any free port.');
  }
  return number;
}
