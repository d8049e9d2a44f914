import { defineEndpoint } from '../../endpoint.js';
import { pageUrl, text } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import { listLadder } from '../../routes/ladder.js';
import { type MapsPhoto, mapsPhoto } from './objects.js';
import { type PlaceSubject, placeSubject } from './place-subject.js';
import { gallery } from './routes/gallery.js';
import { site } from './site.js';
import { keyOf } from './urls.js';

export const photos = defineEndpoint({
  path: 'maps/photos',
  operation: 'get_place_photos',
  summary: 'Google Maps photos: of a place, with sizes in pixels',
  description:
    'The first 20 or so come from the place’s page, later ones from the gallery, which the platform often closes to logged-out visitors: the list then ends, and `coverage` says how many of the photos you got. Street View is omitted; for a video you get its still image.\n\nThe gallery does not say who took a photo, so `uploader` is usually null.',
  credits: 2,
  cacheSeconds: 86_400,
  site,
  params: () => ({
    place_id: text('Place ID: ChIJ….'),
    url: pageUrl('URL of the place’s page, or a short link to it.'),
  }),
  exactlyOne: ['place_id', 'url'],
  page: { max: 20 },
  returns: mapsPhoto,
  many: true,
  columns: ['width', 'height', 'uploader.name', 'url'],
  identify: ({ place_id, url }) => ({ place: keyOf(place_id, url) as Json }),
  ladder: listLadder<{ readonly place: Json }, MapsPhoto, PlaceSubject>({
    resolve: placeSubject,
    routes: [gallery],
  }),
});
