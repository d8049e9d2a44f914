import { defineEndpoint } from '../../endpoint.js';
import { pageUrl, text, twoLetters } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import { readDetail } from './detail.js';
import { sourceOfPlace } from './item-sources.js';
import { mapsPlaceDetail } from './objects.js';
import { fetchPlaceNode } from './place-page.js';
import { resolveFeatureId } from './resolve.js';
import { site } from './site.js';
import { keyOf, type PlaceKey } from './urls.js';

/** GET /maps/place */
export const place = defineEndpoint({
  path: 'maps/place',
  operation: 'get_place',
  summary: 'Google Maps place: hours, ratings by stars, busy hours, the About tab',
  description:
    'Reads the place’s page. `place_id` and most URLs need no extra request; a short link, or a URL with only a cid, needs one.\n\nThe platform sometimes serves a slim page: a rating without its count, one day of hours, no busy hours. It is requested once more; what is still missing is null, and the answer is cached only briefly. The price level is null if the page shows a price range.',
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
  async read({ identity, session }) {
    const id = await resolveFeatureId(session, identity.place as unknown as PlaceKey);
    const { answer, thin } = await fetchPlaceNode(session, id, identity.language);
    const data = readDetail(answer);
    return { data, sources: [sourceOfPlace(data)], brief: thin };
  },
});
