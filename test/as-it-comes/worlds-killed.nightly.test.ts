import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { profileAccount } from '../support/worlds/shortvideo.js';
import { world } from '../support/worlds/world.js';
import { serveSite } from './harness.js';

test('a batch killed in the middle of a ladder resumes, and other processes of its home share what it learned', async () => {
  const { answers, arrivals, unknown } = world('home', Date.now);
  let kill = () => {};
  const { home, start, run } = await serveSite((request) => {
    const answer = answers(request);
    // The page waits; of three accounts, one embed page is there, or two are.
    if (arrivals.length === 4) kill();
    return answer;
  });
  const [input, output] = [path.join(home, 'names.txt'), path.join(home, 'profiles.ndjson')];
  const names = [1, 2, 3].map(profileAccount);
  writeFileSync(input, names.map((name) => `${name}\n`).join(''));
  const pages = () => arrivals.filter(({ place }) => place.name === 'TikTok pages').length;

  const args = ['batch', 'shortvideo/profile', input, '-o', output];
  const batch = start(args);
  kill = () => batch.kill('SIGKILL');
  await once(batch, 'exit');
  assert.equal(batch.signalCode, 'SIGKILL');
  assert.equal(pages(), 1);

  const beside = await run(['shortvideo', 'profile', '--username', profileAccount(4), '--json']);
  assert.equal(beside.status, 0, beside.err);
  const resumed = await run([...args, '--resume']);
  assert.equal(resumed.status, 0, resumed.err);
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).data.username.toLowerCase()),
    names,
  );
  assert.equal(pages(), 1, 'neither process asked the page that waits');
  // Two embed pages for each of four accounts, and for what was under way at the kill once more.
  assert.ok(arrivals.length <= 1 + 8 + 3, `${arrivals.length} requests`);
  assert.deepEqual(unknown, []);
});
