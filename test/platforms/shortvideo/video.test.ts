import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ShortvideoVideo } from '../../../lib/index.js';
import { video } from '../../../lib/platforms/shortvideo/video.js';
import { readItem } from '../../../lib/platforms/shortvideo/video-item.js';
import { page } from '../../../lib/web/page.js';
import { readCase } from './read-case.js';

const id = '7571000000000000201';
const item = (over: object) => readItem(over, id);

describe('an item of the platform', () => {
  test('with nothing in it is unknown in every field but its id', () => {
    for (const nothing of [{}, null, undefined, [], 'x', 7]) {
      const { id: itemId, ...rest } = readItem(nothing, id);
      assert.equal(itemId, id);
      assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
    }
  });

  test('has its counts by their exact text, else by number, and never below zero', () => {
    const counts = (statsV2: object, stats: object) => item({ statsV2, stats }).like_count;
    assert.equal(counts({ diggCount: '9871' }, { diggCount: 9900 }), 9871);
    assert.equal(counts({}, { diggCount: 9900 }), 9900);
    assert.equal(counts({ diggCount: '' }, { diggCount: '12' }), 12);
    assert.equal(counts({ diggCount: '-1' }, { diggCount: -1614092016 }), null);
    assert.equal(counts({ diggCount: '99999999999999999999' }, {}), null);
    assert.equal(counts({ diggCount: '1.4M' }, {}), null);
    assert.equal(counts({ diggCount: '0' }, { diggCount: 0 }), 0);
  });

  test('has its hashtags from the first list that holds some, lower case, each once', () => {
    const names = (over: object) => item(over).hashtag_names;
    assert.deepEqual(
      names({ challenges: [{ title: 'One' }, { title: '#two' }, { title: 'one' }, { title: '' }] }),
      ['one', 'two'],
    );
    assert.deepEqual(
      names({
        challenges: [],
        textExtra: [
          { hashtagName: 'three', type: 1 },
          { hashtagName: '', type: 0 },
        ],
      }),
      ['three'],
    );
    assert.deepEqual(
      names({
        contents: [{ textExtra: [{ hashtagName: 'four' }] }, { textExtra: [{ hashtagName: 'five' }] }],
      }),
      ['four', 'five'],
    );
    assert.deepEqual(names({ challenges: [], textExtra: [], contents: [] }), []);
    assert.deepEqual(names({ textExtra: [] }), []);
    assert.equal(names({ desc: 'a caption with #one' }), null);
    assert.equal(names({ challenges: null, textExtra: 'x', contents: {} }), null);
  });

  test('of pictures has its hashtags in the parts of its caption alone', () => {
    const names = (over: object) => item({ challenges: [], imagePost: {}, ...over }).hashtag_names;
    assert.equal(names({}), null);
    assert.deepEqual(names({ contents: [] }), []);
    assert.deepEqual(names({ imagePost: null }), []);
  });

  test('has no hashtags if one lacks its name, unless another list has all', () => {
    const names = (over: object) => item(over).hashtag_names;
    const [one, nameless] = [{ title: 'one' }, { name: 'two' }];
    for (const challenges of [[null, 7, {}], [nameless], [one, nameless], [one, { title: null }]]) {
      assert.equal(names({ challenges }), null);
      assert.equal(names({ challenges, textExtra: [] }), null);
      const textExtra = ['one', 'two'].map((hashtagName) => ({ hashtagName, type: 1 }));
      assert.deepEqual(names({ challenges, textExtra }), ['one', 'two']);
    }
    const [tag, mention, unnamed] = [{ hashtagName: 'one', type: 1 }, { type: 0, userId: '7' }, { type: 1 }];
    assert.deepEqual(names({ textExtra: [tag, mention] }), ['one']);
    for (const textExtra of [[tag, unnamed], [unnamed], [tag, { type: 1, hashtagName: null }]]) {
      assert.equal(names({ challenges: [], textExtra }), null);
      assert.equal(names({ contents: [{ textExtra: [tag] }, { textExtra }] }), null);
    }
  });

  test('has its time in seconds, as text or number, and none by guess', () => {
    for (const createTime of ['1762961788', 1762961788]) {
      assert.equal(item({ createTime }).create_time, '2025-11-12T15:36:28.000Z');
    }
    for (const createTime of ['0', 0, '', '-5', 'soon', 1e15, null])
      assert.equal(item({ createTime }).create_time, null);
  });

  test('has no duration if the platform writes 0', () => {
    assert.equal(item({ video: { duration: 0 } }).duration, null);
    assert.equal(item({ video: { duration: '64' } }).duration, 64);
  });

  test('has the first of its addresses that is one', () => {
    const cover = (over: object) => item(over).cover_image_url;
    assert.equal(
      cover({ video: { cover: '', originCover: 'https://p16.example/o' } }),
      'https://p16.example/o',
    );
    assert.equal(
      cover({
        video: { cover: 'https://p16.example/v' },
        imagePost: { cover: { imageURL: { urlList: ['https://p16.example/i'] } } },
      }),
      'https://p16.example/i',
    );
    const play = (video: object) => item({ video }).play_url;
    assert.equal(
      play({ playAddr: '', PlayAddrStruct: { UrlList: ['https://v16.example/s'] } }),
      'https://v16.example/s',
    );
    assert.equal(
      play({ bitrateInfo: [{}, { PlayAddr: { UrlList: ['https://v16.example/b'] } }] }),
      'https://v16.example/b',
    );
    assert.equal(play({ playAddr: 'javascript:alert(1)', downloadAddr: 'https://v16.example/d' }), null);
  });

  test('has a sound if the page has any of its fields', () => {
    assert.equal(item({ music: {} }).sound, null);
    assert.equal(item({ music: { id: '', title: ' ', duration: 0 } }).sound, null);
    assert.deepEqual(item({ music: { original: false, duration: 12.6 } }).sound, {
      id: null,
      title: null,
      author: null,
      is_original: false,
      duration: 13,
    });
  });
});

