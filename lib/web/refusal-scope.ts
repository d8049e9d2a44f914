import { createHash } from 'node:crypto';

/** The subject of a request, and the charged account. A refusal may apply to either alone. */
export interface RequestScope {
  readonly subject?: string | undefined;
  readonly account?: string | undefined;
}

/** What a refusal applies to: one subject, one account, or every request. */
export type RefusalScope = { readonly subject: string } | { readonly account: string } | 'everybody';

const sign = '!';

export const isRefusedMark = (print: string) => print.startsWith(sign);

export const printOfName = (name: string) =>
  createHash('sha256').update(name).digest('base64url').slice(0, 16);

/** A refused request as stored; without a subject and an account it applies to every request. */
export const refusedMark = ({ subject = '', account }: RequestScope) =>
  `${sign}${subject} ${account === undefined ? '' : printOfName(account)}`.trimEnd();

function distinct(
  marks: readonly string[],
): readonly [subjects: readonly string[], accounts: readonly string[]] {
  const parts = marks.filter(isRefusedMark).map((mark) => mark.slice(sign.length).split(' '));
  const at = (index: number) => [...new Set(parts.map((part) => part[index] ?? ''))];
  return [at(0), at(1)];
}

/**
 * Returns the scope of the refusals since the last answer. One subject may be withheld from visitors, and one account
 * may request only withheld subjects; two subjects from two accounts are evidence that the platform refuses every
 * request.
 */
export function scopeOf(marks: readonly string[]): RefusalScope {
  if (marks.length === 0) return 'everybody';
  const [subjects, accounts] = distinct(marks);
  const [[subject, ...moreSubjects], [account, ...moreAccounts]] = [subjects, accounts];
  if (subject && moreSubjects.length === 0) return { subject };
  if (account && moreAccounts.length === 0) return { account };
  return 'everybody';
}

/** True if a refusal of that scope applies to a request. A request without a subject or account is always covered. */
export function isBound(scope: RefusalScope, { subject, account }: RequestScope): boolean {
  if (scope === 'everybody') return true;
  if ('subject' in scope) return subject === undefined || subject === scope.subject;
  return account === undefined || printOfName(account) === scope.account;
}

/** Adds a mark, unless the scope is the same without it. */
export function withMark(marks: readonly string[], mark: string): readonly string[] {
  const [subjects, accounts] = distinct(marks);
  const [[subject = ''], [account = '']] = distinct([mark]);
  const isNew =
    (subjects.length < 2 && !subjects.includes(subject)) ||
    (accounts.length < 2 && !accounts.includes(account));
  return isNew ? [...marks, mark] : marks;
}
