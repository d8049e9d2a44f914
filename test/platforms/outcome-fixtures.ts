import type { Outcome } from '../../lib/errors/outcomes.js';
import type { Platform } from '../../lib/platforms.js';

type OfEachPlatform = Readonly<Record<Platform, readonly string[]>>;

/** The error page with status 200 is one platform's alone (2026-11). */
type OutcomeFixtures = Readonly<
  Record<Exclude<Outcome, 'error_route'>, OfEachPlatform> & { error_route: Partial<OfEachPlatform> }
>;

/** The fixtures of each row of the table of outcomes: an endpoint and the name of one of its cases. */
export const outcomeFixtures: OutcomeFixtures = {
  subject_without_data: {
    maps: ['place: the id of the place and nothing of it'],
    pronetwork: [
      'profile: the page of the person with an empty body',
      'company: the page of the company with an empty body',
      'posts: the page of the person with an empty body',
    ],
    photosocial: [
      'post: head alone: a kind that the head does not tell',
      'posts: the account is there, and its posts are withheld',
      'comments: the post is there, and its comments are withheld',
      'hashtag: the tag is there, and its posts are withheld',
    ],
    shortvideo: [
      'profile: the name of the account and nothing of it',
      'video: the id of the video and nothing of it',
      'videos: videos that are not listed',
      'comments: none listed of those there are',
      'search: a hashtag whose videos are not listed',
    ],
  },
  error_route: {
    photosocial: [
      'profile: the error page with status 200, and no second source: refused, not missing',
      'posts: the error page with status 200, and no second source: refused, not missing',
      'post: the error page with status 200, and no second source: refused, not missing',
      'comments: the error page with status 200, and no second source: refused, not missing',
      'hashtag: the error page with status 200, and no second source: refused, not missing',
    ],
  },
  shell: {
    maps: [
      'place: shell of the page in place of data',
      'places: a page in place of data',
      'place: empty page',
      'reviews: empty list',
    ],
    pronetwork: ['profile: almost nothing', 'profile: empty page', 'company: empty page'],
    photosocial: ['profile: neither route nor data', 'posts: neither route nor data', 'comments: empty page'],
    shortvideo: [
      'profile: data script without the scope: soft throttle',
      'video: the page for phones without the item',
      'videos: a page with neither data nor subject',
      'comments: empty page',
    ],
  },
  login_wall: {
    maps: ['place: sign-in page', 'place: limited view of the page of a cid'],
    pronetwork: [
      'profile: sign-in wall by its address',
      'profile: sign-in wall by its page key',
      'profile: sign-up page',
      'company: led to the login page',
      'posts: sign-in wall',
      'jobs: sign-in wall',
    ],
    photosocial: ['profile: login wall', 'post: led to the login page', 'posts: asked to wait or log in'],
    shortvideo: ['profile: login wall', 'video: login wall', 'comments: login wall', 'search: login wall'],
  },
  challenge: {
    maps: [
      'place: captcha',
      'places: captcha',
      'place: consent wall without a form to reject',
      'place: refused',
    ],
    pronetwork: [
      'profile: script challenge',
      'profile: challenge by its address',
      'profile: captcha',
      'profile: refused with 999',
    ],
    photosocial: ['profile: challenge', 'hashtag: challenge', 'posts: refused'],
    shortvideo: ['profile: waiting-room challenge', 'video: captcha', 'comments: a captcha by its header'],
  },
  unknown_layout: {
    maps: [
      'place: body without a place',
      'place: body that is not a list',
      'place: request no longer understood',
    ],
    pronetwork: [
      'profile: layout without a name',
      'company: layout without a name',
      'jobs: a list that is none',
    ],
    photosocial: [
      'profile: data under a name that is not known',
      'post: data under a name that is not known',
      'posts: a route that is not known',
    ],
    shortvideo: [
      'profile: data under a scope that is not known',
      'video: data under scopes that are not known',
      'videos: state without the entry',
      'comments: an answer without its list',
    ],
  },
  error_page: {
    maps: ['place: fault of the platform', 'place: error report in place of data'],
    pronetwork: ['profile: fault of the platform', 'jobs: fault of the platform'],
    photosocial: ['profile: fault of the platform', 'post: fault of the platform'],
    shortvideo: ['profile: fault of the platform', 'video: a fault by its code'],
  },
  slow_down: {
    maps: ['place: too many requests', 'place: led to the page about unusual traffic'],
    pronetwork: ['profile: too many requests', 'posts: too many requests'],
    photosocial: [
      'profile: too many requests',
      'profile: the right page without its data, from every source',
      'post: the right page without its data, from every source',
    ],
    shortvideo: ['profile: too many requests', 'search: too many requests'],
  },
};
