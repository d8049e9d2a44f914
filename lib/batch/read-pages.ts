import { isListEnd, joinCoverage } from '../call/coverage.js';
import type { Answer } from '../call/envelope.js';
import type { Outcome } from './outcome.js';

/** Joins the lists of pages without parsing them. */
function joinPages(pages: readonly string[]): string {
  if (pages.length === 1) return pages[0] as string;
  return `[${pages
    .map((page) => page.slice(1, -1))
    .filter((items) => items !== '')
    .join(',')}]`;
}

/** Returns the pages of an input as one answer; empty if none arrived. */
export function joinedAnswers(
  answers: readonly Answer[],
): Pick<Outcome, 'source' | 'charged' | 'calls'> & Partial<Outcome> & { readonly json: string | null } {
  const last = answers.at(-1);
  if (last === undefined) return { json: null, source: null, charged: 0, calls: 0 };
  const prints = answers.flatMap((one) => one.prints ?? []);
  const texts = (name: 'sources' | 'captions') => answers.flatMap((one) => one[name] ?? []);
  const [sources, captions] = [texts('sources'), texts('captions')];
  const records = answers.flatMap((one) => one.records ?? []);
  // Removed items still exist in the platform's list.
  const leavesOut = answers.some((one) => one.leavesOut === true);
  const isWhole = isListEnd({ ...last, leavesOut });
  return {
    json: joinPages(answers.map(({ json }) => json)),
    sources: sources.length === 0 ? undefined : joinPages(sources),
    coverage: joinCoverage(answers.flatMap(({ coverage }) => coverage ?? [])),
    ...(captions.length === 0 ? {} : { captions: joinPages(captions) }),
    ...(answers.some(({ brief }) => brief === true) ? { isBrief: true } : {}),
    ...(isWhole ? { isWhole } : {}),
    ...(answers.some((one) => one.records !== undefined) ? { records } : {}),
    source: last.source,
    charged: answers.reduce((sum, { meta }) => sum + meta.credits_charged, 0),
    // Samples have no rows in the ledger.
    calls: answers.filter(({ source }) => source !== 'sample').length,
    prints: answers.some((one) => one.prints === undefined) ? undefined : prints,
  };
}
