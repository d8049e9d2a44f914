import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { noBrowser } from '../support/browser-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

describe('faults of a browser, with every setting as it comes', { skip: noBrowser, concurrency: 2 }, () => {
  test('a browser that fails to start says why, and no other answer replaces it', async () => {
    const { extract, home, run } = await serveSite(() => ({ body: '' }));
    const program = path.join(home, 'chromium');
    const words =
      'chromium: error while loading shared libraries: libnss3.so: cannot open shared object file';
    writeFileSync(program, `#!/bin/sh\necho '${words}' >&2\nexit 127\n`, { mode: 0o755 });
    const { status, err } = await extract('shortvideo/profile', ['--username', 'baker'], { PATH: home });
    assert.equal(status, 5);
    assert.match(err, /did not start: the library libnss3\.so is missing/);
    const doctor = await run(['doctor', '--json'], { PATH: home });
    const { data } = JSON.parse(doctor.out) as { data: { check: string; status: string; message: string }[] };
    const finding = data.find(({ check }) => check === 'browser');
    assert.equal(finding?.status, 'warning');
    assert.match(String(finding?.message), /libnss3\.so is missing/);
  });

  test('a list whose answers never come is a timeout', async () => {
    const page = shortvideoSite();
    const { extract } = await serveSite((request) => {
      if (!request.browsed) return { body: '' };
      return request.path === '/api/comment/list/' ? { hang: true } : page(request);
    });
    const { status, err } = await extract('shortvideo/comments', ['--id', videoId]);
    assert.equal(status, 5);
    assert.match(err, /no answer came in time/);
    assert.doesNotMatch(err, /shows visitors|login/);
  });

  test('a search that leads to the login page is a login that is required', async () => {
    const { extract } = await serveSite(shortvideoSite({ walled: true }));
    const { err } = await extract('shortvideo/search', ['--query', 'rye bread']);
    assert.equal(JSON.parse(err).error.code, 'platform_login_required');
    assert.match(err, /A browser was tried, too/);
  });
});
