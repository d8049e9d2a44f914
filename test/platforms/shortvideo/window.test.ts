import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ShortvideoVideo } from '../../../lib/index.js';
import { search } from '../../../lib/platforms/shortvideo/search.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import { readCase } from './read-case.js';

const rich = 'a window in two pages: pinned first, a photo post, no caption';
const id = (last: number) => `757200000000000000${last}`;
const read = (options?: Parameters<typeof readCase>[2], name = rich) =>
  readCase<ShortvideoVideo[]>(videos, name, options);

describe('a window of videos', () => {
  test('takes one request for the list and two for each video, in order', async () => {
    const { urls, next, brief, total, ended } = await read({ limit: 2 });
    assert.deepEqual(urls, [
      '/embed/@mira.kettle',
      ...[1, 9].flatMap((last) => [`/embed/v2/${id(last)}`, `/@_/video/${id(last)}`]),
    ]);
    assert.deepEqual(next, { route: 'embed', at: { skip: 2 } });
    assert.equal(brief, false);
    assert.deepEqual([total, ended], [95, 'more'], 'the embed page of a video counts those of its author');
  });

  test('requests no video page if one was refused within the hour', async () => {
    const { data, urls, brief } = await read({ refusedLately: ['page'] });
    assert.equal(urls.length, 7);
    assert.ok(urls.every((url) => url.startsWith('/embed/')));
    assert.equal(brief, false, 'nothing better can follow soon');
    assert.deepEqual(new Set(data.map((one) => one.favorites_count)), new Set([null]));
    assert.ok(data.every((one) => one.create_time !== null));
  });

  test('requests the videos’ pages first if embed pages refused within the hour', async () => {
    const { data, urls } = await read({ refusedLately: ['embed'] });
    assert.deepEqual(urls.slice(0, 3), ['/@mira.kettle', '/embed/@mira.kettle', `/@_/video/${id(1)}`]);
    assert.equal(urls.length, 8);
    assert.ok(data.every((one) => one.favorites_count !== null));
  });

  test('ends with its last video, whatever the limit', async () => {
    const full = await read();
    assert.equal(full.data.length, 6);
    assert.equal(full.next, null);
    assert.deepEqual([full.total, full.ended, full.endsEarly], [95, 'visitors', true]);
    for (const position of [{ skip: 5 }, { route: 'embed', at: { skip: 5 } }]) {
      const rest = await read({ limit: 30, position });
      assert.deepEqual(
        rest.data.map((video) => video.id),
        [id(5)],
      );
      assert.equal(rest.next, null);
    }
  });

  test('has a video once that the list names twice', async () => {
    const { data, ids, urls } = await read();
    assert.equal(new Set(ids).size, 6);
    assert.deepEqual(
      data.map((video) => video.id),
      ids,
    );
    assert.equal(urls.filter((url) => url.endsWith(id(1))).length, 2);
  });

  test('ends if it shrank below the position', async () => {
    const { data, next, urls } = await read({ position: { skip: 40 } });
    assert.deepEqual([data, next, urls.length], [[], null, 1]);
  });

  test('has the list’s URL of a video’s file, which needs no cookies', async () => {
    const { data } = await read();
    assert.match(data.find((one) => one.id === id(8))?.play_url ?? '', /^https:\/\/v45\./);
  });

  test('has the duration of a sound from the video’s page', async () => {
    const { data } = await read();
    assert.equal(data[0]?.sound?.duration, 31);
  });

  test('requests no further video page after a refusal, and is cached for minutes', async () => {
    for (const refusal of [
      { status: 403 },
      { status: 429 },
      { status: 503 },
      { file: 'challenge.html' },
      {},
    ]) {
      const { data, urls, brief } = await read({
        before: [{ url: `https://www.tiktok.com/@_/video/${id(9)}`, ...refusal }],
      });
      assert.equal(urls.length, 1 + 6 + 2, JSON.stringify(refusal));
      assert.equal(brief, true);
      assert.equal(data.length, 6);
      assert.ok(data.every((video) => video.create_time !== null));
      assert.deepEqual(
        data.map((video) => video.favorites_count === null),
        [false, true, true, true, true, true],
      );
    }
  });

  test('continues after a deleted video', async () => {
    const { data, urls, brief } = await read({
      before: [{ url: `https://www.tiktok.com/@_/video/${id(9)}`, file: 'gone-video.html' }],
    });
    assert.equal(urls.length, 13, 'and oEmbed is not asked');
    assert.equal(brief, true);
    assert.deepEqual(
      data.map((video) => video.favorites_count === null),
      [false, true, false, false, false, false],
    );
  });

  test('does not derive a time from an ID', async () => {
    const { data } = await read({}, 'a video’s own page is refused: the rest stays thin');
    assert.equal(data.at(-1)?.create_time, null);
  });

  test('is proved empty by the profile page only', async () => {
    const { data, urls } = await read({}, 'no videos: the profile page says so');
    assert.deepEqual(data, []);
    assert.deepEqual(urls, ['/embed/@new.kettle', '/@new.kettle']);
    await assert.rejects(read({}, 'videos that are not listed'), {
      code: 'platform_restricted',
      message: /has 17 videos/,
    });
  });
});

