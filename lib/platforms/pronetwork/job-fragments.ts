import { refusal } from '../../errors/outcomes.js';
import { intOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import type { ListEnding, Part, RouteContext } from '../../routes/route.js';
import { isOutcome } from '../../routes/walk.js';
import type { PageSession } from '../../web/page-source.js';
import { type JobCard, type JobItems, readJobList } from './job-list.js';
import { type JobQuery, jobPart, searchOf } from './job-part.js';
import { searchPageOf } from './job-search-page.js';
import type { PronetworkJob } from './objects.js';
import { isBlank } from './outcome.js';
import { areUnrelated } from './search-words.js';
import { fragmentRequest } from './site.js';
import { type JobSearch, jobListUrl } from './urls.js';

/** From here on the platform answers 400, however many jobs match. */
const lastStart = 1000;
/** Requests without a new item after which the next call continues. */
const maxRequests = 6;

/** Throws if the search page counts more jobs than came before an empty response. */
async function requireEnd(search: JobSearch, start: number, session: PageSession): Promise<void> {
  const { total } = await searchPageOf(search, session);
  if (typeof total === 'number' && start >= total) return;
  const jobCount = total === 'many' ? 'more jobs' : `${total} jobs`;
  throw refusal('shell', `The platform counts ${jobCount}, but returned none after the first ${start}.`);
}

/** Throws if no list begins: the response was empty, or its jobs are unrelated to the search. */
function requireRelated(items: JobItems | null, query: string): void {
  if (items === null) {
    throw refusal('shell', 'The platform answered with an empty list, its way of refusing.');
  }
  // A list that counts its jobs is the search page itself.
  if (items.total !== null) return;
  const texts = items.jobs.map(({ job }) => `${job.title} ${job.company?.name ?? ''}`);
  if (!areUnrelated(texts, query)) return;
  throw refusal('unknown_layout', `Hardly any of the returned jobs contains a word of “${query}”.`);
}

/**
 * Reads jobs after the previous part, in fragments of usually ten. The next fragment begins after all cards received,
 * including skipped ones; overlapping fragments are normal.
 */
export async function readFragments(context: RouteContext<JobQuery>): Promise<Part<PronetworkJob>> {
  const { identity, limit, part, session } = context;
  const { search, place } = await searchOf(context);
  let start = intOrNull(at(part, 'start')) ?? 0;
  let skip = intOrNull(at(part, 'skip')) ?? 0;
  let answeredAt: string | undefined;
  const cards = new Map<string, JobCard>();
  const end = (ending: ListEnding) =>
    jobPart(identity, [...cards.values()], {
      answeredAt,
      ...place,
      emptyProof: { end: ending === 'end' },
      ...(ending === 'more' ? { next: { start, skip, ...place } } : { ended: ending }),
    });
  for (let request = 0; request < maxRequests && start < lastStart; request += 1) {
    const fragment = await session.fetch(fragmentRequest(jobListUrl(search, start)));
    const items = readJobList(fragment, start === 0, identity.query);
    answeredAt = fragment.headers.date ?? answeredAt;
    if (start === 0) requireRelated(items, identity.query);
    if (items === null && (fragment.status === 400 || isBlank(fragment))) {
      try {
        await requireEnd(search, start, session);
      } catch (error) {
        if (cards.size === 0 || !isOutcome(error)) throw error;
        // The answer ends before the refused fragment, and its cursor leads to it.
        return end('more');
      }
    }
    if (items === null || items.jobs.length === 0) return end('end');
    const before = cards.size;
    let position = skip;
    for (const job of items.jobs.slice(skip)) {
      if (cards.size >= limit) break;
      position += 1;
      if (!cards.has(job.id)) cards.set(job.id, job);
    }
    skip = position < items.jobs.length ? position : 0;
    if (skip > 0) return end('more');
    if (cards.size === before) return end('repeated');
    start += items.jobs.length;
    if (typeof items.total === 'number' && start >= items.total) return end('end');
    if (cards.size >= limit) break;
  }
  return end(start < lastStart ? 'more' : 'visitors');
}
