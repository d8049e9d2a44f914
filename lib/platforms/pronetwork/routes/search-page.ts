import { intOrNull } from '../../../read/convert.js';
import { at } from '../../../read/json.js';
import type { Part, Route } from '../../../routes/route.js';
import { type JobQuery, jobPart, searchOf } from '../job-part.js';
import type { PronetworkJob } from '../objects.js';

/**
 * The page of a search, which has up to sixty jobs and counts them all. Only this page proves that there are none.
 * Further jobs are loaded as the page does it.
 */
export const searchPage: Route<JobQuery, Part<PronetworkJob>> = {
  name: 'search-page',
  reads: 'The page of a search, with up to sixty jobs and their number.',
  surface: 'page',
  seen: { month: '2026-08', from: ['home', 'datacentre'] },
  fills: {
    ...{ employment_type: 'never', seniority_level: 'never', description: 'never' },
    ...{ workplace_type: 'some', salary: 'some' },
  },
  async read(context) {
    const { identity, limit, part, session } = context;
    if (at(part, 'start') !== undefined) {
      const { readFragments } = await import('../job-fragments.js');
      return readFragments(context);
    }
    const { searchPageOf } = await import('../job-search-page.js');
    const skip = intOrNull(at(part, 'skip')) ?? 0;
    const { search, place } = await searchOf(context);
    const { jobs, total, answeredAt } = await searchPageOf(search, session);
    const to = skip + limit;
    const next = to < jobs.length ? { skip: to, ...place } : { start: jobs.length, skip: 0, ...place };
    const isEnd = typeof total === 'number' && Math.min(to, jobs.length) >= total;
    return jobPart(identity, jobs.slice(skip, to), {
      answeredAt,
      ...place,
      emptyProof: { none: total === 0, end: isEnd },
      total: total === 'many' ? null : total,
      ...(isEnd ? { ended: 'end' } : { next }),
    });
  },
};
