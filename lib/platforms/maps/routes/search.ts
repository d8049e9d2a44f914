import type { Json } from '../../../read/json.js';
import type { Part, Route, RouteContext } from '../../../routes/route.js';
import type { PageRequest } from '../../../web/page-source.js';
import { fetchPastConsent } from '../fetch-past-consent.js';
import { sourceOfPlace } from '../item-sources.js';
import { readListing } from '../listing.js';
import type { MapsPlace } from '../objects.js';
import { searchPage, searchRequest } from '../requests.js';
import { retryThinPage } from '../retry-thin-page.js';
import { type SearchRows, searchNodes } from '../search-rows.js';
import { type SearchSubject, withinRadius } from '../search-subject.js';
import { areThin } from '../thin-page.js';

/** A position in the list: the first row of the platform's page, and how many of its rows were returned. */
interface Position {
  readonly offset: number;
  readonly skip: number;
}

/** Results after this are repeats (2026-09); also bounds a search whose results are all outside the radius. */
const lastOffset = 300;

/** Fetches a search, once more if its rows are thin or one is null. */
export const fetchSearch = (
  { session }: Pick<RouteContext<unknown>, 'session'>,
  request: PageRequest,
  query: string,
) =>
  retryThinPage(
    async () => searchNodes(await fetchPastConsent(session, request), query),
    ({ nodes, lost }) => lost > 0 || areThin(nodes),
  );

export function partOfSearch(
  { nodes, length, emptyProof }: SearchRows,
  { area }: SearchSubject,
  { offset, skip }: Position,
  limit: number,
): Part<MapsPlace> {
  const listed = nodes.map(readListing);
  const matching = withinRadius(listed, area);
  // Without a location, it is unknown whether a place is outside the area.
  const leftOut = listed.filter(({ location }) => area === null || location !== null).length;
  const next: Position | null =
    skip + limit < matching.length
      ? { offset, skip: skip + limit }
      : length < searchPage || offset + searchPage >= lastOffset
        ? null
        : { offset: offset + searchPage, skip: 0 };
  return {
    items: matching.slice(skip, skip + limit).map((item) => ({ item, source: sourceOfPlace(item) })),
    next: next as Json,
    emptyProof: { ...emptyProof, leftOut },
    ended: length < searchPage ? 'unknown' : 'visitors',
  };
}

/** The results that the map requests. */
export const search: Route<SearchSubject, Part<MapsPlace>> = {
  name: 'search',
  reads: 'The results that the map requests, 20 at a time.',
  surface: 'page',
  seen: { month: '2026-08', from: [] },
  fills: { user_ratings_total: 'some' },
  async read({ identity, limit, part, session }) {
    const { query, language, country, area } = identity;
    const at = (part ?? { offset: 0, skip: 0 }) as unknown as Position;
    const request = searchRequest(query, language, country, area, at.offset);
    const { answer, thin } = await fetchSearch({ session }, request, query);
    return { ...partOfSearch(answer, identity, at, limit), brief: thin };
  },
};
