import { defineEndpoint } from '../../endpoint.js';
import { ExtractError } from '../../errors/extract-error.js';
import { integer, number, text, twoLetters } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import { fetchPastConsent } from './fetch-past-consent.js';
import { sourceOfPlace } from './item-sources.js';
import { readListing } from './listing.js';
import { type MapsPlace, mapsPlace } from './objects.js';
import { type Camera, searchPage, searchRequest } from './requests.js';
import { retryThinPage } from './retry-thin-page.js';
import { sampleTown } from './sample-town.js';
import { searchNodes } from './search-rows.js';
import { site } from './site.js';
import { areThin } from './thin-page.js';

/** A point on earth, in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

const earthRadius = 6_371_010;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Metres between two points on a sphere (haversine). */
export function distance(one: Point, other: Point): number {
  const lat = Math.sin(radians(other.lat - one.lat) / 2);
  const lng = Math.sin(radians(other.lng - one.lng) / 2);
  const chord = lat * lat + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * lng * lng;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Where a page of the listing begins. The row the platform's page begins at, and how many of it were given. */
interface Position {
  readonly offset: number;
  readonly skip: number;
}

/** Results beyond this are repeats (2026-09); it also bounds a search whose results all lie outside the radius. */
const lastOffset = 300;

function cameraOf({ lat, lng, radius_m }: Partial<Record<'lat' | 'lng' | 'radius_m', number | undefined>>) {
  if (lat === undefined && lng === undefined) return null;
  if (lat === undefined || lng === undefined) {
    const [given, lacking] = lat === undefined ? ['lng', 'lat'] : ['lat', 'lng'];
    throw new ExtractError(
      'missing_parameter',
      `The parameter ${given} requires ${lacking}: give both or neither.`,
    );
  }
  return { lat, lng, radius: radius_m ?? 5000 };
}

/** The camera only draws the answer near; what is farther off than asked for is left out here. */
function withinRadius(places: readonly MapsPlace[], camera: Camera | null): readonly MapsPlace[] {
  if (camera === null) return places;
  return places.filter(({ location }) => location !== null && distance(location, camera) <= camera.radius);
}

/** GET /maps/places */
export const places = defineEndpoint({
  path: 'maps/places',
  operation: 'search_places',
  summary: 'Google Maps search: places with address, rating, phone, website, hours',
  description:
    'Uses the platform’s own search. With `lat` and `lng`, places farther away than `radius_m` are left out, so a page may hold fewer than `limit`: continue while there is a cursor. Without them, the platform picks the region from the query, the country and the location of the request. Results end after 20 to 300 places.\n\nThe platform sometimes serves slim rows, without rating counts or with one day of hours. They are requested once more; what is still missing is null.',
  credits: 3,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    query: text('What to search for, such as “coffee in Athens”.'),
    lat: number(-90, 90, 'Latitude of the centre of the area; requires lng.').optional(),
    lng: number(-180, 180, 'Longitude of the centre of the area; requires lat.').optional(),
    radius_m: integer(100, 50_000, 'Radius of the area in metres, with lat and lng.').default(5000),
    country: twoLetters('Country whose format phone numbers and addresses follow.').optional(),
    language: twoLetters('Language of names, categories and hours.').default('en'),
  }),
  page: { max: searchPage },
  returns: mapsPlace,
  many: true,
  columns: [
    'name',
    'rating',
    'user_ratings_total',
    'formatted_address',
    'categories',
    'phone',
    'website',
    'opening_hours.open_now',
    'business_status',
    'place_id',
  ],
  identify: ({ query = '', country = null, language = 'en', ...area }) => ({
    query: query.replace(/\s+/g, ' ').toWellFormed(),
    area: cameraOf(area) as Json,
    country,
    language,
  }),
  inventPages: (samples, { query }, identity) =>
    sampleTown(samples, String(query), { ...identity, area: identity.area as unknown as Camera | null }),
  async read({ identity, limit, position, session }) {
    const { query, country, language } = identity;
    const camera = identity.area as unknown as Camera | null;
    const { offset, skip } = (position ?? { offset: 0, skip: 0 }) as unknown as Position;
    const request = searchRequest(query, language, country, camera, offset);
    const { answer, thin } = await retryThinPage(
      async () => searchNodes(await fetchPastConsent(session, request), query),
      ({ nodes }) => areThin(nodes),
    );
    const { nodes, emptyProof } = answer;
    const listed = nodes.map(readListing);
    const matching = withinRadius(listed, camera);
    // A place that says where it is may lie outside; one that does not say proves nothing.
    const leftOut = listed.filter(({ location }) => camera === null || location !== null).length;
    const data = matching.slice(skip, skip + limit);
    const next: Position | null =
      skip + limit < matching.length
        ? { offset, skip: skip + limit }
        : nodes.length < searchPage || offset + searchPage >= lastOffset
          ? null
          : { offset: offset + searchPage, skip: 0 };
    return {
      data,
      sources: data.map(sourceOfPlace),
      ids: data.map(({ place_id }) => place_id),
      next: next as Json,
      brief: thin,
      emptyProof: { ...emptyProof, leftOut },
    };
  },
});
