import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { comments } from '../../../lib/platforms/shortvideo/comments.js';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { dataPage } from './read-case.js';

const list = 'a list';

/** Reads an endpoint by a browser whose pages request no list. Returns the result and the requests. */
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
const ofVideo = (detail: object) => {
  const body = `<html>${dataPage({ 'webapp.video-detail': detail })}`;
  const page = { url: `https://www.tiktok.com/@_/video/${id}`, body };
  return readByBrowser(comments, { id, link: null }, page, { pattern: '/oembed', status: 400 });
};
const itemWith = (stats: object) => {
  const itemStruct = { id, createTime: '1789000000', stats };
  return { statusCode: 0, itemInfo: { itemStruct } };
};
const none = { data: [], total: 0 };

describe('a browser’s page that requests no list of videos', () => {
  for (const [why, username, file, reading, asked] of [
    [
      'is profile_not_found if the account does not exist',
      'never.kettle',
      'never-profile.html',
      'profile_not_found',
      [],
    ],
    [
      'is account_private if the account is private',
      'quieter.harbour',
      'private2-profile.html',
      'account_private',
      [],
    ],
    ['is an empty list if the account has no videos', 'new.kettle', 'new-profile.html', none, []],
    [
      'is platform_blocked if the account withholds its videos',
      'unlisted.kettle',
      'unlisted-profile.html',
      'platform_blocked',
      [list],
    ],
    [
      'is platform_changed if it shows another account',
      'another.kettle',
      'new-profile.html',
      'platform_changed',
      [list],
    ],
  ] as const) {
    test(why, async () =>
      assert.deepEqual(await ofAccount(username, file), { reading, asked: [`/@${username}`, ...asked] }),
    );
  }

  test('is not needed if a saved visit has only the list', async () => {
    const { asked } = await readByBrowser(videos, { username: 'saved.kettle' });
    assert.deepEqual(asked, ['/@saved.kettle', list]);
  });
});

describe('a browser’s page that requests no list of comments', () => {
  for (const [why, detail, reading, asked] of [
    [
      'is video_not_found if the video does not exist',
      { itemInfo: {}, statusCode: 10204, statusMsg: 'x' },
      'video_not_found',
      ['/oembed'],
    ],
    [
      'is account_private if the video is private',
      { itemInfo: {}, statusCode: 10216 },
      'account_private',
      [],
    ],
    ['is an empty list if the video has no comments', itemWith({ commentCount: 0 }), none, []],
    [
      'is platform_blocked if the video withholds its comments',
      itemWith({ commentCount: 5 }),
      'platform_blocked',
      [list],
    ],
    [
      'is platform_blocked if the video does not count them',
      itemWith({ playCount: 5 }),
      'platform_blocked',
      [list],
    ],
    ['is platform_changed if it is unreadable', { unknown: 1 }, 'platform_changed', [list]],
  ] as const) {
    test(why, async () =>
      assert.deepEqual(await ofVideo(detail), { reading, asked: [`/@_/video/${id}`, ...asked] }),
    );
  }
});
