import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashtagsOf, mentionsOf, postObject } from '../../../lib/platforms/photosocial/post-object.js';
import { itemPost } from '../../../lib/platforms/photosocial/post-shapes.js';
import { busyMs } from '../../support/loop-watch.js';

describe('hashtags of a caption', () => {
  const cases: [caption: string, tags: string[]][] = [
    ['', []],
    ['no tags, 50 % # alone', []],
    ['#Lamp #lamp #LAMP', ['lamp']],
    ['end of sentence #sea.', ['sea']],
    ['“in quotes #Lampcore.”', ['lampcore']],
    ['#one#two #three', ['one', 'two', 'three']],
    ['in the mid#dle', ['dle']],
    ['#2026 #24for24 #10Things', ['2026', '24for24', '10things']],
    ['#under_score #dash-ed #dot.ted', ['under_score', 'dash', 'dot']],
    ['Ελληνικά #Καλημέρα, русский #Маяк', ['καλημέρα', 'маяк']],
    ['العربية #منارة عبرית #מגדלור', ['منارة', 'מגדלור']],
    ['日本の#灯台と#海', ['灯台と', '海']],
    ['हिन्दी #प्रकाशस्तंभ ไทย #ประภาคาร', ['प्रकाशस्तंभ', 'ประภาคาร']],
    ['한국어 #등대! Tiếng Việt #hảiđăng', ['등대', 'hảiđăng']],
    ['#cafe\u0301 #café', ['café']],
    ['#sun☀️ #☀️', ['sun']],
    ['https://pages.example/a#part and HTTP://x.example/#b #real', ['real']],
    ['an entity &#39; is none', []],
    ['\n#line\n#break', ['line', 'break']],
  ];
  for (const [caption, tags] of cases) {
    test(`are [${tags}] in ${JSON.stringify(caption)}`, () => assert.deepEqual(hashtagsOf(caption), tags));
  }

  test('have at most 150 characters', () => {
    assert.deepEqual(hashtagsOf(`#${'ш'.repeat(200)}`), ['ш'.repeat(150)]);
  });

  test('are none without a caption, and unknown if the caption is unknown', () => {
    const item = { code: 'DdG4RIxIPyf', media_type: 1 };
    for (const [caption, lists] of [
      [{ caption: null }, []],
      [{ caption: { text: '' } }, []],
      [{}, null],
      [{ caption: {} }, null],
      [{ caption: { text: null } }, null],
    ] as const) {
      const { hashtags, mentions } = postObject(itemPost({ ...item, ...caption }));
      assert.deepEqual([hashtags, mentions], [lists, lists], JSON.stringify(caption));
    }
  });
});

describe('mentions of a caption', () => {
  const cases: [caption: string, names: string[]][] = [
    ['with @Mossy.Kiln and @mossy.kiln', ['mossy.kiln']],
    ['thank you @quiet_tern. And @a.b.c...', ['quiet_tern', 'a.b.c']],
    ['@first, (@second) "@third"', ['first', 'second', 'third']],
    ['@harborlamp’s', ['harborlamp']],
    ['mail hello@lamp.example', []],
    ['почта@lamp', []],
    ['@ alone, @. and @...', []],
    ['https://pages.example/@someone @real', ['real']],
    ['@one@two', ['one']],
    [`@${'a'.repeat(31)} is no handle, @mira${'.'.repeat(40)} is`, ['mira']],
  ];
  for (const [caption, names] of cases) {
    test(`are [${names}] in ${JSON.stringify(caption)}`, () => assert.deepEqual(mentionsOf(caption), names));
  }

  test('are found within two seconds in a million characters', () => {
    const startedAt = busyMs();
    hashtagsOf('#'.repeat(1_000_000));
    mentionsOf('@.'.repeat(500_000));
    hashtagsOf('https://'.repeat(100_000));
    assert.ok(busyMs() - startedAt < 2_000);
  });
});
