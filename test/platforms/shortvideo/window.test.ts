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
  test('is one request for the list and one for each requested video, in the list’s order', async () => {
    const { urls, next, brief } = await read({ limit: 2 });
    assert.deepEqual(urls, ['/embed/@mira.kettle', `/@_/video/${id(1)}`, `/@_/video/${id(9)}`]);
    assert.deepEqual(next, { skip: 2 });
    assert.equal(brief, false);
  });

  test('ends with its last video, whatever the limit', async () => {
    const whole = await read();
    assert.equal(whole.data.length, 6);
    assert.equal(whole.next, null);
    const rest = await read({ limit: 30, position: { skip: 5 } });
    assert.deepEqual(
      rest.data.map((video) => video.id),
      [id(5)],
    );
    assert.equal(rest.next, null);
  });

  test('names a video once that the list names twice', async () => {
    const { data, ids, urls } = await read();
    assert.equal(new Set(ids).size, 6);
    assert.deepEqual(
      data.map((video) => video.id),
      ids,
    );
    assert.equal(urls.filter((url) => url.endsWith(id(1))).length, 1);
  });

  test('is empty and over where it shrank below the place that was reached', async () => {
    const { data, next, urls } = await read({ position: { skip: 40 } });
    assert.deepEqual([data, next, urls.length], [[], null, 1]);
  });

  test('takes the newer count of a video’s own page, and the list’s address of its file', async () => {
    const { data } = await read();
    const video = data.find((one) => one.id === id(8));
    assert.equal(video?.view_count, 18_200);
    assert.match(video?.play_url ?? '', /^https:\/\/v45\./);
  });

  test('requests no further video’s page after a refusal, and is cached for minutes', async () => {
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
      assert.equal(urls.length, 3, JSON.stringify(refusal));
      assert.equal(brief, true);
      assert.equal(data.length, 6);
      assert.notEqual(data[0]?.create_time, null);
      assert.deepEqual(
        data.slice(1).map((video) => video.create_time),
        [null, null, null, null, null],
      );
    }
  });

  test('goes on after a video that alone is gone or closed', async () => {
    const { data, urls, brief } = await read({
      before: [{ url: `https://www.tiktok.com/@_/video/${id(9)}`, file: 'gone-video.html' }],
    });
    assert.equal(urls.length, 7, 'and oEmbed is not asked');
    assert.equal(brief, true);
    assert.deepEqual(
      data.map((video) => video.create_time === null),
      [false, true, false, false, false, false],
    );
  });

  test('never takes a time from an id', async () => {
    const { data } = await read({}, 'a video’s own page is refused: the rest stays thin');
    assert.equal(data.at(-1)?.create_time, null);
  });

  test('is proved empty by the profile page, and by nothing else', async () => {
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

  test('for one word is that hashtag’s list, whatever the case and with or without #', () => {
    for (const query of ['#Harbour', 'harbour', 'HARBOUR', '#harbour']) {
      assert.deepEqual(search.identify({ query }), { query: 'harbour' });
    }
    assert.deepEqual(search.identify({ query: 'c\u0327ay' }), search.identify({ query: 'çay' }));
  });

  test('requests the list and each video within the limit', async () => {
    const { urls, next } = await readCase<ShortvideoVideo[]>(search, name, { limit: 1 });
    assert.deepEqual(urls, ['/embed/tag/harbour', '/@_/video/7573000000000000001']);
    assert.deepEqual(next, { skip: 1 });
  });

  for (const query of [
    'harbour at night',
    'night-ferry',
    '##harbour',
    '#',
    'o’clock',
    '#harbour #ferry',
    'a'.repeat(101),
    '🚤',
  ]) {
    test(`for ${JSON.stringify(query)} requests nothing and says why`, async () => {
      const session = { fetch: () => assert.fail('asked'), cookie: () => null, end: () => undefined };
      await assert.rejects(
        search.read({ identity: search.identify({ query }), limit: 30, position: null, session }),
        {
          code: 'platform_login_required',
          message: /only to signed-in users/,
        },
      );
    });
  }

  test('for several words is one question, however they are spaced and written', () => {
    assert.deepEqual(search.identify({ query: 'Harbour \t at  NIGHT' }), { query: 'harbour at night' });
  });
});
