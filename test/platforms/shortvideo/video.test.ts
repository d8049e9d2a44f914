import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ShortvideoVideo } from '../../../lib/index.js';
import { video } from '../../../lib/platforms/shortvideo/video.js';
import { readItem } from '../../../lib/platforms/shortvideo/video-item.js';
import { dataPage, readCase, sessionOf } from './read-case.js';

const id = '7571000000000000201';
const item = (over: object) => readItem(over, id);

describe('an item of the platform', () => {
  for (const nothing of [{}, null, undefined, [], 'x', 7]) {
    test(`that is ${JSON.stringify(nothing)} is null in every field but its id`, () => {
      const { id: itemId, ...rest } = readItem(nothing, id);
      assert.equal(itemId, id);
      assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
    });
  }

  for (const [exact, number, count] of [
    ['9871', 9900, 9871],
    [undefined, 9900, 9900],
    ['', '12', 12],
    ['-1', -1614092016, null],
    ['99999999999999999999', undefined, null],
    ['1.4M', undefined, null],
    ['0', 0, 0],
  ] as const) {
    test(`with the exact text ${exact} and the number ${number} has ${count} likes`, () => {
      const [statsV2, stats] = [{ diggCount: exact }, { diggCount: number }];
      assert.equal(item({ statsV2, stats }).like_count, count);
    });
  }

  const tag = (hashtagName: unknown, type = 1) => ({ hashtagName, type });
  const texts = (...names: string[]) => names.map((name) => tag(name));
  const [titled, nameless, mention] = [{ title: 'one' }, { name: 'two' }, { type: 0, userId: '7' }];
  const broken = [[null, 7, {}], [nameless], [titled, nameless], [titled, { title: null }]];
  const brokenTexts = [[tag('one'), { type: 1 }], [{ type: 1 }], [tag('one'), tag(null)]];
  const pictures = { challenges: [], imagePost: {} };
  for (const [over, names] of [
    [{ challenges: [{ title: 'One' }, { title: '#two' }, { title: 'one' }, { title: '' }] }, ['one', 'two']],
    [{ challenges: [], textExtra: [tag('three'), tag('', 0)] }, ['three']],
    [{ contents: [{ textExtra: texts('four') }, { textExtra: texts('five') }] }, ['four', 'five']],
    [{ challenges: [], textExtra: [], contents: [] }, []],
    [{ textExtra: [] }, []],
    [{ desc: 'a caption with #one' }, null],
    [{ challenges: null, textExtra: 'x', contents: {} }, null],
    // A post of pictures has them in the parts of its caption alone.
    [pictures, null],
    [{ ...pictures, contents: [] }, []],
    [{ ...pictures, imagePost: null }, []],
    // One without a name leaves the list out, unless another list has all of them.
    ...broken.flatMap((challenges) => [
      [{ challenges }, null] as const,
      [{ challenges, textExtra: [] }, null] as const,
      [{ challenges, textExtra: texts('one', 'two') }, ['one', 'two']] as const,
    ]),
    [{ textExtra: [tag('one'), mention] }, ['one']],
    ...brokenTexts.flatMap((textExtra) => [
      [{ challenges: [], textExtra }, null] as const,
      [{ contents: [{ textExtra: texts('one') }, { textExtra }] }, null] as const,
    ]),
  ] as const) {
    test(`with ${JSON.stringify(over)} has the hashtags ${JSON.stringify(names)}`, () =>
      assert.deepEqual(item(over).hashtag_names, names));
  }

  for (const [createTime, time] of [
    ['1762961788', '2025-11-12T15:36:28.000Z'],
    [1762961788, '2025-11-12T15:36:28.000Z'],
    ...['0', 0, '', '-5', 'soon', 1e15, null].map((createTime) => [createTime, null]),
  ]) {
    test(`has the time ${time} for ${JSON.stringify(createTime)}`, () =>
      assert.equal(item({ createTime }).create_time, time));
  }

  test('has no duration if the platform writes 0', () => {
    assert.equal(item({ video: { duration: 0 } }).duration, null);
    assert.equal(item({ video: { duration: '64' } }).duration, 64);
  });

  const [first, second] = ['https://p16.example/1', 'https://p16.example/2'];
  for (const [field, over, address] of [
    ['cover_image_url', { video: { cover: '', originCover: first } }, first],
    [
      'cover_image_url',
      { video: { cover: first }, imagePost: { cover: { imageURL: { urlList: [second] } } } },
      second,
    ],
    ['play_url', { video: { playAddr: '', PlayAddrStruct: { UrlList: [first] } } }, first],
    ['play_url', { video: { bitrateInfo: [{}, { PlayAddr: { UrlList: [first] } }] } }, first],
    ['play_url', { video: { playAddr: 'javascript:alert(1)', downloadAddr: first } }, null],
  ] as const) {
    test(`with ${JSON.stringify(over)} has the ${field} ${address}`, () =>
      assert.equal(item(over)[field], address));
  }

  test('has a sound if the page has any of its fields', () => {
    for (const music of [{}, { id: '', title: ' ', duration: 0 }]) assert.equal(item({ music }).sound, null);
    const sound = { id: null, title: null, author: null, is_original: false, duration: 13 };
    assert.deepEqual(item({ music: { original: false, duration: 12.6 } }).sound, sound);
  });
});

