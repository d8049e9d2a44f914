import type { Endpoint } from '../../../lib/endpoint.js';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import type { Step } from '../../../lib/read/json.js';
import { type Knockout, type Knockouts, knockOut, withoutPaths } from '../../support/knockout.js';

type Paths = readonly (readonly Step[])[];

/** A data body without some paths, seen from `base`; other bodies come back as they are. */
const without =
  (...base: readonly Step[]) =>
  (...paths: Paths): Knockout['remove'] =>
  (text) =>
    text.startsWith(")]}'")
      ? `)]}'\n${withoutPaths(text.slice(4), ...paths.map((path) => [...base, ...path]))}`
      : text;

/** Replaces a number of the page. */
const changed =
  (from: string, to: string): Knockout['remove'] =>
  (text) =>
    text.replaceAll(from, to);

/** The fields that search and detail share, of nodes at `base`. */
function listing(remove: (...paths: Paths) => Knockout['remove']): Knockouts {
  return {
    place_id: { mandatory: true, remove: remove([78], [227], [10]) },
    name: { mandatory: true, remove: remove([11]) },
    categories: { becomes: [], remove: remove([13], [76]) },
    formatted_address: remove([39], [183]),
    location: remove([9]),
    'location.lat': { remove: remove([9, 2]), also: { location: null } },
    rating: remove([4, 7]),
    user_ratings_total: remove([4, 8], [4, 3]),
    website: remove([7]),
    opening_hours: remove([203, 0], [34, 1]),
    'opening_hours.open_now': remove([203, 1]),
    'opening_hours.weekday_text': { becomes: [], remove: remove([203, 0, '*', 0]) },
  };
}

const detail = without(6);
await knockOut(place as Endpoint, 'rich', {
  ...listing(detail),
  phone: { remove: detail([178]), also: { phone_numbers: [] } },
  phone_numbers: { becomes: [], remove: detail([178]), also: { phone: null } },
  // A state that is not known proves neither that it is open nor that it is in business.
  business_status: {
    remove: changed(',0,1,null,["Geöffnet', ',0,77,null,["Geöffnet'),
    also: { 'opening_hours.open_now': null },
  },
  rating_distribution: detail([175, 3], [52]),
  price_level: detail([4, 2], [4, 4]),
  popular_times: detail([84]),
  about: detail([100]),
  is_claimed: detail([57], [181], [227, 0, 6]),
});

const row = without(64, '*', 1);
await knockOut(places as Endpoint, 'rich: two pages', {
  ...listing(row),
  phone: row([178]),
  business_status: {
    remove: (text) => row([23])(text, '').replace(/,0,[15],null,\["(Open|Closed) ·/g, ',0,77,null,["$1 ·'),
    also: { 'opening_hours.open_now': null },
  },
});

const review = without(1, 10, 2, '*');
await knockOut(reviews as Endpoint, 'rich: two pages, an owner’s answer, photos, a partner’s rating', {
  rating: { mandatory: true, remove: review([1], [45]) },
  text: review([27]),
  language: review([26]),
  publish_time: { mandatory: true, remove: review([2, 2]) },
  author: { mandatory: true, remove: review([3]) },
  'author.name': { mandatory: true, remove: review([3, 0]) },
  'author.photo_url': review([3, 1]),
  'author.profile_url': review([3, 2]),
  'author.review_count': review([3, 3]),
  'author.is_local_guide': review([3, 5]),
  photos: { becomes: [], remove: review([14]) },
  owner_response: review([4, 2]),
});

const olderReview = without(6, 175, 9, 0, 0, '*', 0);
await knockOut(reviews as Endpoint, 'the list without its frame: rows of the place body', {
  rating: { mandatory: true, remove: olderReview([2, 0], [2, 8]) },
  text: olderReview([2, 15], [2, 1]),
  language: olderReview([2, 14], [2, 1]),
  publish_time: { mandatory: true, remove: olderReview([1, 2], [1, 3]) },
  author: { mandatory: true, remove: olderReview([1, 4]) },
  photos: { becomes: [], remove: olderReview([2, 2]) },
  owner_response: olderReview([3, 14]),
  'owner_response.publish_time': olderReview([3, 1], [3, 2]),
});

const photo = without(6, 105, 0, 1, 0, '*');
await knockOut(photos as Endpoint, 'rich: two pages, 360°, a video, Street View left out', {
  url: { mandatory: true, remove: photo([6, 0]) },
  width: { remove: photo([6, 2], [21, 2]), also: { height: null } },
  height: { remove: photo([6, 2], [21, 2]), also: { width: null } },
  uploader: photo([21, 4]),
  'uploader.profile_url': photo([21, 4, 1, 0, 1]),
});
