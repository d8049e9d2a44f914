import { createHash } from 'node:crypto';
import type { ExtractError } from '../errors/extract-error.js';
import { type ErrorRoute, refusal } from '../errors/outcomes.js';

/** Different subjects in a row after which the platform refuses whoever asks. */
const maxInRow = 5;

/** A subject as it is told from others, and named to nobody. */
export const printOf = ({ subject }: ErrorRoute): string =>
  createHash('sha256').update(subject).digest('base64url').slice(0, 16);

/** How a refused subject stands among them; without a name, a refusal of whoever asks. */
export const refusedMark = (subject = '') => `!${subject}`;

export const isRefusedMark = (print: string) => print.startsWith('!');

/** The subjects in whose place a platform showed its error page since it last answered, with one more, by their prints. */
export const withErrorRoute = (prints: readonly string[], print: string): readonly string[] =>
  prints.includes(print) || prints.length >= maxInRow ? prints : [...prints, print];

/** The error that an error page comes to beside those of other subjects. */
export function errorOfRoutes(error: ErrorRoute, prints: readonly string[]): ExtractError {
  if (prints.length < maxInRow) return error;
  return refusal('shell', `The platform shows its error page for ${maxInRow} subjects in a row.`);
}
