import { defineEndpoint } from '../../endpoint.js';
import { pageUrl, text, twoLetters } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import { objectLadder } from '../../routes/ladder.js';
import type { ObjectReading } from '../../routes/route.js';
import type { PageSession } from '../../web/page-source.js';
import { type MapsPlaceDetail, mapsPlaceDetail } from './objects.js';
import { placeSubject } from './place-subject.js';
import { focusedSearch } from './routes/focused-search.js';
import { type PlaceInLanguage, placeData } from './routes/place-data.js';
import { ratingCounts } from './routes/rating-counts.js';
import { site } from './site.js';
import { keyOf } from './urls.js';

type Identity = { readonly place: Json; readonly language: string };

/** A browser only sends the requests of its pages. */
const isThin = ({ brief }: ObjectReading<MapsPlaceDetail>, { runsPages }: PageSession) =>
  brief === true && runsPages !== true;

const isThinAndRated = (details: ObjectReading<MapsPlaceDetail>, session: PageSession) =>
  details.data.rating !== null && isThin(details, session);

export const place = defineEndpoint({
  path: 'maps/place',
  operation: 'get_place',
  summary: 'Google Maps place: hours, ratings by stars, busy hours, the About tab',
  description:
    'Reads the place’s page. `place_id` and most URLs need no extra request; a short link, or a URL with only a cid, needs one.\n\nThe platform sometimes serves a slim page: a rating without its count, one day of hours, no busy hours. It is requested again, immediately and after three seconds. Then the ratings are counted by the call behind the page’s histogram, and the place is searched by its name and address. What is still missing is null, and the answer is cached only briefly. The price level is null if the page shows a price range.',
  credits: 3,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    place_id: text('Place ID: ChIJ….'),
    url: pageUrl('URL of the place’s page, or a short link to it.'),
    language: twoLetters('Language of names, categories and hours.').default('en'),
  }),
  exactlyOne: ['place_id', 'url'],
  returns: mapsPlaceDetail,
  many: false,
  identify: ({ place_id, url, language = 'en' }) => ({ place: keyOf(place_id, url) as Json, language }),
  ladder: objectLadder<Identity, MapsPlaceDetail, PlaceInLanguage>({
    resolve: placeSubject,
    routes: [placeData],
    completes: [
      { route: ratingCounts, fields: ['user_ratings_total', 'rating_distribution'], when: isThinAndRated },
      { route: focusedSearch, fields: ['user_ratings_total', 'opening_hours'], when: isThin },
    ],
  }),
});
