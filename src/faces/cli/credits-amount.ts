import { InvalidArgumentError } from 'commander';

/** Credits that one command adds at most: sums of many stay exact. */
const maxCredits = 1_000_000_000;

/** Parses the credits to add. Throws commander's error of an argument. */
export function creditsAmount(text: string): number {
  const credits = Number(text);
  if (!/^\d{1,10}$/.test(text) || credits < 1 || credits > maxCredits) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxCredits}.`);
  }
  return credits;
}
