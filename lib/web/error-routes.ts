import type { ExtractError } from '../errors/extract-error.js';
import { type ErrorRoute, refusal } from '../errors/outcomes.js';
import { isRefusedMark, printOfName, withMark } from './refusal-scope.js';

/** Different subjects in a row after which the platform refuses whoever asks. */
const maxInRow = 5;

/** A subject and the account that asked for it, by their digests: stores name neither. */
export const printOf = ({ subject }: ErrorRoute, account?: string): string =>
  [subject, account].flatMap((one) => (one === undefined ? [] : printOfName(one))).join(' ');

const subjectOf = (print: string) => print.split(' ')[0];

/** The prints of subjects without the marks of refusals. */
const printsAlone = (prints: readonly string[]) => prints.filter((print) => !isRefusedMark(print));

/**
 * The subjects in whose place a platform showed its error page since it last answered, by their prints, and marks of the
 * refusals since then, with one more.
 */
export function withErrorRoute(prints: readonly string[], print: string): readonly string[] {
  if (isRefusedMark(print)) return withMark(prints, print);
  if (prints.some((one) => subjectOf(one) === subjectOf(print))) return prints;
  return printsAlone(prints).length >= maxInRow ? prints : [...prints, print];
}

/** The error that an error page comes to beside those of other subjects. */
export function errorOfRoutes(error: ErrorRoute, prints: readonly string[]): ExtractError {
  if (printsAlone(prints).length < maxInRow) return error;
  return refusal('shell', `The platform shows its error page for ${maxInRow} subjects in a row.`);
}

/** Whether an account alone met the error pages of all these subjects. */
export function isRowOf(account: string, prints: readonly string[]): boolean {
  const end = ` ${printOfName(account)}`;
  return printsAlone(prints).every((print) => print.endsWith(end));
}
