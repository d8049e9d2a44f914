import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { ShortvideoComment } from '../../../lib/index.js';
import { readCommentList } from '../../../lib/platforms/shortvideo/comment-list.js';
import { comments } from '../../../lib/platforms/shortvideo/comments.js';
import { page } from '../../../lib/web/page.js';
import { fixturesOf } from '../../support/fixtures.js';
import { dataPage, readCase } from './read-case.js';

const rich = 'two pages: a reply, a picture alone, a deleted account, a repeat';
const video = '7571000000000000201';
const read = (name: string, options?: Parameters<typeof readCase>[2]) =>
  readCase<ShortvideoComment[]>(comments, name, options);
const api = (id: string, count: number, cursor: number) =>
  `/api/comment/list/?aid=1988&aweme_id=${id}&count=${count}&cursor=${cursor}`;

describe('comments', () => {
  test('are one request a page, with true headers only', async () => {
    const { requests, urls, next } = await read(rich, { limit: 20 });
    assert.deepEqual(urls, [api(video, 20, 0)]);
    assert.deepEqual(requests[0]?.headers, {
      accept: 'application/json',
      referer: `https://www.tiktok.com/@_/video/${video}`,
    });
    assert.deepEqual(next, { route: 'api', at: { id: video, cursor: 50, skip: 0, counted: 21 } });
  });

  for (const position of [
    { id: video, cursor: 50, skip: 0 },
    { route: 'api', at: { id: video, cursor: 50, skip: 0, counted: 21 } },
  ]) {
    test(`continue at the platform’s offset in ${JSON.stringify(position)}`, async () => {
      const { urls, data, next } = await read(rich, { position });
      assert.deepEqual([urls[0], data.length, next], [api(video, 50, 50), 3, null]);
    });
  }

  test('beyond the limit are requested again, and earlier ones skipped', async () => {
    const at = (cursor: number, skip: number, counted: number) => ({
      route: 'api',
      at: { id: video, cursor, skip, counted },
    });
    const { data, next } = await read(rich, { limit: 2 });
    assert.deepEqual(
      [...data.map(({ text }) => text?.slice(0, 9)), next],
      ['The ferry', 'Does some', at(0, 2, 0)],
    );
    const second = await read(rich, { limit: 2, position: next ?? null });
    assert.deepEqual(second.urls, [api(video, 4, 0)]);
    const replies = second.data.map((one) => `${one.id.slice(-1)} to ${one.parent_comment_id?.slice(-1)}`);
    assert.deepEqual(replies, ['3 to 2', '4 to undefined']);
    const third = await read(rich, { limit: 50, position: second.next ?? null });
    assert.deepEqual(third.urls, [api(video, 50, 0)], 'never more at once than the platform gives');
    assert.deepEqual([third.data.length, third.next], [1, at(50, 0, 21)]);
  });

  test('end without another request after the counted number', async () => {
    const position = { id: video, cursor: 50, skip: 0, counted: 21 };
    const { urls, next, ended, total } = await read(rich, { position: { route: 'api', at: position } });
    assert.deepEqual([urls.length, next, ended, total], [1, null, 'end', 9]);
  });

  test('continue after a claimed last answer until nothing new follows', async () => {
    const name = 'an answer that says that it is the last one, and is not';
    const id = '7574000000000000071';
    const first = await read(name);
    assert.deepEqual(first.urls, [api(id, 50, 0), api(id, 50, 50)]);
    assert.deepEqual(first.next, { route: 'api', at: { id, cursor: 50, skip: 0, counted: 21 } });
    const second = await read(name, { position: first.next ?? null });
    assert.deepEqual(second.urls, [api(id, 50, 50), api(id, 50, 100)]);
    const { next, ended, total } = second;
    assert.deepEqual([next, ended, total], [null, 'visitors', 540]);
  });

  for (const following of [{ file: 'answer-early.json' }, { status: 403 }, {}]) {
    test(`end at a claimed last answer if the next one is ${JSON.stringify(following)}`, async () => {
      const name = 'an answer that says that it is the last one, and is not';
      const { urls, next, ended } = await read(name, { before: [{ pattern: 'cursor=50$', ...following }] });
      assert.deepEqual([urls.length, next, ended], [2, null, 'visitors']);
    });
  }

  test('of a short link follow it once for all pages', async () => {
    const name = 'by a short link, followed once';
    const first = await read(name);
    assert.deepEqual(first.urls, ['https://vm.tiktok.com/ZMinvented9/', api('7574000000000000016', 50, 0)]);
    const second = await read(name, { position: first.next ?? null });
    assert.deepEqual(second.urls, [api('7574000000000000016', 50, 50)]);
  });

  test('are proved to be none by the video’s page, on the first page only', async () => {
    const name = 'none: the video page says so, too';
    const { urls, data } = await read(name);
    assert.deepEqual(data, []);
    assert.deepEqual(urls, [api('7574000000000000011', 50, 0), '/@_/video/7574000000000000011']);
    const later = await read(name, { position: { id: '7574000000000000011', cursor: 0, skip: 0 } });
    assert.equal(later.urls.length, 1);
  });
});

