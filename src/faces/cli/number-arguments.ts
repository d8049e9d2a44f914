import { InvalidArgumentError } from 'commander';

/** Parses a whole number of a range. The parser throws commander's error of an argument. */
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

/** Parses the credits that one command adds: sums of many stay exact. */
export const creditsAmount = wholeNumber(1, 1_000_000_000);

/** Parses the number of a port. Throws commander's error of an argument. */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) {
    throw new InvalidArgumentError('It must be a port: 0 to 65535, 0 for any that is free.');
  }
  return number;
}
