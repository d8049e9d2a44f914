import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { search } from '../../../lib/platforms/shortvideo/search.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import type { Route } from '../../../lib/web/routes.js';
import { readCase } from './read-case.js';

const withEntry = (path: string, entry: object) =>
  `<html><script id="__FRONTITY_CONNECT_STATE__" type="application/json">${JSON.stringify({ source: { data: { [path]: entry } } })}</script>`;
const ofTag = (route: Omit<Route, 'url'>) => {
  const url = 'https://www.tiktok.com/embed/tag/nosuchword';
  return readCase(search, 'no such hashtag, by the entry', { before: [{ url, ...route }] });
};
const failed = (entry: object) => ({
  status: 400,
  body: withEntry('/embed/tag/nosuchword', { isError: true, ...entry }),
});

describe('an embed page with an error instead of a hashtag', () => {
  const errors: [what: string, route: Omit<Route, 'url'>, code: ErrorCode][] = [
    ['a missing hashtag', failed({ errorCode: 10205 }), 'hashtag_not_found'],
    ['a fault of the server', failed({ errorCode: 10101 }), 'platform_unavailable'],
    ['a captcha', failed({ errorCode: 10000 }), 'platform_blocked'],
    ['a login', failed({ errorCode: 10102 }), 'platform_login_required'],
    ['an unknown code', failed({ errorCode: 77777 }), 'platform_changed'],
    ['no reason', failed({}), 'platform_changed'],
    ['a status without a reason', { status: 400, body: '<html>' }, 'platform_changed'],
    ['status 410', { status: 410, body: '<html>' }, 'hashtag_not_found'],
  ];
  for (const [what, route, code] of errors) {
    test(`is ${code} for ${what}`, () => assert.rejects(ofTag(route), { code }));
  }
});

describe('an embed page with an error instead of an account', () => {
  test('without a reason is followed by the profile page', async () => {
    const url = 'https://www.tiktok.com/embed/@new.kettle';
    const body = withEntry('/embed/@new.kettle', { isError: true });
    const { data, urls } = await readCase(videos, 'no videos: the profile page says so', {
      before: [{ url, status: 400, body }],
    });
    assert.deepEqual([data, urls], [[], ['/embed/@new.kettle', '/@new.kettle']]);
  });
});
