import { defineEndpoint } from '../../endpoint.js';
import { choice, pageUrl, text } from '../../params/vocabulary.js';
import type { Json } from '../../read/json.js';
import { listLadder } from '../../routes/ladder.js';
import { type MapsReview, mapsReview } from './objects.js';
import { placeSubject } from './place-subject.js';
import { type Sort, sorts } from './requests.js';
import { inlineReviewRows } from './routes/inline-reviews.js';
import { type ReviewSubject, reviewList } from './routes/review-list.js';
import { site } from './site.js';
import { keyOf } from './urls.js';

type Identity = { readonly place: Json; readonly sort: Sort };

export const reviews = defineEndpoint({
  path: 'maps/reviews',
  operation: 'get_place_reviews',
  summary: 'Google Maps reviews: of a place, with authors, photos and the owner’s replies',
  description:
    'Reads the review list of the search results, up to 60 reviews a request; further calls continue in them, so a page may have fewer than `limit` while there is a cursor. Sort orders other than `newest` end after about 800 reviews, and `coverage` says so. If the platform refuses the list, up to eight of the most relevant reviews come from the place’s page.\n\nThe list gives the time of a review to the second, but only the age of an owner’s reply, so `owner_response.publish_time` is null there. So are the sizes of photos.',
  credits: 3,
  cacheSeconds: 21_600,
  site,
  params: () => ({
    place_id: text('Place ID: ChIJ….'),
    url: pageUrl('URL of the place’s page, or a short link to it.'),
    sort: choice(sorts, 'Order of the reviews.').default('relevant'),
  }),
  exactlyOne: ['place_id', 'url'],
  page: { max: 20 },
  returns: mapsReview,
  many: true,
  columns: [
    'rating',
    'text',
    'author.name',
    'publish_time',
    'language',
    'owner_response.text',
    'author.review_count',
    'author.is_local_guide',
  ],
  identify: ({ place_id, url, sort = 'relevant' }) => ({ place: keyOf(place_id, url) as Json, sort }),
  ladder: listLadder<Identity, MapsReview, ReviewSubject>({
    resolve: placeSubject,
    routes: [reviewList, inlineReviewRows],
  }),
});
