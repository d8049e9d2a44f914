import { textOrNull } from '../../read/convert.js';
import type { Json } from '../../read/json.js';
import { at } from '../../read/json.js';
import type { Part, RouteContext } from '../../routes/route.js';
import { ask, isOutcome } from '../../routes/walk.js';
import { sourceOfJob } from './item-sources.js';
import type { JobCard } from './job-list.js';
import type { PronetworkJob } from './objects.js';
import { placeOf, typeahead } from './routes/typeahead.js';
import { namesAny } from './search-words.js';
import type { Suggestion } from './suggestions.js';
import type { JobSearch } from './urls.js';

export type JobQuery = {
  readonly query: string;
  readonly location: string | null;
  readonly workplace: NonNullable<PronetworkJob['workplace_type']> | null;
  readonly days: number | null;
};

const daySeconds = 86_400;

/** `f_WT` of the guest interface. */
const workplaces = { 'on-site': '1', remote: '2', hybrid: '3' } as const;

/**
 * Returns the place of an earlier part, else the platform's suggestion. Null if it knows no such place; undefined if it
 * was not asked or did not answer.
 */
async function placeIn({
  identity,
  part,
  session,
  overrides,
}: RouteContext<JobQuery>): Promise<Suggestion | null | undefined> {
  const { location } = identity;
  if (location === null) return undefined;
  const [id, name] = [textOrNull(at(part, 'place', 'id')), textOrNull(at(part, 'place', 'name'))];
  if (id !== null && name !== null) return { id, name };
  if (part !== null) return at(part, 'place') === null ? null : undefined;
  try {
    const places = await ask(typeahead, { identity: location, limit: 1, part: null, session, overrides });
    return placeOf(location, places);
  } catch (error) {
    if (!isOutcome(error) || error.scope === 'address') throw error;
    return undefined;
  }
}

/** Returns a search in the platform's form, and the place that its cursors carry. */
export async function searchOf(context: RouteContext<JobQuery>) {
  const { query, location, workplace, days } = context.identity;
  const place = await placeIn(context);
  const search: JobSearch = {
    keywords: query,
    location: place?.name ?? location,
    geo: place?.id ?? null,
    workplace: workplace === null ? null : workplaces[workplace],
    seconds: days === null ? null : days * daySeconds,
  };
  return { search, place: place === undefined ? {} : { place: place && { ...place } } };
}

/** A response with rows: its date, and the requested place. */
interface PlaceResponse {
  readonly answeredAt: string | undefined;
  /** Null if the platform knows no such place. */
  readonly place?: Suggestion | null | undefined;
}

/**
 * Returns the filters that had no effect. The platform ignores the workplace type for visitors (2026-08, seven
 * clients), and returns jobs of any country for a place it does not know. Days are measured from the response's own
 * date, because jobs only have a day.
 */
export function ignoredBy(
  { location, workplace, days }: JobQuery,
  jobs: readonly PronetworkJob[],
  { place, answeredAt }: PlaceResponse,
) {
  const now = Date.parse(answeredAt ?? '');
  const isOld = ({ listed_at }: PronetworkJob) =>
    days !== null && listed_at !== null && now - Date.parse(listed_at) > (days + 1) * daySeconds * 1000;
  const isElsewhere = place === null && !jobs.some((job) => namesAny(job.location ?? '', location ?? ''));
  return [
    ...(isElsewhere && jobs.length > 0 ? ['location'] : []),
    ...(workplace === null ? [] : ['workplace_type']),
    ...(jobs.some(isOld) ? ['posted_within_days'] : []),
  ];
}

export function jobPart(
  query: JobQuery,
  jobs: readonly JobCard[],
  {
    next = null,
    answeredAt,
    place,
    ...rest
  }: { next?: Json } & PlaceResponse & Omit<Part<PronetworkJob>, 'items' | 'next' | 'ignored'>,
): Part<PronetworkJob> {
  return {
    // A list only has the day.
    items: jobs.map((one) => ({ item: one.job, source: sourceOfJob(one), partial: ['listed_at'] })),
    next,
    ignored: ignoredBy(
      query,
      jobs.map(({ job }) => job),
      { answeredAt, place },
    ),
    ...rest,
  };
}
