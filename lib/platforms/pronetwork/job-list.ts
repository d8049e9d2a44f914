import { ExtractError } from '../../errors/extract-error.js';
import { intOrNull, isoFromText } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { resolveReferences } from '../../read/html-text.js';
import { all, attr, type Element, line, one, treeOf } from '../../read/html-tree.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { jobCard, jobSections } from './job-selectors.js';
import { siteLinkOrNull } from './links.js';
import type { PronetworkJob } from './objects.js';
import { acceptItems, expected, refuseWithoutElement } from './outcome.js';
import { codeIn } from './page-code.js';
import { salaryOf } from './salary.js';

/** A job of a list, with its number. */
export interface JobCard {
  readonly id: string;
  readonly job: PronetworkJob;
}

export type Workplace = NonNullable<PronetworkJob['workplace_type']>;

/** A kind of workplace that a place names in parentheses. */
export function workplaceIn(location: string | null): Workplace | null {
  const word = /\((on-?site|hybrid|remote)\)/i.exec(location ?? '')?.[1]?.toLowerCase();
  if (word === undefined) return null;
  return word.startsWith('on') ? 'on-site' : (word as Workplace);
}

function readCard(card: Element, workplace: Workplace | null): JobCard {
  const id = /:(\d{1,20})$/.exec(attr(card, 'data-entity-urn') ?? '')?.[1];
  const company = line(one(card, jobCard.company));
  const location = line(one(card, jobCard.location));
  return {
    id: requireValue(id, 'the number of a job'),
    job: {
      title: requireValue(line(one(card, jobCard.title)), 'the title of a job'),
      company:
        company === null
          ? null
          : { name: company, url: siteLinkOrNull(attr(one(card, jobCard.companyLink), 'href')) },
      location,
      workplace_type: workplace ?? workplaceIn(location),
      employment_type: null,
      seniority_level: null,
      salary: salaryOf(line(one(card, jobCard.salary))),
      listed_at: isoFromText(attr(one(card, jobCard.date), 'datetime')),
      description: null,
    },
  };
}

export interface JobItems {
  readonly jobs: readonly JobCard[];
  /** Jobs of the whole list: the page form names the number, a fragment does not. */
  readonly total: number | null;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Throws `platform_changed` for a page that names another search: none of the words asked for. Fragments name none. */
function refuseOtherSearch(addresses: readonly string[], keywords: string): void {
  const asked = wordsOf(keywords);
  for (const address of addresses) {
    const named = URL.parse(resolveReferences(address))?.searchParams.get('keywords') ?? '';
    const words = wordsOf(named);
    if (words.length === 0 || asked.length === 0 || asked.some((word) => words.includes(word))) continue;
    throw new ExtractError('platform_changed', `The page is about the search “${named}”, not “${keywords}”.`);
  }
}

/**
 * A fragment of a job list, or the page form of a list (2024-08 to 2026-01). Null at the list's end. `workplace` is the
 * requested kind, and so the kind of every job.
 */
export function readJobList(
  page: Page,
  isFirst: boolean,
  { keywords, workplace }: { keywords: string; workplace: Workplace | null },
): JobItems | null {
  const accepted = acceptItems(page, expected.jobs, isFirst);
  if (accepted === null) return null;
  refuseOtherSearch(accepted.head.addresses, keywords);
  const { html } = accepted;
  const { list, item } = cut(html, jobSections);
  const cards = all(treeOf((list.length > 0 ? list : item).join('')), jobCard.root);
  const isPage = accepted.head.pageKey !== null;
  if (cards.length === 0 && !isPage) {
    throw new ExtractError('platform_changed', 'The items of the list are no jobs.');
  }
  const total = isPage ? intOrNull(codeIn(html, 'totalResults')) : null;
  // Only its own words prove a whole page empty (`emptyResult` among its tags). It then suggests other jobs.
  if (total === 0 || accepted.head.tags.includes('emptyResult=true')) return { jobs: [], total };
  if (cards.length === 0) refuseWithoutElement(page, accepted, 'a list of jobs');
  return { jobs: cards.map((card) => readCard(card, workplace)), total };
}
