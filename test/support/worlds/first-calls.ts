import { account, commentedPost, ownPost, tag } from './photosocial.js';
import type { WorldName } from './place.js';
import { company, jobQuery } from './pronetwork.js';
import { profileAccount, singleVideo } from './shortvideo.js';

/** What comes of a call: how it is refused, or which fields none of its items has, and what it takes. */
interface Outcome {
  readonly refused?: string;
  readonly nulls?: readonly string[];
  readonly requests: number;
  readonly seconds: number;
}

/** The first call of a new user, by endpoint, with what comes of it in each world. A search has a word and words. */
type FirstCall = { readonly path: string; readonly args: readonly string[] } & Readonly<
  Record<WorldName, Outcome>
>;

export const firstCalls: readonly FirstCall[] = [
  {
    path: 'maps/places',
    args: ['bakery in Graz'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
  {
    path: 'maps/place',
    args: ['--place-id', 'ChIJtjc9rEc1bkcRzq9EdYiTlqE', '--language', 'de'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { requests: 2, seconds: 1, nulls: [] },
  },
  {
    path: 'maps/reviews',
    args: ['--place-id', 'ChIJtjc9rEc1bkcRzq9EdYiTlqE'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
  {
    path: 'maps/photos',
    args: ['--place-id', 'ChIJtjc9rEc1bkcRzq9EdYiTlqE'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
  {
    path: 'pronetwork/profile',
    args: ['--vanity-name', 'ilse-brandvik'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { refused: 'platform_blocked', requests: 1, seconds: 0 },
  },
  {
    path: 'pronetwork/company',
    args: ['--vanity-name', company],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { refused: 'platform_blocked', requests: 1, seconds: 0 },
  },
  {
    path: 'pronetwork/posts',
    args: ['--profile-url', 'https://se.linkedin.com/in/%C3%A5sa_bj%C3%B6rkn%C3%A4s'],
    home: { requests: 7, seconds: 16, nulls: ['document', 'repost_count'] },
    datacentre: { refused: 'platform_blocked', requests: 1, seconds: 0 },
  },
  {
    path: 'pronetwork/jobs',
    args: ['--query', jobQuery],
    home: { requests: 30, seconds: 81, nulls: [] },
    datacentre: { requests: 30, seconds: 81, nulls: [] },
  },
  {
    path: 'photosocial/profile',
    args: ['--username', account],
    home: { requests: 2, seconds: 0, nulls: ['contact_buttons'] },
    datacentre: {
      requests: 5,
      seconds: 6,
      nulls: [
        'biography',
        'bio_links',
        'follows_count',
        'is_verified',
        'is_business_account',
        'category',
        'contact_buttons',
      ],
    },
  },
  {
    path: 'photosocial/posts',
    args: ['--username', account],
    home: { requests: 3, seconds: 0, nulls: [] },
    datacentre: { requests: 5, seconds: 6, nulls: ['view_count'] },
  },
  {
    path: 'photosocial/post',
    args: ['--shortcode', ownPost],
    home: { requests: 2, seconds: 0, nulls: ['view_count', 'is_paid_partnership'] },
    datacentre: { requests: 5, seconds: 6, nulls: ['timestamp', 'is_paid_partnership'] },
  },
  {
    path: 'photosocial/comments',
    args: ['--shortcode', commentedPost(0)],
    home: { requests: 2, seconds: 0, nulls: ['reply_count', 'parent_id'] },
    datacentre: { refused: 'platform_login_required', requests: 5, seconds: 9 },
  },
  {
    path: 'photosocial/hashtag',
    args: ['--tag', tag],
    home: { requests: 3, seconds: 3, nulls: ['is_paid_partnership'] },
    datacentre: { refused: 'platform_login_required', requests: 3, seconds: 6 },
  },
  {
    path: 'shortvideo/profile',
    args: ['--username', profileAccount(1)],
    home: { requests: 3, seconds: 3, nulls: ['bio_url'] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
  {
    path: 'shortvideo/videos',
    args: ['--username', 'mira.kettle'],
    home: { requests: 8, seconds: 18, nulls: ['favorites_count'] },
    datacentre: { requests: 13, seconds: 18, nulls: [] },
  },
  {
    path: 'shortvideo/video',
    args: ['--id', singleVideo],
    home: { requests: 2, seconds: 0, nulls: ['favorites_count'] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
  {
    path: 'shortvideo/comments',
    args: ['--id', '7571000000000000201'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
  {
    path: 'shortvideo/search',
    args: ['--query', '#Harbour'],
    home: { requests: 7, seconds: 15, nulls: ['favorites_count'] },
    datacentre: { requests: 11, seconds: 15, nulls: [] },
  },
  {
    path: 'shortvideo/search',
    args: ['--query', 'Harbour at night'],
    home: { requests: 1, seconds: 0, nulls: [] },
    datacentre: { requests: 1, seconds: 0, nulls: [] },
  },
];
