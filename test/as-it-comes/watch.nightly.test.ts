import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { noBrowser } from '../support/browser-site.js';
import { saysNextRun } from '../support/program-output.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { moveOn, serveSite } from './harness.js';

describe('a watch, with every setting as it comes', { skip: noBrowser }, () => {
  test('runs immediately and again a day later, in the browser where plain requests are refused', async () => {
    const { home, start, plain, browsed } = await serveSite(shortvideoSite());
    const inputs = path.join(home, 'videos.txt');
    writeFileSync(inputs, `${videoId}\n${BigInt(videoId) + 1n}\n`);
    const output = path.join(home, 'comments.ndjson');
    const watch = start(['watch', 'shortvideo/comments', inputs, '--every', '1d', '-o', output], {
      stepMs: 86_400_000,
    });
    const lines = () =>
      readdirSync(home)
        .filter((name) => /^comments.*\.ndjson$/.test(name))
        .sort()
        .map((name) => readFileSync(path.join(home, name), 'utf8').split('\n').slice(0, -1));
    const isDone = (runs: number) => lines().filter((run) => run.length === 2).length === runs;
    await saysNextRun(watch);
    const [plainBefore, browsedBefore] = [plain().length, browsed().length];
    moveOn(watch);
    while (!isDone(2)) await sleep(100);
    watch.kill('SIGTERM');
    await once(watch, 'close');
    for (const run of lines()) {
      assert.deepEqual(
        run.map((line) => JSON.parse(line).data.length),
        [20, 20],
      );
    }
    // Yesterday's answers have expired: both runs requested the platform, first without the browser.
    assert.ok(plain().length > plainBefore && browsed().length > browsedBefore);
    const documents = browsed().filter(({ path: at }) => at.startsWith('/@'));
    assert.equal(documents.length, 4);
  });
});