describe('a search', () => {
  const name = 'a hashtag in two pages';

  test('for one word is the list of that hashtag, in any case, with or without #', () => {
    for (const query of ['#Harbour', 'harbour', 'HARBOUR', '#harbour']) {
      assert.deepEqual(search.identify({ query }), { query: 'harbour' });
    }
    assert.deepEqual(search.identify({ query: 'c\u0327ay' }), search.identify({ query: 'çay' }));
  });

  test('takes one request for the list and two for each video', async () => {
    const { urls, next } = await readCase<ShortvideoVideo[]>(search, name, { limit: 1 });
    assert.deepEqual(urls, [
      '/embed/tag/harbour',
      '/embed/v2/7573000000000000001',
      '/@_/video/7573000000000000001',
    ]);
    assert.deepEqual(next, { route: 'embed-tag', at: { skip: 1 } });
  });

  for (const query of ['#', '🚤', '’']) {
    test(`for ${JSON.stringify(query)} requests nothing, and is refused with the reason`, async () => {
      const session = { fetch: () => assert.fail('asked'), cookie: () => null, end: () => undefined };
      await assert.rejects(
        search.read({ identity: search.identify({ query }), limit: 30, position: null, session }),
        { code: 'platform_login_required', message: /has no public page for these words/ },
      );
    });
  }

  test('for a phrase is the list of its page, without requests for videos', async () => {
    const phrase = 'a phrase: the list of the page for these words';
    const first = await readCase<ShortvideoVideo[]>(search, phrase, { limit: 3 });
    assert.equal(first.urls.length, 1);
    assert.deepEqual(first.requests[0]?.headers, {
      accept: 'application/json',
      referer: 'https://www.tiktok.com/discover/harbour-at-night',
    });
    const slug = 'harbour-at-night';
    assert.deepEqual(first.next, { route: 'discover', at: { slug, offset: 0, skip: 3 } });
    const rest = await readCase<ShortvideoVideo[]>(search, phrase, {
      limit: 3,
      position: first.next ?? null,
    });
    assert.deepEqual(
      [rest.data.length, rest.next],
      [1, { route: 'discover', at: { slug, offset: 16, skip: 0 } }],
    );
    const last = await readCase<ShortvideoVideo[]>(search, phrase, { limit: 3, position: rest.next ?? null });
    assert.deepEqual([last.next, last.ended], [null, 'visitors']);
    assert.ok(last.data[0]?.create_time?.startsWith('2026'));
  });

  test('continues under the slug that has a page', async () => {
    const { urls, data } = await readCase<ShortvideoVideo[]>(
      search,
      'a phrase whose page is named without accents',
    );
    assert.deepEqual(
      urls.map((url) => /keyword=([^&]+)/.exec(url)?.[1]),
      ['%C3%A7ay-saati', 'cay-saati'],
    );
    assert.equal(data.length, 1);
  });

  test('for several words is the same in any spacing and case', () => {
    assert.deepEqual(search.identify({ query: 'Harbour \t at  NIGHT' }), { query: 'harbour at night' });
  });
});
