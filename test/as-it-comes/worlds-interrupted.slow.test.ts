import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { hourMs, minuteMs } from '../../lib/runtime/clock.js';
import { machineIn } from '../support/worlds/as-it-comes.js';
import { account } from '../support/worlds/photosocial.js';
import { profileAccount } from '../support/worlds/shortvideo.js';

const names = (count: number, of: (number: number) => string) =>
  `username\n${Array.from({ length: count }, (_, at) => of(at + 1)).join('\n')}\n`;

describe('an interrupted ladder, with default settings', () => {
  for (const { name, endpoint, of, of: nameOf, at } of [
    // By then the embed of an account is there, and its document is not.
    {
      name: 'embed and document',
      endpoint: 'photosocial/profile',
      of: (one: number) => `${account}.${one}`,
      at: 21,
    },
    // The page shows the waiting screen; the account's embed exists, its video's does not.
    { name: 'page and two embeds', endpoint: 'shortvideo/profile', of: profileAccount, at: 12 },
  ]) {
    test(`${name}: after a stop and a resume, each line appears once, and few requests repeat`, async (t) => {
      const stop = new AbortController();
      const { run, arrivals, folder, unknown } = await machineIn(t, 'home', ({ length }) => {
        if (length === at) stop.abort();
      });
      const count = 30;
      const [input, output] = [path.join(folder, 'names.csv'), path.join(folder, 'output.ndjson')];
      writeFileSync(input, names(count, of));
      const lines = () =>
        readFileSync(output, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line));
      const stopped = await run(['batch', endpoint, input, '-o', output], { signal: stop.signal });
      assert.notEqual(stopped.status, 0);
      const linesBefore = lines();
      assert.ok(linesBefore.length < count, `${linesBefore.length} lines`);
      assert.ok(
        linesBefore.every(({ error }) => error === undefined),
        JSON.stringify(linesBefore.at(-1)),
      );
      const { status, err } = await run(['batch', endpoint, input, '-o', output, '--resume']);
      assert.equal(status, 0, err);
      assert.deepEqual(
        lines().map(({ data }) => data.username.toLowerCase()),
        Array.from({ length: count }, (_, index) => nameOf(index + 1)),
      );
      // Two requests each; only those in flight, at most sixteen, are repeated.
      const again = arrivals.length - 2 * count;
      assert.ok(again <= 17, `${again} requests more than without a stop`);
      assert.deepEqual(unknown, []);
    });
  }
});

describe('what a home has learned of a refused page', () => {
  test('lasts an hour for all commands: one account proves it, and the embeds are used immediately', async (t) => {
    const { run, arrivals, clock, folder } = await machineIn(t, 'home');
    const pages = () => arrivals.filter(({ place }) => place.name === 'TikTok pages').length;
    const ask = async (number: number) => {
      const args = ['shortvideo', 'profile', '--username', profileAccount(number), '--json'];
      const { status, err } = await run(args);
      assert.equal(status, 0, err);
    };
    const input = path.join(folder, 'names.csv');
    writeFileSync(input, names(10, profileAccount));
    const estimate = async () => {
      const { out } = await run(['batch', 'shortvideo/profile', input, '--dry-run']);
      return (JSON.parse(out) as { data: { seconds: number } }).data.seconds;
    };
    assert.equal(await estimate(), 30);
    const measured: [pages: number, seconds: number][] = [];
    for (const number of [1, 2, 3, 4, 5]) {
      await ask(number);
      measured.push([pages(), await estimate()]);
      await clock.advance(14 * minuteMs);
    }
    // Two embed pages for each of ten accounts.
    assert.deepEqual(measured, Array(5).fill([1, 60]));
    await clock.advance(hourMs);
    await ask(6);
    assert.equal(pages(), 2);
  });
});