describe('a video', () => {
  const read = (name: string) => readCase<ShortvideoVideo>(video, name);
  const detailPage = (detail: object) => dataPage({ 'webapp.video-detail': detail });
  type Answer = Parameters<typeof sessionOf>[0];
  /** Reads the endpoint from answers, and records the paths. */
  const readThrough = (answer: Answer) => {
    const urls: string[] = [];
    const session = sessionOf((url) => {
      urls.push(url.replace('https://www.tiktok.com', ''));
      return answer(url);
    });
    const reading = video.read({ identity: { id, link: null }, limit: 1, position: null, session });
    return { urls, reading };
  };

  test('is one request for its page', async () => {
    const { urls, requests } = await read('rich');
    assert.deepEqual([urls, requests[0]?.headers], [[`/@_/video/${id}`], undefined]);
  });

  test('behind a short link takes one request', async () => {
    const { urls, data } = await read('short link to a video');
    assert.deepEqual([urls, data.id], [['https://vm.tiktok.com/ZMinvented1/'], '7571000000000000207']);
  });

  test('of pictures behind a short link is requested by its id', async () => {
    const { urls } = await read('short link to a photo post');
    assert.deepEqual(urls, ['/t/ZTinvented2/', '/@_/video/7571000000000000208']);
  });

  for (const [name, code, message] of [
    ['gone', 'video_not_found', /or it is not available in this location/],
    ['withheld here: oEmbed knows it', 'platform_restricted', /exists but is not available/],
  ] as const) {
    test(`that is missing is ${code} after one further request`, () =>
      assert.rejects(read(name), { code, message }));
  }

  for (const [status, body, code] of [
    [400, '{"message":"Something went wrong","code":400}', 'video_not_found'],
    [404, '', 'video_not_found'],
    [410, '', 'video_not_found'],
    [200, `{"embed_product_id":"${id}"}`, 'platform_restricted'],
    [200, '{"embed_product_id":"7571000000000000999"}', 'platform_unavailable'],
    [200, '<p class="_wafchallengeid"></p>', 'platform_unavailable'],
    [200, '', 'platform_unavailable'],
    [403, '', 'platform_unavailable'],
    [503, '', 'platform_unavailable'],
  ] as const) {
    test(`that its page calls missing is ${code} if oEmbed answers ${status} “${body}”`, async () => {
      const html = detailPage({ statusCode: 10204, statusMsg: "item doesn't exist" });
      const { reading } = readThrough((url) => {
        if (url.includes('/oembed')) return [status, body];
        return url.includes('/embed/') ? [400, '<html>'] : html;
      });
      await assert.rejects(reading, { code });
    });
  }

  // The page's code 10204 covers both removed and restricted videos; its message distinguishes them.
  for (const [statusMsg, code, message] of [
    ['status_self_see', 'account_private', /only its author/],
    ['item_privacy_authorization&status_self_see', 'account_private', /only its author/],
    ['status_friend_see', 'account_private', /only friends/],
    ['author_secret', 'account_private', /account is private/],
    ['cross_border_violation_ur', 'platform_restricted', /region/],
    ['person_geo_fencing', 'platform_restricted', /region/],
    ['copyright_geo_filter', 'platform_restricted', /region/],
    ['content_classification', 'platform_restricted', /adults/],
    ['status_reviewing', 'platform_restricted', /under review/],
    ['status_audit_not_pass', 'platform_restricted', /did not pass/],
    ['item is storypost', 'platform_restricted', /story/],
    ['invalid item id', 'video_not_found', /There is no such video/],
    ['status_deleted', 'video_not_found', /There is no such video/],
    ['item_privacy_authorization&status_deleted', 'video_not_found', /There is no such video/],
    ['status_deleted&status_self_see', 'video_not_found', /There is no such video/],
    ['a reason that nobody has seen', 'video_not_found', /There is no video/],
  ] as const) {
    const other = statusMsg === 'invalid item id' ? 100002 : 10235;
    for (const statusCode of statusMsg.startsWith('a reason') ? [10204] : [10204, other]) {
      test(`whose page says ${statusCode} “${statusMsg}” is ${code}`, async () => {
        const { urls, reading } = readThrough((url) =>
          url.includes('/oembed') ? [400, '{}'] : detailPage({ statusCode, statusMsg }),
        );
        await assert.rejects(reading, { code, message });
        if (statusMsg.includes('status_deleted')) assert.ok(!urls.some((url) => url.includes('/oembed')));
      });
    }
  }

  const stated = { id, createTime: '1789000000', stats: { playCount: 5 } };
  for (const statusCode of [10216, 10222])
    for (const [what, detail, code] of [
      ['has no data', { itemInfo: {} }, 'account_private'],
      ['names its author', { itemInfo: { itemStruct: { id, author: { id: '7' } } } }, 'account_private'],
      ['has the video', { itemInfo: { itemStruct: stated } }, 'platform_changed'],
      ['has the video under another name', { itemInfo: { item: stated } }, 'platform_changed'],
      ['has the video one level deeper', { itemInfo: { data: { itemStruct: stated } } }, 'platform_changed'],
    ] as const) {
      test(`whose page says ${statusCode} and ${what} is ${code}`, () =>
        assert.rejects(readThrough(() => detailPage({ statusCode, ...detail })).reading, { code }));
    }

  describe('whose page redirects by its data', () => {
    const leading = (browserRedirectUrl: unknown, more: object = {}) =>
      dataPage({
        'webapp.app-context': {},
        'webapp.browserRedirect-context': { originalUrl: `/@_/video/${id}`, browserRedirectUrl },
        ...more,
      });
    const itemStruct = { id, createTime: '1762961788', imagePost: { images: [] } };
    const detail = { 'webapp.video-detail': { statusCode: 0, itemInfo: { itemStruct } } };
    const follow = (first: string, second: string) => {
      let opened = 0;
      return readThrough(() => (opened++ === 0 ? first : second));
    };
    const pagesOf = (urls: string[]) => urls.filter((url) => !url.includes('/embed/'));
    const photo = `/@mira.kettle/photo/${id}`;

    for (const target of [photo, `https://www.tiktok.com${photo}?lang=en`]) {
      test(`is read at ${target}`, async () => {
        const { urls, reading } = follow(leading(target), leading('', detail));
        const { data } = (await reading) as { data: ShortvideoVideo };
        assert.equal(data.create_time, '2025-11-12T15:36:28.000Z');
        assert.deepEqual(urls, [`/@_/video/${id}`, target.replace('https://www.tiktok.com', '')]);
      });
    }

    test('is read from the first page if its data is there', async () => {
      const { urls, reading } = follow(leading(photo, detail), '');
      await reading;
      assert.equal(urls.length, 1);
    });

    test('is redirected once', async () => {
      const { urls, reading } = follow(leading(photo), leading(`/@mira/photo/${id}`));
      await assert.rejects(reading, { code: 'platform_changed', message: /browserRedirect-context/ });
      assert.equal(pagesOf(urls).length, 2);
    });

    const elsewhere = ['/@mira.kettle/photo/7571000000000000999', `https://shop.example${photo}`, '/login'];
    for (const target of [...elsewhere, '', 7, null]) {
      test(`is not redirected to ${target}`, async () => {
        const { urls, reading } = follow(leading(target), leading('', detail));
        await assert.rejects(reading, { code: 'platform_changed' });
        assert.equal(pagesOf(urls).length, 1);
      });
    }
  });

  test('that is refused is requested once by each route', async () => {
    const { urls, reading } = readThrough(() => [403, '']);
    await assert.rejects(reading, { code: 'platform_blocked' });
    assert.deepEqual(urls, [`/@_/video/${id}`, `/embed/v2/${id}`]);
  });

  test('aborted during the oEmbed request ends with the caller’s reason', async () => {
    const reason = new Error('given up');
    const { reading } = readThrough((url) => {
      if (url.includes('/oembed')) throw reason;
      return detailPage({ statusCode: 10204 });
    });
    await assert.rejects(reading, reason);
  });
});
