import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { itemListPart } from '../../../lib/platforms/shortvideo/item-list.js';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { routeSource } from '../../../lib/web/routes.js';

const url = 'https://www.tiktok.com/api/post/item_list/';
const rows = [{ id: '7571000000000000301', createTime: 1_789_000_000, stats: { playCount: 5 } }];

const next = async (body: object) => {
  const text = JSON.stringify({ statusCode: 0, itemList: rows, ...body });
  const session = routeSource('.', [{ url, body: text }]).open(site);
  const position = { cursor: '20', skip: 0 };
  return (await itemListPart(() => ({ url }), { limit: 30, part: position, session })).next;
};

describe('an answer of a list of videos', () => {
  for (const [what, body, cursor] of [
    ['continues at its cursor', { hasMore: true, cursor: '40' }, '40'],
    ['continues in the format of a search', { has_more: 1, cursor: 40 }, '40'],
    ['ends if it says so', { hasMore: false, cursor: '40' }, null],
    ['ends if its cursor does not advance', { hasMore: true, cursor: '20' }, null],
  ] as const) {
    test(what, async () => {
      assert.deepEqual(await next(body), cursor === null ? null : { cursor, skip: 0 });
    });
  }

  test('is refused if its videos are under another name', async () => {
    assert.equal(await next({ itemList: undefined, hasMore: false }), null);
    assert.equal(await next({ itemList: null, hasMore: false }), null);
    for (const moved of [{ items: rows }, { itemLists: [{ list: rows }] }, { data: { itemList: rows } }])
      await assert.rejects(next({ itemList: undefined, hasMore: false, ...moved }), {
        code: 'platform_changed',
      });
  });

  for (const statusCode of [10201, 10202, 10221]) {
    test(`does not prove an account missing by the code ${statusCode}`, async () => {
      await assert.rejects(next({ statusCode, itemList: null }), { code: 'platform_changed' });
    });
  }

  for (const [what, body] of [
    ['whether it continues', { cursor: '40' }],
    ['where it continues', { hasMore: true }],
  ] as const) {
    test(`is refused if it does not say ${what}`, async () => {
      await assert.rejects(next(body), { code: 'platform_changed' });
    });
  }
});
