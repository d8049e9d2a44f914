import type { Platform } from '../platforms.js';

/** Pages that people paste and no endpoint reads: their paths, and what to give in their place. */
export const pagesWithoutEndpoint: Readonly<
  Record<Platform, readonly (readonly [path: RegExp, says: string])[]>
> = {
  maps: [
    [/^\/maps\/dir\//, 'These are directions between places: give the page of one of them.'],
    [/^\/(?:maps\/)?search\b/, 'This is a search: maps/places takes its words.'],
    [/^\/maps\/@/, 'This is a view of the map: click on the place, and take the URL then.'],
    [/^\/maps\/contrib\//, 'This is the page of a person who writes reviews, which no endpoint reads.'],
    [/^\/maps\/place\//, 'This URL names the place without its ID: maps/places finds a place by its name.'],
  ],
  pronetwork: [
    [/^\/(?:posts|feed\/update)\//, 'This is one post: pronetwork/posts reads those of its author.'],
    [/^\/pulse\//, 'This is an article, which no endpoint reads.'],
    [/^\/jobs\//, 'This is about jobs: pronetwork/jobs takes the words of a search.'],
    [
      /^\/(?:sales|talent|recruiter)\//,
      'This page stands behind a login: give the public page, /in/… or /company/….',
    ],
    [/^\/(?:pub|profile)\//, 'This is an old form of URL: open it, and give the one that begins with /in/.'],
  ],
  photosocial: [
    [/^\/(?:explore\/tags|popular)\//, 'This is a hashtag: photosocial/hashtag takes its name.'],
    [/^\/explore\/locations\//, 'This is the page of a location, which no endpoint reads.'],
    [/^\/(?:stories\/highlights|s)\//, 'This is a highlight, whose URL names no account: give the profile.'],
    [/^\/stories\//, 'This is a story, which only people with a login are shown.'],
    [/^\/reels?\/audio\//, 'This is the page of a sound, which no endpoint reads.'],
  ],
  shortvideo: [
    [/^\/(?:tag\/|discover\/|search)/, 'This is a hashtag or a search: shortvideo/search takes its words.'],
    [/^\/music\//, 'This is the page of a sound, which no endpoint reads.'],
    [/^\/@[^/]+\/(?:live|story)\b/, 'This is no video that stays: the platform shows it for a while.'],
    [/^\/@[^/]+\/(?:playlist|collection)\//, 'This is a list of videos: give one of them.'],
  ],
};
