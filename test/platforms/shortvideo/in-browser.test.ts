import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { comments } from '../../../lib/platforms/shortvideo/comments.js';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

const list = 'a list';

/** An endpoint read by a browser whose pages ask for no list. Gives what came, and what was opened or asked for. */
async function readByBrowser(row: unknown, identity: Record<string, string | null>, ...pages: Route[]) {
  const endpoint = row as Endpoint;
  const session = routeSource(sampleFiles(endpoint.path), pages).open(site);
  const requests: string[] = [];
  const reading = await endpoint
    .read({
      identity,
      limit: 30,
      position: null,
      session: {
        ...session,
        runsPages: true,
        async fetch(request) {
          const isList = request.browser?.pageRequest !== undefined;
          const what = isList ? list : new URL(request.url).pathname;
          // A page that is open is not opened again.
          if (requests.at(-1) !== what) requests.push(what);
          if (isList) throw new ExtractError('platform_blocked');
          return session.fetch(request);
        },
      },
    })
    .then(
      ({ data, emptyProof }) => ({ data, total: emptyProof?.total }),
      (error: unknown) => (error as ExtractError).code,
    );
  return { reading, asked: requests };
}

const ofAccount = (username: string, file: string) =>
  readByBrowser(videos, { username }, { url: `https://www.tiktok.com/@${username}`, file });

const id = '7571000000000000201';
const ofVideo = (detail: object) =>
  readByBrowser(
    comments,
    { id, link: null },
    {
      url: `https://www.tiktok.com/@_/video/${id}`,
      body: `<html><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.video-detail': detail } })}</script>`,
    },
    { pattern: '/oembed', status: 400 },
  );
const itemWith = (stats: object) => ({
  statusCode: 0,
  itemInfo: { itemStruct: { id, createTime: '1789000000', stats } },
});
const video = `/@_/video/${id}`;

describe('a page in a browser that says why it asks for no list', () => {
  test('of videos: the account does not exist', async () => {
    assert.deepEqual(await ofAccount('never.kettle', 'never-profile.html'), {
      reading: 'profile_not_found',
      asked: ['/@never.kettle'],
    });
  });

  test('of videos: the account is private', async () => {
    assert.deepEqual(await ofAccount('quieter.harbour', 'private2-profile.html'), {
      reading: 'account_private',
      asked: ['/@quieter.harbour'],
    });
  });

  test('of videos: the account has none', async () => {
    assert.deepEqual(await ofAccount('new.kettle', 'new-profile.html'), {
      reading: { data: [], total: 0 },
      asked: ['/@new.kettle'],
    });
  });

  test('of videos: it has some, and withholds them', async () => {
    const { reading, asked } = await ofAccount('unlisted.kettle', 'unlisted-profile.html');
    assert.deepEqual([reading, asked], ['platform_blocked', ['/@unlisted.kettle', list]]);
  });

  test('of videos: a visit that was saved with the list alone is read all the same', async () => {
    const { asked } = await readByBrowser(videos, { username: 'saved.kettle' });
    assert.deepEqual(asked, ['/@saved.kettle', list]);
  });

  test('of comments: the video does not exist', async () => {
    const missing = { itemInfo: {}, statusCode: 10204, statusMsg: 'item doesn’t exist' };
    assert.deepEqual(await ofVideo(missing), { reading: 'video_not_found', asked: [video, '/oembed'] });
  });

  test('of comments: the video is private', async () => {
    const closed = { itemInfo: {}, statusCode: 10216 };
    assert.deepEqual(await ofVideo(closed), { reading: 'account_private', asked: [video] });
  });

  test('of comments: it has none', async () => {
    assert.deepEqual(await ofVideo(itemWith({ commentCount: 0 })), {
      reading: { data: [], total: 0 },
      asked: [video],
    });
  });

  test('of comments: it has some, or does not say, and withholds them', async () => {
    for (const detail of [itemWith({ commentCount: 5 }), itemWith({ playCount: 5 })]) {
      const { reading, asked } = await ofVideo(detail);
      assert.deepEqual([reading, asked], ['platform_blocked', [video, list]]);
    }
  });

  test('that cannot be read: the error is the page’s', async () => {
    const { reading, asked } = await ofVideo({ unknown: 1 });
    assert.deepEqual([reading, asked], ['platform_changed', [video, list]]);
    assert.equal((await ofAccount('another.kettle', 'new-profile.html')).reading, 'platform_changed');
  });
});