describe('a video', () => {
  const read = (name: string) => readCase<ShortvideoVideo>(video, name);

  test('is one request for its page', async () => {
    const { urls, requests } = await read('rich');
    assert.deepEqual(urls, [`/@_/video/${id}`]);
    assert.equal(requests[0]?.headers, undefined);
  });

  test('behind a short link is the page that the link leads to, requested once', async () => {
    const { urls, data } = await read('short link to a video');
    assert.deepEqual(urls, ['https://vm.tiktok.com/ZMinvented1/']);
    assert.equal(data.id, '7571000000000000207');
  });

  test('of pictures behind a short link is requested by its id', async () => {
    const { urls } = await read('short link to a photo post');
    assert.deepEqual(urls, ['/t/ZTinvented2/', '/@_/video/7571000000000000208']);
  });

  test('that is missing is settled by one question more', async () => {
    await assert.rejects(read('gone'), {
      code: 'video_not_found',
      message: /or it is not available in this location/,
    });
    await assert.rejects(read('withheld here: oEmbed knows it'), {
      code: 'platform_restricted',
      message: /exists but is not available/,
    });
  });

  test('that is missing by its page alone is not “not found”: oEmbed must be read for that', async () => {
    const html = `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">{"__DEFAULT_SCOPE__":{"webapp.video-detail":{"statusCode":10204,"statusMsg":"item doesn't exist"}}}</script>`;
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
      const session = {
        fetch: async ({ url }: { url: string }) =>
          url.includes('/oembed')
            ? { url, status, headers: {}, body: Buffer.from(body), text: () => body }
            : url.includes('/embed/')
              ? { url, status: 400, headers: {}, body: Buffer.from('<html>'), text: () => '<html>' }
              : { url, status: 200, headers: {}, body: Buffer.from(html), text: () => html },
        cookie: () => null,
        end: () => undefined,
      };
      const reading = video.read({ identity: { id, link: null }, limit: 1, position: null, session });
      await assert.rejects(reading, { code }, `${status} ${body}`);
    }
  });

  /** The page's code 10204 covers both removed and restricted videos; its message distinguishes them. */
  const words: [statusMsg: string, code: string, message: RegExp][] = [
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
  ];
  for (const [statusMsg, code, message] of words) {
    test(`whose page says “${statusMsg}” is ${code}`, async () => {
      const other = statusMsg === 'invalid item id' ? 100002 : 10235;
      for (const statusCode of statusMsg.startsWith('a reason') ? [10204] : [10204, other]) {
        const scope = { 'webapp.video-detail': { statusCode, statusMsg } };
        const html = `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify({ __DEFAULT_SCOPE__: scope })}</script>`;
        const session = {
          fetch: async ({ url }: { url: string }) =>
            url.includes('/oembed')
              ? statusMsg.includes('status_deleted')
                ? assert.fail('the page says it')
                : { url, status: 400, headers: {}, body: Buffer.from('{}'), text: () => '{}' }
              : { url, status: 200, headers: {}, body: Buffer.from(html), text: () => html },
          cookie: () => null,
          end: () => undefined,
        };
        await assert.rejects(
          video.read({ identity: { id, link: null }, limit: 1, position: null, session }),
          { code, message },
        );
      }
    });
  }

  describe('whose page says by its code alone that it is private', () => {
    const codeOf = (detail: object) => {
      const scope = { __DEFAULT_SCOPE__: { 'webapp.video-detail': detail } };
      const html = `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify(scope)}</script>`;
      const session = {
        fetch: async ({ url }: { url: string }) => page(url, 200, {}, Buffer.from(html)),
        cookie: () => null,
        end: () => undefined,
      };
      return video.read({ identity: { id, link: null }, limit: 1, position: null, session }).then(
        () => 'an answer',
        (error: { code: string }) => error.code,
      );
    };
    const item = { id, createTime: '1789000000', stats: { playCount: 5 } };
    for (const statusCode of [10216, 10222]) {
      for (const [what, detail, code] of [
        ['and holds nothing of it', { itemInfo: {} }, 'account_private'],
        [
          'and names its author',
          { itemInfo: { itemStruct: { id, author: { id: '7' } } } },
          'account_private',
        ],
        ['and holds it', { itemInfo: { itemStruct: item } }, 'platform_changed'],
        ['and holds it under another name', { itemInfo: { item: item } }, 'platform_changed'],
        ['and holds it one level deeper', { itemInfo: { data: { itemStruct: item } } }, 'platform_changed'],
      ] as const) {
        test(`${statusCode} ${what}: ${code}`, async () => {
          assert.equal(await codeOf({ statusCode, ...detail }), code);
        });
      }
    }
  });

  describe('whose page leads to another one by its script', () => {
    const leading = (browserRedirectUrl: unknown, more: object = {}) =>
      `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify({
        __DEFAULT_SCOPE__: {
          'webapp.app-context': {},
          'webapp.browserRedirect-context': { originalUrl: `/@_/video/${id}`, browserRedirectUrl },
          ...more,
        },
      })}</script>`;
    const detail = {
      'webapp.video-detail': {
        statusCode: 0,
        itemInfo: { itemStruct: { id, createTime: '1762961788', imagePost: { images: [] } } },
      },
    };
    async function readThrough(first: string, second: string) {
      const urls: string[] = [];
      const session = {
        fetch: async ({ url }: { url: string }) => {
          urls.push(url.replace('https://www.tiktok.com', ''));
          const html = urls.length === 1 ? first : second;
          return { url, status: 200, headers: {}, body: Buffer.from(html), text: () => html };
        },
        cookie: () => null,
        end: () => undefined,
      };
      const identity = { id, link: null };
      const reading = video.read({ identity, limit: 1, position: null, session });
      return { urls, read: reading };
    }
    const photo = `/@mira.kettle/photo/${id}`;

    test('is read there, where that is its own', async () => {
      for (const target of [photo, `https://www.tiktok.com${photo}?lang=en`]) {
        const { urls, read } = await readThrough(leading(target), leading('', detail));
        const { data } = (await read) as { data: ShortvideoVideo };
        assert.equal(data.create_time, '2025-11-12T15:36:28.000Z');
        assert.deepEqual(urls, [`/@_/video/${id}`, target.replace('https://www.tiktok.com', '')]);
      }
    });

    test('is read in place, if its data is there', async () => {
      const { urls, read } = await readThrough(leading(photo, detail), '');
      await read;
      assert.equal(urls.length, 1);
    });

    test('is followed once, and to no other video or site', async () => {
      const twice = await readThrough(leading(photo), leading(`/@mira/photo/${id}`));
      await assert.rejects(twice.read, { code: 'platform_changed', message: /browserRedirect-context/ });
      assert.equal(twice.urls.filter((url) => !url.includes('/embed/')).length, 2);
      for (const target of [
        '/@mira.kettle/photo/7571000000000000999',
        `https://shop.example${photo}`,
        '/login',
        '',
        7,
        null,
      ]) {
        const { urls, read } = await readThrough(leading(target), leading('', detail));
        await assert.rejects(read, { code: 'platform_changed' });
        assert.equal(urls.filter((url) => !url.includes('/embed/')).length, 1);
      }
    });
  });

  test('that is refused is requested once in each place', async () => {
    const requests: string[] = [];
    const session = {
      fetch: async ({ url }: { url: string }) => {
        requests.push(url);
        return { url, status: 403, headers: {}, body: new Uint8Array(), text: () => '' };
      },
      cookie: () => null,
      end: () => undefined,
    };
    await assert.rejects(video.read({ identity: { id, link: null }, limit: 1, position: null, session }), {
      code: 'platform_blocked',
    });
    assert.deepEqual(requests, [
      `https://www.tiktok.com/@_/video/${id}`,
      `https://www.tiktok.com/embed/v2/${id}`,
    ]);
  });

  test('aborted during the oEmbed request ends with the caller’s reason', async () => {
    const reason = new Error('given up');
    const html = `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">{"__DEFAULT_SCOPE__":{"webapp.video-detail":{"statusCode":10204}}}</script>`;
    const session = {
      fetch: async ({ url }: { url: string }) => {
        if (url.includes('/oembed')) throw reason;
        return { url, status: 200, headers: {}, body: Buffer.from(html), text: () => html };
      },
      cookie: () => null,
      end: () => undefined,
    };
    await assert.rejects(
      video.read({ identity: { id, link: null }, limit: 1, position: null, session }),
      reason,
    );
  });
});
