import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

describe('pseudonyms, with every setting as it comes', { skip: noBrowser }, () => {
  test('are equal in a call, a batch and a conversion, and no file contains a plain name', async () => {
    const { home, run } = await serveSite(shortvideoSite());
    const inHome = (name: string) => path.join(home, name);
    const hide = ['--pseudonymise', 'author,username'];
    const call = ['shortvideo', 'comments', '--id', videoId, '--all'];
    const plain = await run([...call, '-o', inHome('plain.ndjson')]);
    assert.equal(plain.status, 0, plain.err);
    assert.match(readFileSync(inHome('plain.ndjson'), 'utf8'), /"user1"/);

    const single = await run([...call, ...hide, '-o', inHome('call.csv')]);
    assert.equal(single.status, 0, single.err);
    writeFileSync(inHome('videos.ndjson'), `{"url":"https://www.tiktok.com/@baker/video/${videoId}"}\n`);
    const batch = [
      'batch',
      'shortvideo/comments',
      inHome('videos.ndjson'),
      '--all',
      '--sources',
      '--flatten',
    ];
    const many = await run([...batch, ...hide, '-o', inHome('batch.ndjson')]);
    assert.equal(many.status, 0, many.err);
    const source = [inHome('plain.ndjson'), inHome('converted.ndjson'), '--endpoint', 'shortvideo/comments'];
    const converted = await run(['convert', ...source, ...hide, '--keep-names', 'user1']);
    assert.equal(converted.status, 0, converted.err);

    const [csv = '', lines = '', again = ''] = ['call.csv', 'batch.ndjson', 'converted.ndjson'].map((name) =>
      readFileSync(inHome(name), 'utf8'),
    );
    for (const text of [csv, lines]) assert.doesNotMatch(text, /\buser\d|baker/);
    const of = (text: string) => new Set(text.match(/person_[0-9a-f]{20}/g));
    const named = of(csv);
    assert.ok(named.size >= commentsOfVideo - 1, `${named.size} people`);
    for (const one of of(again)) assert.ok(named.has(one), one);
    for (const one of named) assert.ok(lines.includes(one), one);
    assert.match(again, /\buser1\b/);
    assert.doesNotMatch(again, /\buser2\b/);
    const keys = readdirSync(home, { recursive: true }).filter((name) =>
      String(name).endsWith('pseudonym.key'),
    );
    assert.equal(keys.length, 1);
    assert.equal(statSync(inHome(String(keys[0]))).mode & 0o777, 0o600);

    const resumed = await run([...batch, '--resume', '-o', inHome('batch.ndjson')]);
    assert.equal(resumed.status, 2);
    assert.match(resumed.err, /started with --pseudonymise/);
  });
});
