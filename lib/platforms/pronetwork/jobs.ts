import { defineEndpoint } from '../../endpoint.js';
import { choice, integer, text } from '../../params/vocabulary.js';
import { listLadder } from '../../routes/ladder.js';
import { aid } from '../../routes/rung.js';
import { ignoredBy, type JobQuery } from './job-part.js';
import { pronetworkJob } from './objects.js';
import { jobPage, jobPosting } from './routes/job.js';
import { search } from './routes/search.js';
import { searchPage } from './routes/search-page.js';
import { typeahead } from './routes/typeahead.js';
import { site } from './site.js';

export const jobs = defineEndpoint({
  path: 'pronetwork/jobs',
  operation: 'search_pronetwork_jobs',
  summary: 'LinkedIn jobs: by query, location, workplace and age, with their descriptions',
  description: `Reads the job list for logged-out visitors, ten jobs at a time, a thousand at most. \`location\` is looked up among the platform's own places first ("Berlin" becomes "Berlin, Germany"). Jobs unrelated to \`query\`, which the platform lists if no job matches, are not returned: the search page is read, and you get an empty list only if it says that nothing matches.

Description, seniority, employment type and pay come from each job's own page, which is read for every job at the platform's pace: use a smaller \`limit\` if time matters. If such a page is refused, those fields are null.

workplace_type is the job’s own statement, and null for most: the platform ignores this filter for logged-out visitors, so jobs of other kinds are returned, too, and so are jobs older than posted_within_days if the platform lists them. \`coverage.ignored\` names the filters without effect. Few jobs show their pay.`,
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
  ignoredBySample: (items, identity: JobQuery, answeredAt) => ignoredBy(identity, items, { answeredAt }),
  ladder: listLadder({
    resolves: [aid(typeahead, ({ location }: JobQuery) => location)],
    routes: [search, searchPage],
    items: {
      routes: [
        { route: jobPosting, fields: ['description'] },
        { route: jobPage, fields: ['description'], instead: true },
      ],
    },
  }),
});
