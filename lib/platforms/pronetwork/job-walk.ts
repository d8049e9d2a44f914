import { refusal } from '../../errors/outcomes.js';
import { complete } from '../../read/complete.js';
import { intOrNull } from '../../read/convert.js';
import { isOutcome } from '../../read/fill-page.js';
import { at, type Json } from '../../read/json.js';
import { requireValue } from '../../read/refusal.js';
import type { Page, PageSession } from '../../web/page-source.js';
import type { JobCard, JobItems, Workplace } from './job-list.js';
import { readJobList } from './job-list.js';
import { mergeJobPage } from './job-page.js';
import { isBlank } from './outcome.js';
import { fragmentRequest, pageRequest } from './site.js';
import { type JobSearch, jobFragmentUrl, jobListUrl, jobPageUrl, jobSearchUrl } from './urls.js';

/** The list ends here whatever was found: the platform answers 400. */
const lastStart = 1000;
/** A list that gives nothing new for so many requests is left for the next call to go on with. */
const maxRequests = 6;

export interface JobWalk {
  readonly search: JobSearch;
  readonly workplace: Workplace | null;
  readonly limit: number;
  readonly position: Json;
  readonly session: PageSession;
}

/**
 * The jobs of a search by its page, from the number `start` on; null where there are none. A fragment without items
 * begins a list that is empty and one that is refused, and an answer without a byte, or status 400, may come in place of
 * any fragment. The page, which counts the jobs, tells which it is. Throws where it does not say so.
 */
async function jobsOfPage(
  start: number,
  { search, workplace, session }: Pick<JobWalk, 'search' | 'workplace' | 'session'>,
): Promise<JobItems | null> {
  const page = await session.fetch(pageRequest(jobSearchUrl(search)));
  const items = readJobList(page, true, { keywords: search.keywords, workplace });
  if (items === null)
    throw refusal('shell', 'The platform answered with an empty page, its way of refusing.');
  if (items.jobs.length === 0) return null;
  // Jobs that nobody counts may be suggestions.
  const total = requireValue(items.total, 'the number of its jobs');
  if (start === 0) return items;
  if (start >= total) return null;
  throw refusal(
    'shell',
    `The platform counts ${total} jobs, and answered with nothing after ${start} of them.`,
  );
}

/**
 * Jobs from where the previous page ended, by fragments of ten as a rule. The next fragment begins behind
 * the cards that came, whether they were kept or not; overlaps between fragments are normal.
 */
export async function walkJobs({ search, workplace, limit, position, session }: JobWalk) {
  let start = intOrNull(at(position, 'start')) ?? 0;
  let skip = intOrNull(at(position, 'skip')) ?? 0;
  const found = new Map<string, JobCard>();
  // The reader of the list takes the platform's own words alone for its end.
  const end = (next: Json, isEnd = false) => ({
    ...{ found: [...found.values()], next, isEnd },
    emptyProof: { end: next === null },
  });
  for (let request = 0; request < maxRequests && start < lastStart; request += 1) {
    const fragment = await session.fetch(fragmentRequest(jobListUrl(search, start)));
    let items = readJobList(fragment, start === 0, { keywords: search.keywords, workplace });
    if (items === null && (start === 0 || fragment.status === 400 || isBlank(fragment))) {
      try {
        items = await jobsOfPage(start, { search, workplace, session });
      } catch (error) {
        if (found.size === 0 || !isOutcome(error)) throw error;
        // The answer ends before what is refused, and leads to it.
        return end({ start, skip: 0 });
      }
    }
    if (items === null || items.jobs.length === 0) return end(null, true);
    const before = found.size;
    let read = skip;
    for (const job of items.jobs.slice(skip)) {
      if (found.size >= limit) break;
      read += 1;
      if (!found.has(job.id)) found.set(job.id, job);
    }
    if (read < items.jobs.length) return end({ start, skip: read });
    if (read > skip && found.size === before) return end(null);
    start += items.jobs.length;
    skip = 0;
    if (items.total !== null && start >= items.total) return end(null, true);
    if (found.size >= limit) return end(start < lastStart ? { start, skip } : null);
  }
  return end(start < lastStart ? { start, skip } : null);
}

/** Whether the platform led from a job's page elsewhere, and says by the address that the job has expired (2024 to 2026). */
const hasExpired = (page: Page) => /[?&]trk=expired_jd_redirect\b/.test(page.url);

/**
 * Completes jobs from their own fragments. A missing fragment leads to the job's page. Once the fragment
 * interface fails, only pages are requested. A job that has expired is whole as the list has it: nothing follows.
 */
export async function completeJobs(jobs: readonly JobCard[], session: PageSession) {
  let fail = false;
  return complete(
    jobs,
    () => true,
    async (one) => {
      if (!fail) {
        const fragment = await session.fetch({ url: jobFragmentUrl(one.id) });
        fail = fragment.status >= 500 && fragment.status !== 999;
        if (!fail && fragment.status !== 404) return mergeJobPage(one, fragment);
      }
      const page = await session.fetch(pageRequest(jobPageUrl(one.id)));
      return hasExpired(page) ? one : mergeJobPage(one, page);
    },
  );
}
