import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ReplayRoute, replay, withoutCaptures } from '../support/replay.js';

const skip = withoutCaptures();
const site = 'https://www\\.linkedin\\.com';
const capture = (url: string, name: string): ReplayRoute => ({
  url: `^${site}${url}`,
  capture: `pronetwork/${name}.html`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
});
const nadella = capture('/in/satyanadella$', 'profile-satyanadella-2026-07-en');

async function code(routes: readonly ReplayRoute[], args: readonly string[], status: number) {
  const run = await replay(routes, ['pronetwork', ...args, '--json']);
  assert.equal(run.status, status, run.stderr);
  assert.equal(run.stdout, '');
  return JSON.parse(run.stderr.split('\n').find((line) => line.startsWith('{')) ?? '').error.code;
}

describe('the command over real pronetwork pages', { skip, concurrency: 2 }, () => {
  test('a profile that is not found', async () => {
    const missing = capture('/in/ivanahmadfatoni$', 'notfound-profile-2024-06-en');
    assert.equal(await code([missing], ['profile', 'ivanahmadfatoni'], 4), 'profile_not_found');
  });

  test('the guest home and the script challenge are refusals', async () => {
    for (const name of ['block-guest-homepage-2024-06', 'block-js-cookie-challenge-2024-06']) {
      assert.equal(await code([capture('/in/', name)], ['profile', 'williamhgates'], 5), 'platform_blocked');
      assert.equal(await code([capture('/company/', name)], ['company', 'audiense'], 5), 'platform_blocked');
    }
  });

  test('a profile about another person is not returned', async () => {
    const swapped = { ...nadella, url: `^${site}/in/williamhgates$` };
    assert.equal(await code([swapped], ['profile', 'williamhgates'], 5), 'platform_changed');
  });
});
