import type { Platform } from '../platforms.js';

/** The search that a page shows: its endpoint, and the words. */
interface ShownSearch {
  readonly endpoint: string;
  readonly words: (url: URL) => string | null;
}

const partOf = (at: number) => (url: URL) => {
  const part = url.pathname.split('/').filter((one) => one !== '')[at];
  // Never throws, and decodes a query and a path alike.
  return part === undefined ? null : new URLSearchParams(`words=${part}`).get('words');
};
const unslugged = (url: URL) => partOf(1)(url)?.replaceAll('-', ' ') ?? null;
const queryOf = (name: string) => (url: URL) => url.searchParams.get(name);

/** A page that no endpoint reads: its path, what to use instead, and the search that it shows. */
export type UnreadPage = readonly [path: RegExp, says: string, shows?: ShownSearch];

const shows = (path: RegExp, what: string, endpoint: string, words: ShownSearch['words']): UnreadPage => [
  path,
  `This is ${what}: ${endpoint} takes its ${what === 'a hashtag' ? 'name' : 'words'}.`,
  { endpoint, words },
];

/** Pages that no endpoint reads although people paste them. */
export const pagesWithoutEndpoint: Readonly<Record<Platform, readonly UnreadPage[]>> = {
  maps: [
    [/^\/maps\/dir\//, 'These are directions between places: give the page of one of them.'],
    shows(/^\/maps\/search\b/, 'a search', 'maps/places', partOf(2)),
    shows(/^\/search\b/, 'a search', 'maps/places', queryOf('q')),
    [/^\/maps\/@/, 'This is a view of the map: click on the place, and take the URL then.'],
    [/^\/maps\/contrib\//, 'This is the page of a person who writes reviews, which no endpoint reads.'],
    [/^\/maps\/place\//, 'This URL names the place without its ID: maps/places finds a place by its name.'],
  ],
  pronetwork: [
    [/^\/(?:posts|feed\/update)\//, 'This is one post: pronetwork/posts reads the posts of its author.'],
    [/^\/pulse\//, 'This is an article, which no endpoint reads.'],
    [
      /^\/jobs\//,
      'This is about jobs: pronetwork/jobs takes the words of a search.',
      { endpoint: 'pronetwork/jobs', words: queryOf('keywords') },
    ],
    [
      /^\/(?:sales|talent|recruiter)\//,
      'This page requires a login: use the public page, /in/… or /company/….',
    ],
    [
      /^\/(?:pub|profile)\//,
      'This is an old form of URL: open it, and use the URL that it leads to, which begins with /in/.',
    ],
  ],
  photosocial: [
    shows(/^\/explore\/tags\//, 'a hashtag', 'photosocial/hashtag', partOf(2)),
    shows(/^\/popular\//, 'a hashtag', 'photosocial/hashtag', unslugged),
    [/^\/explore\/locations\//, 'This is the page of a location, which no endpoint reads.'],
    [/^\/(?:stories\/highlights|s)\//, 'This is a highlight, whose URL names no account: give the profile.'],
    [/^\/stories\//, 'This is a story, which only people with a login are shown.'],
    [/^\/reels?\/audio\//, 'This is the page of a sound, which no endpoint reads.'],
  ],
  shortvideo: [
    shows(/^\/tag\//, 'a hashtag or a search', 'shortvideo/search', partOf(1)),
    shows(/^\/discover\//, 'a hashtag or a search', 'shortvideo/search', unslugged),
    shows(/^\/search/, 'a hashtag or a search', 'shortvideo/search', queryOf('q')),
    [/^\/music\//, 'This is the page of a sound, which no endpoint reads.'],
    [/^\/@[^/]+\/(?:live|story)\b/, 'This video is temporary and cannot be read.'],
    [/^\/@[^/]+\/(?:playlist|collection)\//, 'This is a list of videos: give one of them.'],
  ],
};
