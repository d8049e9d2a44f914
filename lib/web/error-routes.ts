import type { ExtractError } from '../errors/extract-error.js';
import { type ErrorRoute, refusal } from '../errors/outcomes.js';
import { isRefusedMark, printOfName, withMark } from './refusal-scope.js';

/** Different subjects in a row after which the refusal counts as one of the client. */
const maxInRow = 5;

/** Digests of a subject and of its account, so that stores name neither. */
export const printOf = ({ subject }: ErrorRoute, account?: string): string =>
  [subject, account].flatMap((one) => (one === undefined ? [] : printOfName(one))).join(' ');

const subjectOf = (print: string) => print.split(' ')[0];

const printsAlone = (prints: readonly string[]) => prints.filter((print) => !isRefusedMark(print));

/**
 * Adds a fingerprint to the subjects that got an error page since the platform's last answer, and to the refusals
 * since then.
 */
export function withErrorRoute(prints: readonly string[], print: string): readonly string[] {
  if (isRefusedMark(print)) return withMark(prints, print);
  if (prints.some((one) => subjectOf(one) === subjectOf(print))) return prints;
  return printsAlone(prints).length >= maxInRow ? prints : [...prints, print];
}

/** Returns the error for an error page, given the error pages of other subjects. */
export function errorOfRoutes(error: ErrorRoute, prints: readonly string[]): ExtractError {
  if (printsAlone(prints).length < maxInRow) return error;
  return refusal('shell', `The platform shows its error page for ${maxInRow} subjects in a row.`);
}

/** True if one account alone received the error pages of all these subjects. */
export function isRowOf(account: string, prints: readonly string[]): boolean {
  const end = ` ${printOfName(account)}`;
  return printsAlone(prints).every((print) => print.endsWith(end));
}
