import type { Kind } from './changes/change.js';
import type { Breach } from './invariants.js';

/** Breaches that are correct or cannot be detected, by endpoint: what it is, the field (`*` for all), and the kinds of changes. */
type KnownCases = Readonly<Record<string, readonly string[]>>;

/**
 * Addresses that pages name several times: a picture in other sizes, a file on other hosts, a page with and without its
 * query. Another of them is as correct, if the unchanged pages contain it.
 */
const otherAddresses: Readonly<Record<string, readonly string[]>> = {
  'maps/photos': ['[].url'],
  'maps/reviews': ['[].photos[].url'],
  'pronetwork/posts': ['[].article.url', '[].video.thumbnail_url'],
  'shortvideo/profile': ['[].avatar_url'],
  'shortvideo/search': ['[].cover_image_url', '[].play_url'],
  'shortvideo/video': ['[].cover_image_url', '[].play_url'],
  'shortvideo/videos': ['[].cover_image_url', '[].play_url'],
};

/** Whether a field is an address of which pages name several. */
export const hasOtherAddresses = (endpoint: string, path: string): boolean =>
  otherAddresses[endpoint]?.includes(path) ?? false;

/**
 * Lists that the contract bars from null, on pages that hold nothing else of them: what a second witness on the page
 * contradicts is refused.
 */
const neverNull: KnownCases = {
  // A place is answered from its thin page, which has no numbers, if the whole one cannot be read.
  'maps/place': ['empty list · [].phone_numbers · cut, joined, shifted, swapped, foreign block'],
  // A trimmed row has its categories once.
  'maps/places': ['empty list · [].categories · shifted'],
  // The pictures of this page from 2024 are on different hosts from today's.
  'maps/reviews': ['empty list · [].photos · shifted'],
  // A list that truncates posts shows one picture at most: the others are in the embed. The JSON-LD has none.
  'pronetwork/posts': ['empty list · [].images · cut, joined, renamed, swapped'],
  // The description names the school in a language other than the one requested.
  'pronetwork/profile': ['empty list · [].education · renamed, script out, foreign block'],
};

/** Values of a second source on the same page, which describes the same thing in other words or with less detail. */
const otherSources: KnownCases = {
  // Other pictures of the place, from the lists that replace its gallery: a separate row with its own size.
  'maps/photos': ['foreign value · [].height · shifted', 'foreign value · [].width · shifted'],
  // An account has several categories, and the first one present is returned.
  'photosocial/profile': ['foreign value · [].category · renamed'],
  // A post has a comment count next to each of its comment lists (2024).
  'photosocial/post': ['foreign value · [].comments_count · renamed'],
  // The page's description and that in its JSON-LD.
  'pronetwork/company': ['foreign value · [].description · renamed'],
  // The JSON-LD knows employers, not positions: their first day, and which of them is present. It has its own text about
  // the person.
  'pronetwork/profile': [
    'foreign value · [].about · renamed',
    'foreign value · [].experience[].is_current · renamed',
    'foreign value · [].experience[].start_date · renamed',
  ],
};

/**
 * Changes that produce a page which the platform also serves with another meaning, so the two are indistinguishable.
 */
const sameAsAnother: KnownCases = {
  'photosocial/posts': [
    // A post of the older shape whose kind has no name, and which has no children, is a picture.
    'empty list · [].children · renamed',
    'foreign value · [].media_type · renamed',
  ],
  'photosocial/profile': [
    // A phone number is a text, in whatever digits.
    'foreign value · [].contact_buttons[].value · digits',
    // Accounts before 2022 have one link at most, under another name.
    'empty list · [].bio_links · renamed',
    // A number of an account that says nothing of the way is called.
    'foreign value · [].contact_buttons[].type · renamed',
  ],
  // An invitation to claim a listing outweighs an owner, and shares its place with other data of 2023.
  'maps/place': ['foreign value · [].is_claimed · repeated'],
  // The list names its search once, above the rows; without rows it is a search that found nothing.
  'maps/places': ['foreign value · * · foreign rows, foreign block', 'empty list ·  · foreign rows'],
  // A page names its topic outside the block of its posts, and a topic may have none.
  'photosocial/hashtag': ['foreign value · * · foreign rows', 'empty list ·  · foreign rows'],
  // Fragments name no search (2024 to 2026). A list within a description is its text.
  'pronetwork/jobs': ['foreign value · * · joined, swapped', 'foreign value · [].description · repeated'],
  'pronetwork/posts': [
    // A company that hides its posts has a page without the section and the link to more; a person without posts, a
    // page without the list and its JSON-LD.
    'empty list ·  · renamed, script out',
    // A repost without text shows the original's.
    'foreign value · [].text · renamed',
  ],
  // The list of a keyword's page does not name the keyword (2026).
  'shortvideo/search': ['foreign value · * · swapped, foreign rows, foreign block'],
  // A school with one line of study says so without a mark until 2026.
  'pronetwork/profile': ['foreign value · [].education[].degree · renamed'],
};

/** Whether a breach is a known one. */
export function isKnown(endpoint: string, change: Kind, { kind, path }: Breach): boolean {
  return [neverNull, otherSources, sameAsAnother].some((exceptions) =>
    exceptions[endpoint]?.some((row) => {
      const [what, where, kinds = ''] = row.split(' · ');
      return what === kind && (where === path || where === '*') && kinds.split(', ').includes(change);
    }),
  );
}
