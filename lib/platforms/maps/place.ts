import { defineEndpoint } from '../../endpoint.js';
import { pageUrl, text, twoLetters } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import { readDetail } from './detail.js';
import { mapsPlaceDetail } from './objects.js';
import { fetchPlaceNode } from './place-page.js';
import { resolveFeatureId } from './resolve.js';
import { site } from './site.js';
import { keyOf, type PlaceKey } from './urls.js';

/** GET /maps/place */
export const place = defineEndpoint({
  path: 'maps/place',
  operation: 'get_place',
  summary: 'One place with all its page shows: hours, ratings by stars, busy hours, the About tab',
  description:
    'Read from the body of the place’s page. `place_id` and most addresses are understood offline; a short link and an address with only a cid take one request more.\n\nThe platform at times serves a slim body: a rating without its count, one day of hours, no busy hours. It is asked for once more and then given with nulls, and such an answer is cached only briefly. The price level is null where the page shows a price range.',
  credits: 3,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    place_id: text('Identifier of the place: ChIJ….'),
    url: pageUrl('Address of the place’s page, or a short link to it.'),
    language: twoLetters('Language of names, categories and hours.').default('en'),
  }),
  exactlyOne: ['place_id', 'url'],
  returns: mapsPlaceDetail,
  many: false,
  identify: ({ place_id, url, language = 'en' }) => ({ place: keyOf(place_id, url) as Json, language }),
  async read({ identity, session }) {
    const id = await resolveFeatureId(session, identity.place as unknown as PlaceKey);
    const { answer, thin } = await fetchPlaceNode(session, id, identity.language);
    return { data: readDetail(answer), brief: thin };
  },
});
