import { refusal } from '../../errors/outcomes.js';
import { requireValue } from '../../read/refusal.js';
import type { PageSession } from '../../web/page-source.js';
import { type JobItems, readJobList } from './job-list.js';
import { pageRequest } from './site.js';
import { type JobSearch, jobSearchUrl } from './urls.js';

/** Fetches the page of a search. Throws if it does not count its jobs, because they may be suggestions. */
export async function searchPageOf(
  search: JobSearch,
  session: PageSession,
): Promise<JobItems & { readonly answeredAt: string | undefined }> {
  const page = await session.fetch({ ...pageRequest(jobSearchUrl(search)), surface: 'page' });
  const items = readJobList(page, true, search.keywords);
  if (items === null) {
    throw refusal('shell', 'The platform answered with an empty page, its way of refusing.');
  }
  requireValue(items.total, 'the number of its jobs');
  return { ...items, answeredAt: page.headers.date };
}
