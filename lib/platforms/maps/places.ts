import { defineEndpoint } from '../../endpoint.js';
import { integer, number, text, twoLetters } from '../../params/vocabulary.js';
import { listLadder } from '../../routes/ladder.js';
import { type MapsPlace, mapsPlace } from './objects.js';
import { searchPage } from './requests.js';
import { search } from './routes/search.js';
import { searchPageLink } from './routes/search-page.js';
import { sampleTown } from './sample-town.js';
import { cameraOf, type SearchSubject } from './search-subject.js';
import { site } from './site.js';

export const places = defineEndpoint({
  path: 'maps/places',
  operation: 'search_places',
  summary: 'Google Maps search: places with address, rating, phone, website, hours',
  description:
    'Uses the platform’s own search. With `lat` and `lng`, places farther away than `radius_m` are omitted, so a page may have fewer than `limit`: continue while there is a cursor. Without them, the platform picks the region from the query, the country and the location of the request. Results end after 20 to 300 places.\n\nThe platform sometimes serves slim rows, without rating counts or with one day of hours. They are requested once more; what is still missing is null.',
  credits: 3,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    query: text('What to search for, such as “coffee in Athens”.'),
    lat: number(-90, 90, 'Latitude of the centre of the area; requires lng.').optional(),
    lng: number(-180, 180, 'Longitude of the centre of the area; requires lat.').optional(),
    radius_m: integer(100, 50_000, 'Radius of the area in metres, with lat and lng.').default(5000),
    country: twoLetters('Country for the format of phone numbers and addresses.').optional(),
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
  identify: ({ query = '', country = null, language = 'en', ...area }): SearchSubject => ({
    query: query.replace(/\s+/g, ' ').toWellFormed(),
    area: cameraOf(area),
    country,
    language,
  }),
  inventPages: (samples, { query }, identity) => sampleTown(samples, query, identity),
  ladder: listLadder<SearchSubject, MapsPlace>({ routes: [search, searchPageLink] }),
});
