import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { replay, withoutCaptures } from '../support/replay.js';

const skip = withoutCaptures();
const site = 'https://www\\.instagram\\.com';
const file = (name: string) => `photosocial/${name}`;
const _natgeo = { url: `^${site}/natgeo/$`, capture: file('x26_profile_page_natgeo.html') };
const _reel = { url: `^${site}/p/DdG4RIxIPyf/$`, capture: file('x26_post_page_reel_natgeo.html') };
const codeOf = (stderr: string) =>
  JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}').error?.code;

describe('the command over real photosocial pages', { skip, concurrency: 2 }, () => {
  test('a failed call keeps its pages, replays alike, and says what it saw', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'extract-failed-'));
    try {
      const command = ['photosocial', 'post', 'DdG4RIxIPyf', '--json', '--debug'];
      const routes = [{ url: `^${site}/`, capture: file('error_route_2026-01_guru.html') }];
      const run = await replay(routes, [...command, '--save-pages', dir]);
      assert.equal(codeOf(run.stderr), 'platform_restricted');
      const { seen } = JSON.parse(run.stderr.split('\n').find((line) => line.includes('"seen"')) ?? '{}');
      assert.deepEqual(
        [seen[0].status, seen[0].bytes, seen[0].title, seen[0].names],
        [200, 793918, 'Instagram', ['PolarisErrorRoute']],
      );
      assert.match(seen[0].url, /embed/);
      assert.equal(seen[1].document, 'PolarisLoggedOutDesktopWWWPostRootContentQuery');
      const again = await replay([], [...command, '--from-pages', dir]);
      assert.equal(codeOf(again.stderr), 'platform_restricted');
      assert.equal(
        again.stderr.split('\n').find((line) => line.includes('"seen"')),
        JSON.stringify({ seen }),
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
