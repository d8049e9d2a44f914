import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { captionsOf } from '../../../lib/platforms/shortvideo/captions.js';
import { video } from '../../../lib/platforms/shortvideo/video.js';
import { sourceTexts } from '../../../lib/read/item-source.js';
import { dataPage, readCase } from './read-case.js';

const url = (name: string) => `https://v16-webapp.tiktokcdn-eu.com/video/${name}/?a=1988`;
const subtitle = (language: string, Source: string, Format = 'webvtt') => ({
  ...{ LanguageCodeName: language, Url: url(language), Format, Source, UrlExpire: '1793700000' },
});
const info = (language: string, isOriginalCaption: boolean | undefined, urlList?: readonly string[]) => ({
  ...{ language, captionFormat: 'webvtt', isOriginalCaption, urlList },
  ...(urlList === undefined ? { url: url(language) } : {}),
});

describe('the captions of a video', () => {
  test('come from either list, each language once, marked as spoken or translated', () => {
    const both = [
      { language: 'eng-US', kind: 'translated', url: url('eng-US') },
      { language: 'spa-ES', kind: 'original', url: url('spa-ES') },
    ];
    const subtitleInfos = [subtitle('eng-US', 'MT'), subtitle('spa-ES', 'ASR')];
    const claInfo = { captionInfos: [info('eng-US', false), info('spa-ES', true)] };
    assert.deepEqual(captionsOf({ video: { subtitleInfos } }), both);
    assert.deepEqual(captionsOf({ video: { claInfo } }), both);
    assert.deepEqual(captionsOf({ video: { claInfo, subtitleInfos } }), both);
  });

  test('have null for what the page lacks, and omit other formats than WebVTT', () => {
    const subtitleInfos = [
      { Url: url('a'), Format: 'webvtt', Source: 'NEW' },
      subtitle('deu-DE', 'MT', 'creator_caption'),
      { LanguageCodeName: 'fra-FR', Format: 'webvtt' },
      null,
    ];
    assert.deepEqual(captionsOf({ video: { subtitleInfos } }), [
      { language: null, kind: null, url: url('a') },
    ]);
    const claInfo = { captionInfos: [info('ita-IT', undefined, [url('list')])] };
    assert.deepEqual(captionsOf({ video: { claInfo } }), [
      { language: 'ita-IT', kind: null, url: url('list') },
    ]);
  });

  test('are unknown if the page has no list of them', () => {
    for (const item of [undefined, {}, { video: {} }, { video: { claInfo: {}, subtitleInfos: 'x' } }])
      assert.equal(captionsOf(item), undefined);
    assert.deepEqual(captionsOf({ video: { subtitleInfos: [] } }), []);
  });

  for (const scope of ['webapp.video-detail', 'webapp.reflow.video.detail']) {
    test(`are with the source of a video whose page has ${scope}`, async () => {
      const id = '7571000000000000201';
      const itemStruct = {
        id,
        createTime: '1789000000',
        video: { subtitleInfos: [subtitle('spa-ES', 'ASR')] },
      };
      const body = `<html>${dataPage({ [scope]: { statusCode: 0, itemInfo: { itemStruct } } })}`;
      const { sources } = await readCase(video, 'rich', { before: [{ pattern: '/video/', body }] });
      const captions = [{ language: 'spa-ES', kind: 'original', url: url('spa-ES') }];
      assert.deepEqual((sources?.[0] as { captions?: unknown } | undefined)?.captions, captions);
    });
  }

  test('are in the cache, but not in the sources of an answer', () => {
    const place = { id: '1', url: null, author: null };
    const captions = [{ language: null, kind: null, url: url('a') }];
    const stored = JSON.stringify([place, { ...place, id: '2', captions }]);
    const textsOf = (json: string) => sourceTexts(json, 0, '2026-11-24T00:00:00.000Z');
    const texts = textsOf(stored);
    assert.ok(!texts.sources.includes('captions'));
    assert.deepEqual(JSON.parse(texts.captions ?? ''), [{ id: '2', captions }]);
    assert.equal(textsOf(JSON.stringify([place])).captions, undefined);
  });
});
