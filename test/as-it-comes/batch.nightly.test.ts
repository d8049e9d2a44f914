import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { medianGap, serveSite } from './harness.js';

describe('a batch, with every setting as it comes', { skip: noBrowser }, () => {
  test('is answered by the browser after the refusal of its first plain request, at the pace', async () => {
    const { home, run, browsed, plain } = await serveSite(shortvideoSite());
    const inputs = Array.from({ length: 6 }, (_, at) => String(BigInt(videoId) + BigInt(at)));
    const file = path.join(home, 'videos.ndjson');
    writeFileSync(file, inputs.map((id) => `${JSON.stringify({ id })}\n`).join(''));
    const { status, out, err } = await run(['batch', 'shortvideo/comments', file]);
    assert.equal(status, 0, err);
    const lines = out.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).data.length),
      [20, 20, 20, 20, 20, 20],
    );
    const documents = browsed().filter(({ path: at }) => at.startsWith('/@'));
    assert.equal(documents.length, 6);
    // Turns are 1.5 s apart. The first page waits for a browser that starts, so what arrives is a little closer.
    assert.ok(medianGap(documents) > 1_350, String(medianGap(documents)));
    assert.ok(plain().length >= 1);
  });

  test('reads more lists than pages are open, each completely and from one document', async () => {
    const { home, run, browsed } = await serveSite(shortvideoSite());
    const inputs = Array.from({ length: 6 }, (_, at) => String(BigInt(videoId) + BigInt(at)));
    const file = path.join(home, 'videos.txt');
    writeFileSync(file, inputs.join('\n'));
    const { status, out, err } = await run(['batch', 'shortvideo/comments', file, '--all']);
    assert.equal(status, 0, err);
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data.length),
      inputs.map(() => commentsOfVideo),
    );
    const requests = browsed();
    assert.equal(requests.filter(({ path: at }) => at.startsWith('/@')).length, 6);
    const parts = requests.filter(({ path: at }) => at === '/api/comment/list/');
    assert.equal(parts.length, 18);
    assert.ok(medianGap(requests.filter(({ path: at }) => /^\/(@|api\/comment)/.test(at))) > 1_350);
  });
});
