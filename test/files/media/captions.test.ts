import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { MediaRef } from '../../../src/files/media/media-items.js';
import { spokenText } from '../../../src/files/media/web-vtt.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import {
  type MediaUpstream,
  mediaSource,
  saveMedia,
  serve,
  sha256,
  startMediaUpstream,
} from './media-upstream.js';

const folder = temporaryFolder();
let upstream: MediaUpstream;
before(async () => {
  upstream = await startMediaUpstream();
});
after(() => upstream.close());

const vtt = (...lines: readonly string[]) => Buffer.from(lines.join('\n'));
const spoken = vtt('WEBVTT', '', '00:00:00.060 --> 00:00:01.900', 'El té está listo.', '');

const save = (name: string, refs: readonly MediaRef[]) =>
  saveMedia(path.join(folder, name), mediaSource(upstream, { platform: 'shortvideo' }), refs);

const caption = (
  at: string,
  kind: 'original' | 'translated' | null = 'original',
  language: string | null = 'spa-ES',
): MediaRef => ({
  item: '7571',
  number: 1,
  address: `${upstream.origin}${at}`,
  captions: { language, kind },
});

describe('captions', () => {
  test('are saved as WebVTT with a text file each, and the manifest says whose words they are', async () => {
    const translated = vtt('WEBVTT', '', '00:00:00.060 --> 00:00:01.900', 'The tea is ready.');
    upstream.on('/es', serve(spoken, 'video/mp4'));
    upstream.on('/en', serve(translated, 'text/vtt'));
    const refs = [caption('/es'), caption('/en', 'translated', 'eng-US')];
    const { lines, files, totals } = await save('both', refs);
    const dir = path.join(folder, 'both');
    assert.deepEqual(files, [
      '7571.eng-US.translated.txt',
      '7571.eng-US.translated.vtt',
      '7571.spa-ES.original.txt',
      '7571.spa-ES.original.vtt',
      'manifest.ndjson',
    ]);
    const text = Buffer.from('El té está listo.\n');
    assert.deepEqual(
      lines.find(({ captions }) => captions?.kind === 'original'),
      {
        ...caption('/es'),
        ...{ file: '7571.spa-ES.original.vtt', bytes: spoken.length, type: 'text/vtt' },
        sha256: sha256(spoken),
        text: { file: '7571.spa-ES.original.txt', bytes: text.length, sha256: sha256(text) },
      },
    );
    assert.deepEqual(readFileSync(path.join(dir, '7571.spa-ES.original.txt')), text);
    assert.equal(totals.saved, 2);

    const requestCount = upstream.requests.length;
    assert.equal((await save('both', refs)).totals.known, 2);
    assert.equal(upstream.requests.length, requestCount, 'what is there is not asked for again');
    rmSync(path.join(dir, '7571.spa-ES.original.txt'));
    const again = await save('both', refs);
    assert.ok(again.files.includes('7571.spa-ES.original.txt'), 'a text that was taken away is made again');
  });

  test('leave no file if the host sends something else, and the manifest has the cause', async () => {
    upstream.on('/html', serve(Buffer.from('<html>Log in</html>'), 'text/html'));
    upstream.on('/json', serve(Buffer.from('{"status":1}'), 'application/octet-stream'));
    upstream.on('/empty', serve(Buffer.alloc(0), 'text/vtt'));
    upstream.on('/wordless', serve(vtt('WEBVTT', '', 'NOTE nothing is said'), 'text/vtt'));
    upstream.on('/expired', (_, response) => response.writeHead(403).end());
    upstream.on('/large', serve(Buffer.concat([spoken, Buffer.alloc(900_001, 10)]), 'text/vtt'));
    const paths = ['html', 'json', 'empty', 'wordless', 'expired', 'large'];
    const refs = [
      ...paths.map((name) => caption(`/${name}`, null, name)),
      { ...caption('/es', null, 'elsewhere'), address: 'http://198.51.100.7/es' },
    ];
    const { lines, files, totals } = await save('refused', refs);
    const outcomes = Object.fromEntries(
      lines.map(({ captions, error }) => [captions?.language, [error?.code, error?.message]]),
    );
    assert.match(outcomes.html?.[1] ?? '', /^Its host sent text\/html instead of WebVTT with words\./);
    for (const name of ['json', 'empty', 'wordless']) {
      assert.equal(outcomes[name]?.[0], 'platform_changed');
      assert.match(outcomes[name]?.[1] ?? '', /^The received file is not WebVTT with words\./);
    }
    assert.match(outcomes.expired?.[1] ?? '', /the URL has expired/);
    assert.equal(outcomes.elsewhere?.[0], 'invalid_url');
    assert.deepEqual(outcomes.large, [undefined, undefined], 'what follows the words may be long');
    assert.deepEqual([totals.failed, totals.saved], [6, 1]);
    assert.deepEqual(files, ['7571.large.captions-1.txt', '7571.large.captions-1.vtt', 'manifest.ndjson']);
  });
});

test('the text of WebVTT has its words alone: no times, names, marks or notes, and no line twice in a row', () => {
  const bytes = vtt(
    ...['\ufeffWEBVTT - a title', 'Kind: captions', ''],
    ...['STYLE', '::cue { color: red }', '', 'NOTE', 'for nobody', ''],
    ...['first', '00:00.000 --> 00:02.000 align:start', '<v Ann>Tea &amp; <c.loud>cake</c>', 'for all', ''],
    ...['00:02.000 --> 00:03.000', 'for all', '', '00:03.000 --> 00:04.000', 'a &lt; b<00:03.500> yes', ''],
  );
  assert.equal(spokenText(bytes), 'Tea & cake\nfor all\na < b yes\n');
  assert.equal(spokenText(vtt('WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\none\r\ntwo\r\n')), 'one\ntwo\n');
  assert.equal(spokenText(vtt('WEBVTT')), '');
  assert.equal(spokenText(vtt('WEBVTTX', '', '00:01.000 --> 00:02.000', 'no')), null);
  assert.equal(spokenText(Buffer.from([0x57, 0x45, 0x42, 0x56, 0x54, 0x54, 0x0a, 0xff, 0xfe])), null);
});
