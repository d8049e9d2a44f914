import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readVideoEmbed } from '../../../lib/platforms/shortvideo/video-embed.js';
import { page } from '../../../lib/web/page.js';
import { embedState } from './read-case.js';

const id = '7571000000000000201';

/** The embed page of a video with that entry in its state. */
function embedPage(entry: unknown, { status = 200, of = id } = {}) {
  const state = embedState({ strategy: {}, [`/embed/v2/${of}`]: entry });
  const html = `<html><script>window.__FRONTITY_CONNECT_STATE__</script>${state}</html>`;
  return page(`https://www.tiktok.com/embed/v2/${of}`, status, {}, Buffer.from(html));
}
const info = { id, createTime: '1789000000', playCount: 30_700, text: '' };
const read = (videoData: object) => readVideoEmbed(embedPage({ code: 200, isError: false, videoData }), id);
const item = (videoData: object) => read({ itemInfos: info, ...videoData })?.item;

describe('the embed page of a video', () => {
  test('has its counts and times as numbers or as text', () => {
    const counts = { playCount: '30700', diggCount: 42, commentCount: '0', shareCount: 7 };
    const { view_count, like_count, comment_count, share_count, create_time } =
      item({ itemInfos: { ...info, createTime: 1_789_000_000, ...counts } }) ?? {};
    assert.deepEqual([view_count, like_count, comment_count, share_count], [30_700, 42, 0, 7]);
    assert.equal(create_time, '2026-09-10T00:26:40.000Z');
  });

  test('has null for what it does not say, not 0, an empty text or an empty list', () => {
    const { create_time: _, view_count: __, id: ___, ...rest } = item({}) ?? {};
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
    const photo = item({ itemInfos: { ...info, video: { urls: [], videoMeta: { duration: 0 } } } });
    assert.deepEqual([photo?.duration, photo?.play_url], [null, null]);
  });

  const challengeInfoList = [{ challengeName: 'Harbour' }, { challengeName: 'tea' }];
  const textExtra = [
    { HashtagName: 'Kettle', Type: 1 },
    { HashtagName: '', Type: 0, UserId: '1' },
  ];
  for (const [videoData, names] of [
    [{ challengeInfoList }, ['harbour', 'tea']],
    [{ itemInfos: { ...info, challengeInfoList } }, ['harbour', 'tea']],
    [{ challengeInfoList: [], textExtra }, ['kettle']],
    [{ challengeInfoList: [] }, []],
    [{ challengeInfoList: [{ name: 'tea' }] }, null],
  ] as const) {
    test(`has the hashtags ${JSON.stringify(names)} in ${Object.keys(videoData)}`, () =>
      assert.deepEqual(item(videoData)?.hashtag_names, names));
  }

  test('of a photo post has the first picture, in either form, and the address of the post', () => {
    const urlList = ['https://p16.example/1.jpeg', 'https://p19.example/1.jpeg'];
    for (const imagePostInfo of [{ displayImages: [{ urlList }] }, { images: [{ imageURL: { urlList } }] }])
      assert.equal(item({ imagePostInfo })?.cover_image_url, urlList[0]);
    const author = { uniqueId: 'Mira.Kettle', userId: '7', nickName: 'Mira' };
    const authored = { itemInfos: info, authorInfos: author };
    const source = read({ ...authored, imagePostInfo: { displayImages: [] } })?.source;
    assert.deepEqual(source, {
      id,
      url: `https://www.tiktok.com/@Mira.Kettle/photo/${id}`,
      author: { id: '7', handle: 'Mira.Kettle', name: 'Mira', url: 'https://www.tiktok.com/@Mira.Kettle' },
    });
    assert.match(read({ ...authored, imagePostInfo: null })?.source.url ?? '', /video/);
  });

  test('has null for an empty mark of an original sound', () => {
    const musicInfos = { musicId: '7', musicName: 'Kettle', authorName: 'Mira', original: '' };
    const sound = item({ musicInfos })?.sound;
    assert.deepEqual(sound, { id: '7', title: 'Kettle', author: 'Mira', is_original: null, duration: null });
  });

  const elsewhere = embedPage({ videoData: { itemInfos: info } }, { of: '7571000000000000999' });
  for (const [what, answer, code] of [
    ['another video', embedPage({ videoData: { itemInfos: { ...info, id: `${id}9` } } }), 'platform_changed'],
    ['another path', elsewhere, 'platform_changed'],
    ['no video, and no reason', embedPage({ code: 200, isError: false }), 'platform_restricted'],
    ['the ID of its video alone', embedPage({ videoData: { itemInfos: { id } } }), 'platform_restricted'],
    ['a video without its ID', embedPage({ videoData: { itemInfos: { playCount: 1 } } }), 'platform_changed'],
  ] as const) {
    test(`with ${what} is ${code}`, () => assert.throws(() => readVideoEmbed(answer, id), { code }));
  }

  test('asks the caller after an overload to retry in a minute', () => {
    const busy = page('https://www.tiktok.com/', 503, {}, Buffer.from('overload-protect triggered'));
    assert.throws(() => readVideoEmbed(busy, id), { retryAfter: 60 });
  });

  test('that says that there is no video is null', () => {
    const error = { isError: true, errorCode: 10204, errorStatus: 400, pageName: 'video_v2_error' };
    const entry = { isReady: true, ...error };
    assert.equal(readVideoEmbed(embedPage(entry, { status: 400 }), id), null);
    const bare = page('https://www.tiktok.com/embed/v2/1', 400, {}, Buffer.from('<html>'));
    assert.equal(readVideoEmbed(bare, id), null);
  });

  test('with another status proves nothing, because a removed address is 404 for every video', () => {
    for (const status of [404, 410]) {
      const none = page('https://www.tiktok.com/embed/v2/1', status, {}, Buffer.from('<html>'));
      assert.throws(() => readVideoEmbed(none, id), { code: 'platform_restricted' });
    }
  });
});
