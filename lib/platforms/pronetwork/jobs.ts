import { defineEndpoint } from '../../endpoint.js';
import { choice, integer, text } from '../../params/vocabulary.js';
import { sourceOfJob } from './item-sources.js';
import type { Workplace } from './job-list.js';
import { pronetworkJob } from './objects.js';
import { site } from './site.js';

/** `f_WT` of the guest interface. */
const workplaces: Readonly<Record<Workplace, string>> = { 'on-site': '1', remote: '2', hybrid: '3' };

const daySeconds = 86_400;

/** GET /pronetwork/jobs */
export const jobs = defineEndpoint({
  path: 'pronetwork/jobs',
  operation: 'search_pronetwork_jobs',
  summary: 'LinkedIn jobs: by query, location, workplace and age, with their descriptions',
  description: `Reads the job list for logged-out visitors, ten jobs at a time, a thousand at most. The platform interprets \`location\` itself, and may get it wrong: write it as the platform does ("Berlin, Germany"). You get an empty list only if the page of the search says that there are none.

Description, seniority, employment type and pay come from each job's own page, which is read for every job at the platform's pace: use a smaller \`limit\` if time matters. If such a page is refused, those fields are null.

workplace_type is known if you asked for it, or if a remote job says so. Few jobs show their pay.`,
  credits: 4,
  cacheSeconds: 10_800,
  site,
  params: () => ({
    query: text('What to search for: a title, a skill, a company.'),
    location: text('Location, as the platform writes it.').optional(),
    workplace_type: choice(['on-site', 'hybrid', 'remote'], 'Only jobs of this kind.').optional(),
    posted_within_days: integer(1, 90, 'Only jobs listed in the last N days.').optional(),
  }),
  renamed: { remote: 'workplace_type' },
  page: { max: 25 },
  returns: pronetworkJob,
  many: true,
  columns: [
    'title',
    'company.name',
    'location',
    'listed_at',
    'salary.text',
    'workplace_type',
    'employment_type',
    'seniority_level',
  ],
  identify: ({ query = '', location, workplace_type, posted_within_days }) => ({
    query,
    location: location ?? null,
    workplace: workplace_type ?? null,
    days: posted_within_days ?? null,
  }),
  async read({ identity, limit, position, session }) {
    const { query, location, workplace, days } = identity;
    const search = {
      keywords: query,
      location,
      workplace: workplace === null ? null : workplaces[workplace],
      seconds: days === null ? null : days * daySeconds,
    };
    const { completeJobs, walkJobs } = await import('./job-walk.js');
    const { found, next, isEnd, emptyProof } = await walkJobs({
      search,
      workplace,
      limit,
      position,
      session,
    });
    const { items, whole } = await completeJobs(found, session);
    return {
      data: items.map((one) => one.job),
      sources: items.map(sourceOfJob),
      ids: items.map((one) => one.id),
      next,
      brief: !whole,
      isEnd,
      emptyProof,
    };
  },
});
