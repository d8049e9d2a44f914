import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, stillThere } from '../support/browser-load.js';
import { noBrowser } from '../support/browser-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

const comments = ['shortvideo', 'comments', '--id', videoId, '--json'];

describe('leftovers of a browser, with default settings', { skip: noBrowser }, () => {
  test('are gone after an answer, and after a kill once another browser has started', async () => {
    let hangs = true;
    const page = shortvideoSite();
    const { temporary, home, start, browsed, extract } = await serveSite((request) => {
      if (!request.browsed) return { body: '' };
      return hangs && request.path === '/api/comment/list/' ? { hang: true } : page(request);
    });
    const killed = start(comments);
    while (!browsed().some(({ path: at }) => at === '/api/comment/list/')) await sleep(50);
    const below = descendantsOf(killed.pid ?? 0);
    const [folder] = readdirSync(temporary).filter((name) => name.startsWith('extract-browser-'));
    assert.ok(folder !== undefined);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    while (stillThere(below).length > 0) await sleep(50);
    assert.ok(existsSync(path.join(temporary, folder)));
    hangs = false;
    const { status, err } = await extract('shortvideo/comments', ['--id', videoId]);
    assert.equal(status, 0, err);
    assert.deepEqual(
      readdirSync(temporary).filter((name) => /extract|playwright|chrom/i.test(name)),
      [],
    );
    const cache = path.join(home, '.cache', 'chromium-headless');
    assert.deepEqual(existsSync(cache) ? readdirSync(cache) : [], []);
  });
});
