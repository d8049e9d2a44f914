import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { replay, withoutCaptures } from '../support/replay.js';

const skip = withoutCaptures();
const capture = (name: string) =>
  readFileSync(path.join(packageRoot(), '..', 'shared', 'captures', 'shortvideo', name), 'utf8');
const site = 'https://www\\.tiktok\\.com';

describe('the command over real shortvideo pages', { skip, concurrency: 2 }, () => {
  test('a real page whose item is under another scope, or under none', async () => {
    const file = 'video_page_2025-12_illojuan_7571863205253778710.raw.html';
    for (const [name, code, words] of [
      ['webapp.video-page', 'platform_changed', /webapp\.video-page/],
      ['webapp.biz-context', 'platform_blocked', /shell/],
    ] as const) {
      const body = capture(file).replace('"webapp.video-detail":', `"${name}":`);
      const run = await replay(
        [{ url: `^${site}/@_/video/7571863205253778710$`, body }],
        ['shortvideo', 'video', '7571863205253778710', '--json'],
      );
      const { error } = JSON.parse(run.stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}');
      assert.equal(error.code, code);
      assert.match(error.message, words);
    }
  });
});
