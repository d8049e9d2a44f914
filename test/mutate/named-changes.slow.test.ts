import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { breachesOf } from './invariants.js';
import { isKnown } from './known.js';
import { answerOf, type Subject, subjectsOf } from './subject.js';

// Changes to several places at once that produced an empty list or another subject's data (2026-11). Each runs on every
// case of the fixtures that it applies to.

type Tree = unknown[];
type Change = (page: string) => string;

const guard = /^\)\]\}'\s*/;

/** A change of the JSON of a maps answer; other texts stay as they are. */
const inBody =
  (change: (root: Tree) => void): Change =>
  (page) => {
    const [head] = guard.exec(page) ?? [];
    if (head === undefined) return page;
    let root: Tree;
    try {
      root = JSON.parse(page.slice(head.length)) as Tree;
    } catch {
      return page;
    }
    const before = JSON.stringify(root);
    change(root);
    return JSON.stringify(root) === before ? page : head + JSON.stringify(root);
  };

/** Returns the list at a path, or a new empty one. */
function listAt(root: unknown, ...path: readonly number[]): Tree {
  let node = root;
  for (const step of path) node = Array.isArray(node) ? (node as Tree)[step] : undefined;
  return Array.isArray(node) ? (node as Tree) : [];
}
const moveEach = (rows: Tree) => {
  for (const row of rows) if (Array.isArray(row) && row.length > 0) (row as Tree).unshift(null);
};

const placeNode = 6;
/** Review rows in a place's body, and the two pages of its gallery. */
const inlineReviews = [placeNode, 175, 9, 0, 0];
const gallery = [placeNode, 105, 0, 1, 0];

/** Replaces blocks with null whose data is under a key and contains a name. */
const nulled =
  (key: string, holds = ''): Change =>
  (page) =>
    page.replace(/(<script[^>]*data-sjs[^>]*>)([^<]*)/g, (match, tag: string, json: string) =>
      json.includes(`"${key}":{`)
        ? tag +
          JSON.stringify(JSON.parse(json), (name, value: unknown) =>
            name === key && JSON.stringify(value).includes(holds) ? null : value,
          )
        : match,
    );

const changes: readonly (readonly [endpoint: string, what: string, change: Change, least: number])[] = [
  [
    'maps/places',
    'rows in which each place moves by one',
    inBody((root) => {
      moveEach(listAt(root, 64));
      moveEach(listAt(root, 0, 1));
    }),
    4,
  ],
  [
    'maps/reviews',
    'no rows beside a count of ratings',
    inBody((root) => {
      if (listAt(root, placeNode, 4)[8]) listAt(root, ...inlineReviews).splice(0);
    }),
    1,
  ],
  [
    'maps/photos',
    'no rows beside a count of photos',
    inBody((root) => {
      if (listAt(root, ...gallery.slice(0, -1))[1]) listAt(root, ...gallery).splice(0);
    }),
    1,
  ],
  ['photosocial/profile', 'an account that is null', nulled('xig_user_by_username', 'follower_count'), 5],
  ['photosocial/posts', 'an account that is null', nulled('xig_user_by_username', 'follower_count'), 3],
  ['photosocial/posts', 'posts that are null', nulled('xig_user_by_username', 'timeline_connection'), 4],
  ['photosocial/posts', 'rows whose posts are null', nulled('node'), 1],
  ['photosocial/hashtag', 'rows whose posts are null', nulled('node'), 2],
  ['photosocial/post', 'a post that is null', nulled('xig_polaris_media'), 3],
  ['photosocial/comments', 'a post that is null', nulled('xig_polaris_media'), 1],
  ['photosocial/hashtag', 'a list that is null', nulled('xig_logged_out_popular_search_media_info'), 2],
  [
    'photosocial/comments',
    'comments that are null under a post that is there',
    nulled('xdt_api__v1__media__media_id__comments__connection'),
    1,
  ],
];

/** Lists that must not become empty: those of an answer, and of a profile. */
const lists: ReadonlySet<string> = new Set(['', '[].experience', '[].education']);

async function outcomeOf(subject: Subject, change: Change): Promise<string> {
  try {
    const answer = await answerOf(subject, (text) => change(text));
    const breaches = breachesOf(subject.all, Array.isArray(answer) ? answer : [answer], () => false);
    const worst = breaches.find((one) =>
      one.kind === 'empty list' ? lists.has(one.path) : !isKnown(subject.endpoint.path, 'renamed', one),
    );
    return worst === undefined ? 'true' : `${worst.kind} · ${worst.path} · ${worst.what}`;
  } catch (error) {
    return error instanceof ExtractError && error.type === 'platform' ? 'refused' : String(error);
  }
}

describe('a page that moved as pages did', () => {
  for (const [path, what, change, least] of changes) {
    test(`${path}: ${what}`, async () => {
      const endpoint = endpoints.find((one) => one.path === path) as Endpoint;
      let count = 0;
      for (const subject of await subjectsOf(endpoint)) {
        const isEmpty = Array.isArray(subject.data) && subject.data.length === 0;
        if (isEmpty || subject.pages.every(({ text }) => change(text) === text)) continue;
        count += 1;
        assert.match(await outcomeOf(subject, change), /^(?:true|refused)$/, subject.name);
      }
      assert.ok(count >= least, `${count} pages`);
    });
  }
});
