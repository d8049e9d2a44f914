import type { Part, Route } from '../../../routes/route.js';
import type { JobQuery } from '../job-part.js';
import type { PronetworkJob } from '../objects.js';

/** The list that the search page loads as visitors scroll. */
export const search: Route<JobQuery, Part<PronetworkJob>> = {
  name: 'search',
  reads: 'The list that the page of a search loads as visitors scroll, ten jobs a request.',
  surface: 'guest',
  rows: 10,
  seen: { month: '2026-08', from: ['home', 'datacentre'] },
  fills: {
    ...{ employment_type: 'never', seniority_level: 'never', description: 'never' },
    ...{ workplace_type: 'some', salary: 'some' },
  },
  async read(context) {
    const { readFragments } = await import('../job-fragments.js');
    return readFragments(context);
  },
};