describe('comments of a video that only the list calls private', () => {
  const name = 'none: the video page says so, too';
  const id = '7574000000000000011';
  const route = (statusCode: number) => ({
    pattern: '/api/comment/list/',
    body: JSON.stringify({ status_code: statusCode }),
  });
  const closed = {
    pattern: '/video/',
    body: dataPage({ 'webapp.video-detail': { statusCode: 10216, itemInfo: {} } }),
  };

  for (const statusCode of [10216, 10222]) {
    test(`follow the video’s page after ${statusCode}`, async () => {
      const { data, urls } = await read(name, { before: [route(statusCode)] });
      assert.deepEqual([data, urls.at(-1)], [[], `/@_/video/${id}`]);
      await assert.rejects(read(name, { before: [route(statusCode), closed] }), { code: 'account_private' });
      const refused = { pattern: '/video/', status: 403 };
      await assert.rejects(read(name, { before: [route(statusCode), refused] }), {
        code: 'platform_restricted',
        message: /says that the video is private.+HTTP 403/,
      });
    });
  }
});

describe('comments in a page for phones', () => {
  const name = 'the list is refused, and a page for phones holds the first ones';
  const id = '7571000000000000212';

  test('are read once each if the list is refused', async () => {
    const first = await read(name, { limit: 2 });
    assert.deepEqual(first.urls, [api(id, 2, 0), `/@_/video/${id}`]);
    assert.deepEqual(first.next, { route: 'page', at: { id, skip: 2 } });
    assert.equal(first.brief, true);
    const second = await read(name, { limit: 2, position: first.next ?? null });
    assert.deepEqual(second.urls, [`/@_/video/${id}`]);
    assert.equal(second.data.length, 1);
    assert.equal(second.next, null);
  });

  test('are read after a 429 of the list, because the page has another pace', async () => {
    const refusal = { pattern: '/api/comment/list/', status: 429 };
    const { data, total, ended } = await read(name, { before: [refusal] });
    assert.deepEqual([data.length, total, ended], [3, 31, 'visitors']);
  });

  test('do not change the refusal of the list if there are none', async () => {
    const page = readFileSync(path.join(fixturesOf(comments), 'phone.html'), 'utf8');
    const ofAnother = page.replaceAll(id, '7571000000000000999');
    const withAnothersComments = page.replaceAll(`"aweme_id":"${id}"`, '"aweme_id":"7571000000000000999"');
    for (const body of [ofAnother, withAnothersComments, page.replaceAll('"cid"', '"comment_id"')]) {
      assert.notEqual(body, page);
      const before = [{ pattern: '/video/', body }];
      await assert.rejects(read(name, { before }), { code: 'platform_blocked' });
    }
  });
});

describe('an answer of the comment list', () => {
  const pageOf = (body: string) => page('https://www.tiktok.com/', 200, {}, Buffer.from(body));
  const answer = (body: object) => readCommentList(pageOf(JSON.stringify(body)), video, 20);
  const row = { cid: '7575000000000000001', aweme_id: video, create_time: 1_789_000_000, text: 'x' };

  for (const [body, next] of [
    [{ cursor: 40, has_more: 1 }, 40],
    [{ cursor: 40, has_more: true }, 40],
    [{ cursor: 40, has_more: 0 }, null],
    // An offset that stands still or goes back ends the list.
    [{ cursor: 20, has_more: 1 }, null],
    [{ cursor: 0, has_more: 1 }, null],
  ] as const) {
    test(`continues at ${next} by ${JSON.stringify(body)}`, () =>
      assert.equal(answer({ status_code: 0, comments: [row], ...body }).next, next));
  }

  for (const body of [{ cursor: 40 }, { cursor: 40, has_more: 'yes' }, { has_more: 1 }]) {
    test(`is refused with ${JSON.stringify(body)}`, () =>
      assert.throws(() => answer({ status_code: 0, comments: [row], ...body }), {
        code: 'platform_changed',
      }));
  }

  for (const comments of [null, []]) {
    test(`ends with ${JSON.stringify(comments)}, whatever it promises`, () => {
      const end = { comments: [], next: null, end: false, total: null, counted: 0 };
      assert.deepEqual(answer({ status_code: 0, comments, cursor: 40, has_more: 1 }), end);
    });
  }

  test('is refused without a status code', () => {
    assert.throws(() => answer({ comments: [row] }), { code: 'platform_changed', message: /status code/ });
  });

  test('is platform_blocked if it is a page', () => {
    const captcha = pageOf('<html><title>Security Check</title></html>');
    assert.throws(() => readCommentList(captcha, video, 0), { code: 'platform_blocked' });
  });
});
