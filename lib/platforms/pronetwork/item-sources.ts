import { authorOrNull, type ItemAuthor, type PageItemSource } from '../../read/item-source.js';
import type { Page } from '../../web/page-source.js';
import type { JobCard } from './job-list.js';
import type { PostCard } from './post-card.js';
import { jobPageUrl, type PageName, pageOfUrl, pageUrl } from './urls.js';

/**
 * The page's identifier of its content for abuse reports: a member or an organisation, among posts (2024-03 to
 * 2026-07).
 */
const contents = / data-semaphore-content-urn="urn:li:(?:member|organization|company):(\d{1,20})"/g;

/**
 * The source of a profile or a company. Its ID is its number if the page has exactly one, else the last part of its
 * address.
 */
export function sourceOfPage(page: Page, requested: PageName): PageItemSource {
  const name = pageOfUrl(page.url) ?? requested;
  const numbers = new Set([...page.text().matchAll(contents)].map(([, number]) => number));
  const [number] = numbers;
  return { id: numbers.size === 1 && number ? number : name.vanity, url: pageUrl(name), author: null };
}

const authorAt = (name: string | null, address: string | null): ItemAuthor | null => {
  const page = address === null ? null : pageOfUrl(address);
  return authorOrNull({ handle: page?.vanity ?? null, name, url: page === null ? address : pageUrl(page) });
};

/** The source of a post. The author is in its card, or else the owner of the list. */
export const sourceOfPost = ({ urn, permalink, author }: PostCard, owner: PageName): PageItemSource => ({
  id: urn,
  url: permalink,
  author: author === null ? authorAt(null, pageUrl(owner)) : authorAt(author.name, author.url),
});

/** The source of a job: its number, and the company that posted it. */
export const sourceOfJob = ({ id, job: { company } }: JobCard): PageItemSource => ({
  id,
  url: jobPageUrl(id),
  author: company === null ? null : authorAt(company.name, company.url),
});
