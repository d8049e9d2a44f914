import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ShortvideoVideo } from '../../../lib/index.js';
import { search } from '../../../lib/platforms/shortvideo/search.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import type { Json } from '../../../lib/read/json.js';
import { page } from '../../../lib/web/page.js';
import type { PageSession } from '../../../lib/web/page-source.js';
import { embedState, sessionOf } from './read-case.js';

const ids = (from: number) => [0, 1].map((at) => String(7_572_000_000_000_000_100n + BigInt(from + at)));

/** A list of two videos, each with its author if one is named. */
const listOf = (from: number, author?: string) =>
  ids(from).map((id) => ({
    id,
    desc: 'Kettle',
    ...(author === undefined ? {} : { authorUniqueId: author }),
  }));

const account = (uniqueId: string, from: number, author?: string) => ({
  userInfo: { uniqueId },
  videoList: listOf(from, author),
});
const hashtag = (title: string, from: number) => ({
  embedInfo: { title, viewCount: '9', videoCount: '2' },
  videoList: listOf(from, 'mira.kettle'),
});

/** Answers every request for an embed page with those entries in one state, and refuses the videos' own pages. */
const embedsOf = (entries: Record<string, object>) =>
  sessionOf((url) => (url.includes('/embed/') ? embedState(entries) : [403, 'Access Denied']));

const context = (session: PageSession, position: Json = null) => ({ limit: 30, position, session });
const idsOf = (list: readonly ShortvideoVideo[]) => list.map(({ id }) => id);

const videosOf = async (entries: Record<string, object>, username = 'mira.kettle') =>
  idsOf((await videos.read({ identity: { username }, ...context(embedsOf(entries)) })).data);
const find = async (entries: Record<string, object>, query = 'harbour') =>
  idsOf((await search.read({ identity: { query }, ...context(embedsOf(entries)) })).data);

/** The list of an account that the browser's page asked for itself. */
const itemList = (authors: readonly (string | null)[]) => {
  const rows = authors.map((uniqueId, at) => ({
    id: ids(at)[0],
    ...(uniqueId === null ? {} : { author: { uniqueId } }),
  }));
  const body = Buffer.from(JSON.stringify({ statusCode: 0, itemList: rows, hasMore: false }));
  const fetch = async ({ url }: { url: string }) => page(url, 200, {}, body);
  const session = { fetch, runsPages: true } as unknown as PageSession;
  return videos.read({ identity: { username: 'mira.kettle' }, ...context(session) });
};

describe('a page with two subjects', () => {
  const own = ['/embed/@mira.kettle', account('mira.kettle', 0, 'mira.kettle')];
  const other = ['/embed/@somebody.else', account('somebody.else', 10, 'somebody.else')];

  test('is read for the requested account, in any position', async () => {
    for (const entries of [
      [own, other],
      [other, own],
    ])
      assert.deepEqual(await videosOf(Object.fromEntries(entries)), ids(0));
  });

  test('is read for the requested hashtag, in any position', async () => {
    const entries = { '/embed/tag/tea': hashtag('tea', 10), '/embed/tag/harbour': hashtag('Harbour', 0) };
    assert.deepEqual(await find(entries), ids(0));
    assert.deepEqual(await find(entries, 'tea'), ids(10));
  });
});

describe('an entry of an embed page’s state', () => {
  for (const path of ['/embed/tag/çay', '/embed/tag/%C3%A7ay', '/embed/tag/Çay/', '/embed/tag/%c3%a7ay'])
    test(`is found by ${path}`, async () =>
      assert.deepEqual(await find({ [path]: hashtag('çay', 0) }, 'çay'), ids(0)));

  const videoList = listOf(0, 'mira.kettle');
  const unnamed = /lacks a username|says that there is no account/;
  for (const [name, path, entry, message] of [
    ['of another path', '@somebody.else', account('mira.kettle', 0, 'mira.kettle'), /@somebody\.else/],
    [
      'with another author’s videos',
      '@mira.kettle',
      account('mira.kettle', 0, 'somebody.else'),
      /of somebody\.else/,
    ],
    ['without a name', '@mira.kettle', { videoList }, unnamed],
    ['with a name elsewhere', '@mira.kettle', { user: { uniqueId: 'mira.kettle' }, videoList }, unnamed],
    [
      'with another name',
      '@mira.kettle',
      { userInfo: { handle: 'mira.kettle' }, videoList: listOf(0) },
      unnamed,
    ],
    ['with a code', '@mira.kettle', { userInfo: { code: 10202 }, videoList }, unnamed],
    [
      'with a code and a name',
      '@mira.kettle',
      { userInfo: { code: 10202, uniqueId: 'mira.kettle' }, videoList },
      unnamed,
    ],
  ] as const) {
    test(`${name} is refused`, () =>
      assert.rejects(videosOf({ [`/embed/${path}`]: entry }), { code: 'platform_changed', message }));
  }

  test('without authors of its videos is the named account’s', async () => {
    assert.deepEqual(await videosOf({ '/embed/@mira.kettle': account('Mira.Kettle', 0) }), ids(0));
  });
});

describe('a list that a page requested', () => {
  test('is the account’s if every video names it, in any case', async () => {
    assert.equal((await itemList(['mira.kettle', 'Mira.Kettle'])).data.length, 2);
  });

  for (const author of [null, 'somebody.else'])
    test(`is refused if a video names ${author ?? 'no author'}`, () =>
      assert.rejects(itemList(['mira.kettle', author]), { code: 'platform_changed' }));
});
