import { ExtractError } from '../../errors/extract-error.js';
import { intOrNull, isoFromText } from '../../read/convert.js';
import { cut } from '../../read/html.js';
import { resolveReferences } from '../../read/html-text.js';
import { all, attr, type Element, firstElement, line, treeOf } from '../../read/html-tree.js';
import { between } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { jobCard, jobSections, noJobs } from './job-selectors.js';
import { siteLinkOrNull } from './links.js';
import type { PronetworkJob } from './objects.js';
import { acceptItems, pageKinds, refuseWithoutElement } from './outcome.js';
import { codeIn } from './page-code.js';
import { salaryOf } from './salary.js';
import { namesAny, wordsOf } from './search-words.js';
import { workplaceIn } from './workplace.js';

export interface JobCard {
  readonly id: string;
  readonly job: PronetworkJob;
}

function readCard(card: Element): JobCard {
  const id = /:(\d{1,20})$/.exec(attr(card, 'data-entity-urn') ?? '')?.[1];
  const company = line(firstElement(card, jobCard.company));
  const location = line(firstElement(card, jobCard.location));
  const title = requireValue(line(firstElement(card, jobCard.title)), 'the title of a job');
  return {
    id: requireValue(id, 'the number of a job'),
    job: {
      title,
      company:
        company === null
          ? null
          : { name: company, url: siteLinkOrNull(attr(firstElement(card, jobCard.companyLink), 'href')) },
      location,
      workplace_type: workplaceIn(location, title),
      employment_type: null,
      seniority_level: null,
      salary: salaryOf(line(firstElement(card, jobCard.salary))),
      listed_at: isoFromText(attr(firstElement(card, jobCard.date), 'datetime')),
      description: null,
    },
  };
}

export interface JobItems {
  readonly jobs: readonly JobCard[];
  /** Total jobs as counted by the page form: null for a fragment, `many` if it only says “1,000+”. */
  readonly total: number | 'many' | null;
}

/** From here on the platform's count is a cap, however it is worded (2026-08). */
const most = 1000;

/** “2 Lighthouse jobs in Oslo”: the count, and the words of the search (2024-08 to 2026-06). */
const ownTitle = /^\s{0,99}[\d,]{1,15}\+?\s(\S.{0,300}?)\sjobs\b/i;

/**
 * Throws `platform_changed` for a page of another search: one whose title or address has words, and none of the
 * requested ones. Fragments have neither.
 */
function refuseOtherSearch(addresses: readonly string[], pageTitle: string, keywords: string): void {
  const inAddresses = addresses.map((one) => URL.parse(resolveReferences(one))?.searchParams.get('keywords'));
  for (const title of [...inAddresses, ownTitle.exec(resolveReferences(pageTitle))?.[1]]) {
    if (title == null) continue;
    const isNamed = wordsOf(title).length > 0 && wordsOf(keywords).length > 0;
    if (!isNamed || namesAny(title, keywords)) continue;
    throw new ExtractError('platform_changed', `The page is about the search “${title}”, not “${keywords}”.`);
  }
}

/**
 * Returns the count from the page's script data, which scripts may remove, else from a title that contains the
 * requested words.
 */
function totalIn(html: string, title: string, keywords: string): JobItems['total'] {
  const worded = namesAny(title, keywords) ? /^\s*([\d,]+\+?) /.exec(title)?.[1] : undefined;
  const count = codeIn(html, 'totalResults') ?? worded;
  const total = intOrNull(typeof count === 'string' ? count.replace(/[,+]/g, '') : count);
  return total === null || total < most ? total : 'many';
}

/** True if a page says that nothing matches, and repeats the requested words (2025-10, 2026-06). */
const saysNone = (section: string | undefined, keywords: string): boolean =>
  section !== undefined && namesAny(line(firstElement(treeOf(section), noJobs)) ?? '', keywords);

/** Reads a fragment of a job list, or the page form of a list (2024-08 to 2026-06). Null at the list's end. */
export function readJobList(page: Page, isFirst: boolean, keywords: string): JobItems | null {
  const items = acceptItems(page, pageKinds.jobs, isFirst);
  if (items === null) return null;
  const { html } = items;
  const title = between(html, '<title>', '</title>') ?? '';
  refuseOtherSearch(items.head.addresses, title, keywords);
  const { list, item, none } = cut(html, jobSections);
  const cards = all(treeOf((list.length > 0 ? list : item).join('')), jobCard.root);
  const isPage = items.head.pageKey !== null;
  if (cards.length === 0 && !isPage) {
    throw new ExtractError('platform_changed', 'The items of the list are not jobs.');
  }
  const total = isPage ? totalIn(html, title, keywords) : null;
  // A page that counts none, or says so, suggests other jobs.
  if (total === 0 || saysNone(none[0], keywords)) return { jobs: [], total: 0 };
  if (cards.length === 0) refuseWithoutElement(page, items, 'a list of jobs');
  return { jobs: cards.map(readCard), total };
}
