import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { machineIn } from '../support/worlds/as-it-comes.js';
import { account } from '../support/worlds/photosocial.js';
import { profileAccount, singleVideo } from '../support/worlds/shortvideo.js';

test('only the account without another source fails while its page waits', async (t) => {
  const closed = 'closed.kettle';
  const entry = { isError: false, code: 200, userInfo: { uniqueId: closed, code: 200 }, videoList: [] };
  const state = JSON.stringify({ source: { data: { [`/embed/@${closed}`]: entry } } });
  const { run, folder } = await machineIn(t, 'home', undefined, ({ path: at }) =>
    at === `/embed/@${closed}`
      ? {
          body: `<html><script id="__FRONTITY_CONNECT_STATE__" type="application/json">${state}</script></html>`,
        }
      : undefined,
  );
  const [input, output] = [path.join(folder, 'names.txt'), path.join(folder, 'names.ndjson')];
  writeFileSync(input, [profileAccount(1), profileAccount(2), closed].join('\n'));
  const { status, err, seconds } = await run(['batch', 'tiktok/profile', input, '-o', output]);
  assert.equal(status, 7, err);
  assert.match(err, /3 inputs in .*: 2 answered, 1 failed \(1 platform blocked\)/);
  assert.ok(seconds < 600, `${seconds} s`);
});

const urls = [
  `https://www.tiktok.com/@${profileAccount(1)}`,
  'https://www.linkedin.com/in/ilse-brandvik',
  'https://www.linkedin.com/company/ember-and-clay',
  'https://www.google.com/maps/place/?q=place_id:ChIJtjc9rEc1bkcRzq9EdYiTlqE',
  'https://example.org/x',
  `https://www.tiktok.com/@x/video/${singleVideo}`,
  `https://www.instagram.com/${account}/`,
];

test('URLs of four platforms, one of which refuses the address: the others are read first, and none waits', async (t) => {
  const { run, folder } = await machineIn(t, 'datacentre');
  const [input, output] = [path.join(folder, 'urls.txt'), path.join(folder, 'all.ndjson')];
  writeFileSync(input, urls.join('\n'));
  // An earlier command was refused, too.
  assert.equal((await run(['linkedin', 'profile', 'ilse-brandvik'])).status, 5);
  const { status, err, seconds } = await run(['batch', input, '-o', output, '--wait-at-most', '2h']);
  assert.equal(status, 5, err);
  assert.match(err, /^URLs: 1 for tiktok\/profile, .*, 1 invalid\.$/m);
  for (const part of ['tiktok-profile', 'google-maps-place', 'tiktok-video', 'instagram-profile']) {
    const lines = readFileSync(path.join(folder, `all.${part}.ndjson`), 'utf8');
    assert.match(lines, /"data":\{/, part);
    // Waiting for LinkedIn comes after all of them.
    assert.ok(err.indexOf(`all.${part}.ndjson`) < err.lastIndexOf('all.linkedin-profile.ndjson'), part);
  }
  assert.match(err, /linkedin\/profile is read after the others, because LinkedIn refuses\./);
  assert.match(err, /Wait an hour, because the platform refuses every request/);
  assert.doesNotMatch(err, /a few minutes/);
  assert.ok(seconds > 3600 && seconds < 3 * 3600, `${seconds} s`);
});
