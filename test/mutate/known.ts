import type { Kind } from './changes/change.js';
import type { Breach } from './invariants.js';

/** Breaches that are known, by endpoint: what, where, and by which kinds of changes. */
type Known = Readonly<Record<string, readonly string[]>>;

/**
 * Addresses that pages name several times: a picture in other sizes, a file on other hosts, a page with and without its
 * query. Another of them is as right, where the unchanged pages hold it.
 */
const otherAddresses: Readonly<Record<string, readonly string[]>> = {
  'maps/photos': ['[].url'],
  'maps/reviews': ['[].photos[].url'],
  'pronetwork/posts': ['[].article.url'],
  'shortvideo/profile': ['[].avatar_url'],
  'shortvideo/search': ['[].cover_image_url', '[].play_url'],
  'shortvideo/video': ['[].cover_image_url', '[].play_url'],
  'shortvideo/videos': ['[].cover_image_url', '[].play_url'],
};

/** Whether a field is an address of which pages name several. */
export const hasOtherAddresses = (endpoint: string, path: string): boolean =>
  otherAddresses[endpoint]?.includes(path) ?? false;

/** Lists that the contract bars from null: where their place is not known, they are empty. */
const neverNull: Known = {
  'maps/place': [
    'empty list · [].opening_hours.weekday_text · shifted',
    'empty list · [].phone_numbers · cut, joined, shifted, swapped',
  ],
  'maps/places': ['empty list · [].categories · shifted'],
  'maps/reviews': ['empty list · [].photos · shifted'],
  'pronetwork/posts': ['empty list · [].images · renamed'],
};

/** Not mended yet: a page that changed like this gives a wrong or emptied value, or “not found”. New ones fail. */
const open: Known = {
  'maps/photos': ['foreign value · [].height · shifted', 'foreign value · [].width · shifted'],
  'maps/place': [
    'foreign value · [].about[].attributes[].name · shifted',
    'foreign value · [].about[].section · shifted',
    'foreign value · [].is_claimed · shifted',
    'foreign value · [].opening_hours.periods[].open.time · shifted',
    'foreign value · [].phone · shifted',
  ],
  'maps/places': [
    'foreign value · [].categories[] · swapped',
    'foreign value · [].formatted_address · swapped',
    'foreign value · [].location.lat · swapped',
    'foreign value · [].location.lng · swapped',
    'foreign value · [].name · swapped',
    'foreign value · [].opening_hours.periods[].close.day · shifted',
    'foreign value · [].opening_hours.periods[].close.time · shifted',
    'foreign value · [].opening_hours.periods[].open.day · shifted',
    'foreign value · [].opening_hours.periods[].open.time · shifted',
    'foreign value · [].phone · swapped',
    'foreign value · [].place_id · swapped',
    'foreign value · [].rating · swapped',
    'foreign value · [].user_ratings_total · shifted',
  ],
  'photosocial/hashtag': [
    'foreign value · [].comments_count · joined, swapped',
    'foreign value · [].like_count · joined, renamed, swapped',
    'foreign value · [].timestamp · joined, swapped',
  ],
  'photosocial/post': [
    'foreign value · [].like_count · renamed',
    'not found ·  · cut, joined, renamed, swapped',
  ],
  'photosocial/posts': [
    'empty list · [].children · renamed',
    'foreign value · [].like_count · renamed',
    'foreign value · [].media_type · renamed',
    'foreign value · [].username · joined, swapped',
  ],
  'photosocial/profile': [
    'empty list · [].bio_links · renamed',
    'foreign value · [].category · renamed',
    'foreign value · [].contact_buttons[].type · renamed',
    'foreign value · [].contact_buttons[].value · renamed',
    'foreign value · [].is_business_account · renamed',
    'not found ·  · cut, joined, renamed, swapped',
  ],
  'pronetwork/company': ['foreign value · [].description · renamed'],
  'pronetwork/jobs': [
    'empty list ·  · cut, swapped',
    'foreign value · [] · joined, swapped',
    'foreign value · [].company.name · joined, swapped',
    'foreign value · [].company.url · joined, swapped',
    'foreign value · [].description · joined, swapped',
    'foreign value · [].employment_type · joined, swapped',
    'foreign value · [].listed_at · cut, joined, renamed, script out, swapped',
    'foreign value · [].location · joined, swapped',
    'foreign value · [].salary.currency · joined, swapped',
    'foreign value · [].salary.max · joined, swapped',
    'foreign value · [].salary.min · joined, swapped',
    'foreign value · [].salary.period · joined, swapped',
    'foreign value · [].salary.text · joined, swapped',
    'foreign value · [].seniority_level · joined, swapped',
    'foreign value · [].title · joined, swapped',
    'foreign value · [].workplace_type · joined, swapped',
  ],
  'pronetwork/posts': [
    'empty list ·  · cut, renamed, script out, swapped',
    'foreign value · [].document.title · renamed',
    'foreign value · [].images[] · renamed',
    'foreign value · [].text · renamed',
    'foreign value · [].video.duration · joined',
    'foreign value · [].video.thumbnail_url · joined',
    'foreign value · [].video.url · joined',
  ],
  'pronetwork/profile': [
    'empty list · [].education · renamed, script out',
    'empty list · [].experience · renamed, script out',
    'foreign value · [].about · renamed',
    'foreign value · [].education[].degree · renamed',
    'foreign value · [].experience[].description · renamed',
    'foreign value · [].experience[].is_current · renamed',
    'foreign value · [].experience[].start_date · renamed',
  ],
  'shortvideo/profile': [
    'foreign value · [].follower_count · renamed',
    'foreign value · [].likes_count · renamed',
    'not found ·  · renamed',
  ],
  'shortvideo/search': ['foreign value · [].cover_image_url · joined, swapped'],
  'shortvideo/video': ['empty list · [].hashtag_names · renamed'],
  'shortvideo/videos': ['foreign value · [].cover_image_url · joined, swapped'],
};

/** Whether a breach is among those that are known. */
export function isKnown(endpoint: string, change: Kind, { kind, path }: Breach): boolean {
  return [neverNull, open].some((known) =>
    known[endpoint]?.some((row) => {
      const [what, where, kinds = ''] = row.split(' · ');
      return what === kind && where === path && kinds.split(', ').includes(change);
    }),
  );
}
