import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmall, withoutSmallFileSystem } from '../faults/small-file-system.js';
import { noBrowser } from '../support/browser-site.js';
import { saysNextRun } from '../support/program-output.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { moveOn, serveSite } from './harness.js';

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The times of the pages in a folder, each of which has its digest. */
function savedIn(folder: string): readonly string[] {
  const pages = linesOf(readFileSync(path.join(folder, 'pages.ndjson'), 'utf8'));
  return pages.map(({ file, at, sha256 }) => {
    const bytes = readFileSync(path.join(folder, file));
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.equal(new Date(at).toISOString(), at);
    return at;
  });
}

describe('an archive, with every setting as it comes', { skip: noBrowser }, () => {
  test('of a batch, with refusals and browser pages, returns the same answers without the network', async () => {
    const { home, run, plain, browsed } = await serveSite(shortvideoSite());
    const inputs = path.join(home, 'videos.txt');
    writeFileSync(inputs, `${videoId}\n${BigInt(videoId) + 1n}\n`);
    const [results, archive] = [path.join(home, 'comments.ndjson'), path.join(home, 'comments.wacz')];
    const pages = path.join(home, 'kept');
    const files = ['-o', results, '--archive', archive, '--save-pages', pages];
    const began = new Date().toISOString();
    const batch = await run(['batch', 'shortvideo/comments', inputs, '--all', ...files]);
    assert.equal(batch.status, 0, batch.err);
    assert.match(batch.err, /comments\.wacz: \d+ exchanges, sha256:[\da-f]{64}/);
    const saved = savedIn(pages);
    assert.ok(saved.length > 2 && saved.every((at) => at >= began && at <= new Date().toISOString()));
    const lines = linesOf(readFileSync(results, 'utf8'));
    assert.match(lines[1].sources[54].records[0], /^urn:uuid:/);

    const requestCount = plain().length + browsed().length;
    const verified = await run(['verify', archive, results]);
    assert.equal(verified.status, 0, verified.out + verified.err);
    assert.match(verified.out, /^line 1 {2}equal\nline 2 {2}equal\n$/);
    const again = path.join(home, 'again.ndjson');
    const derived = await run(['from-archive', archive, '-o', again]);
    assert.equal(derived.status, 0, derived.err);
    const key = ({ data }: { data: unknown }) => JSON.stringify(data);
    assert.deepEqual(linesOf(readFileSync(again, 'utf8')).map(key).toSorted(), lines.map(key).toSorted());
    assert.equal(plain().length + browsed().length, requestCount);

    const bytes = readFileSync(archive);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(archive, bytes);
    const changed = await run(['verify', archive, results]);
    assert.equal(changed.status, 8);
    assert.match(changed.out, /was altered/);
  });

  test('of a watch is one archive per run, and saved pages have their time and digest in both runs', async () => {
    const { home, run, start } = await serveSite(shortvideoSite());
    const inputs = path.join(home, 'videos.txt');
    writeFileSync(inputs, `${videoId}\n`);
    const [output, archive, pages] = ['comments.ndjson', 'pages.wacz', 'kept'].map((name) =>
      path.join(home, name),
    ) as [string, string, string];
    const files = ['-o', output, '--archive', archive, '--save-pages', pages];
    const watch = start(['watch', 'shortvideo/comments', inputs, '--every', '1d', ...files], {
      stepMs: 86_400_000,
    });
    const filesEndingIn = (ending: RegExp) =>
      readdirSync(home)
        .filter((name) => ending.test(name))
        .toSorted();
    const isDone = (runs: number) => filesEndingIn(/^pages\..*Z\.wacz$/).length === runs;
    await saysNextRun(watch);
    moveOn(watch);
    while (!isDone(2)) await sleep(100);
    watch.kill('SIGTERM');
    await once(watch, 'close');
    const [archives, results] = [
      filesEndingIn(/^pages\..*Z\.wacz$/),
      filesEndingIn(/^comments\..*Z\.ndjson$/),
    ];
    assert.deepEqual([archives.length, results.length], [2, 2]);
    for (const [at, name] of archives.entries()) {
      const verified = await run(['verify', path.join(home, name), path.join(home, results[at] ?? '')]);
      assert.equal(verified.status, 0, verified.out + verified.err);
      assert.match(verified.out, /^line 1 {2}equal\n$/);
    }
    const days = new Set(savedIn(pages).map((at) => at.slice(0, 10)));
    assert.equal(days.size, 2, 'pages of both runs, a day apart');
  });

  test('is not considered complete when the disk is full, and no result lacks its pages', {
    skip: withoutSmallFileSystem() ?? false,
  }, async () => {
    const { home, run } = await serveSite(shortvideoSite());
    const mounted = path.join(home, 'small');
    mkdirSync(mounted);
    const disk = mountSmall(mounted, 1);
    try {
      const empty = disk.fill();
      // Room for the lock, and for the beginning of the archive.
      const ballast = path.join(mounted, 'ballast');
      truncateSync(ballast, statSync(ballast).size - 8_192);
      const archive = path.join(mounted, 'comments.wacz');
      const results = path.join(home, 'comments.ndjson');
      const inputs = path.join(home, 'videos.txt');
      writeFileSync(inputs, `${videoId}\n`);
      const args = ['batch', 'shortvideo/comments', inputs, '-o', results, '--archive', archive, '--resume'];
      const full = await run(args);
      assert.notEqual(full.status, 0);
      assert.match(full.err, /archive .*comments\.wacz cannot be written/i);
      assert.equal(existsSync(archive), false);
      const lines = existsSync(results) ? readFileSync(results, 'utf8') : '';
      assert.ok(!lines.includes('"data"'), lines);
      empty();
      const again = await run(args);
      assert.equal(again.status, 0, again.err);
      assert.equal((await run(['verify', archive, results])).status, 0);
    } finally {
      disk.remove();
    }
  });
});
