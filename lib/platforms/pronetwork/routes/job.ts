import { ExtractError } from '../../../errors/extract-error.js';
import type { ItemIdentity } from '../../../routes/complete-items.js';
import type { ObjectReading, Route } from '../../../routes/route.js';
import type { Page } from '../../../web/page-source.js';
import { sourceOfJob } from '../item-sources.js';
import type { PronetworkJob } from '../objects.js';
import { pageRequest } from '../site.js';
import { jobFragmentUrl, jobPageUrl } from '../urls.js';

async function jobReading(page: Page, id: string): Promise<ObjectReading<PronetworkJob>> {
  const { readJobPage } = await import('../job-page.js');
  const job = readJobPage(page, id);
  const isDay = job.job.listed_at?.endsWith('T00:00:00.000Z') === true;
  return { data: job.job, source: sourceOfJob(job), partial: isDay ? ['listed_at'] : [] };
}

/** True if the platform redirected from a job's page to an address that says it has expired (2024 to 2026). */
const hasExpired = (page: Page) => /[?&]trk=expired_jd_redirect\b/.test(page.url);

/** The part of a job's page that the search page shows next to its list. */
export const jobPosting: Route<ItemIdentity, ObjectReading<PronetworkJob>> = {
  name: 'job-posting',
  reads: 'The job as the page of a search shows it next to its list.',
  surface: 'guest',
  seen: { month: '2026-09', from: ['home', 'datacentre'] },
  fills: { listed_at: 'never', workplace_type: 'some', salary: 'some', seniority_level: 'some' },
  read: async ({ identity: { id }, session }) =>
    jobReading(await session.fetch({ url: jobFragmentUrl(id) }), id),
};

export const jobPage: Route<ItemIdentity, ObjectReading<PronetworkJob>> = {
  name: 'job-page',
  reads: 'The job’s own page.',
  surface: 'page',
  seen: { month: '2026-08', from: ['home', 'datacentre'] },
  fills: { listed_at: 'some', workplace_type: 'some', salary: 'some', seniority_level: 'some' },
  async read({ identity: { id }, session }) {
    const page = await session.fetch(pageRequest(jobPageUrl(id)));
    if (hasExpired(page)) throw new ExtractError('job_not_found');
    return jobReading(page, id);
  },
};
