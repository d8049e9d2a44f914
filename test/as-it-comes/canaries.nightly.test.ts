import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '../../lib/endpoints.js';
import { moveOn, serveSite } from './harness.js';

/** The mails that a server without a mail server has put down in its home. */
function mailsIn(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\bmails?\b.*\.txt$/.test(name))
    .map((name) => readFileSync(path.join(home, name), 'utf8'));
}

describe('canaries, with every setting as it comes', () => {
  test('run on a new server by default, and its operator gets one e-mail about all failing endpoints', async () => {
    const { home, serve, plain } = await serveSite(() => ({
      status: 429,
      headers: { 'retry-after': '600' },
    }));
    const { child, url } = await serve({ operator: 'op@example.com', stepMs: 150_000 });
    const states = async () => {
      const answer = await fetch(`${url}/status.json`);
      const { data } = (await answer.json()) as { data: { endpoints: { state: string }[] } };
      return data.endpoints.map(({ state }) => state);
    };
    assert.deepEqual(new Set(await states()), new Set(['unknown']));
    assert.equal(plain().length, 0);
    moveOn(child);
    // The clock stands still until every canary has run; otherwise an outage found minutes later would send its own
    // mail.
    while ((await states()).some((state) => state !== 'refused')) await sleep(100);
    // Ten minutes more. A busy server gets to the end of them later.
    for (let step = 0; mailsIn(home).length === 0; step += 1) {
      if (step < 4) moveOn(child);
      await sleep(1000);
    }
    assert.deepEqual(await states(), Array(endpoints.length).fill('refused'));
    // A surface that names a time is not asked before: one request each, not one a route.
    assert.equal(plain().length, 10);
    const mails = mailsIn(home);
    assert.equal(mails.length, 1);
    assert.match(mails[0] ?? '', /^To: op@example\.com\nSubject: 18 endpoints are failing$/m);
  });
});
