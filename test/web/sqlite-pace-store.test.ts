import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { SqlitePaceStore } from '../../lib/web/sqlite/sqlite-pace-store.js';
import { FakeClock } from '../support/fake-clock.js';
import { loopback } from '../support/loopback.js';
import { network } from '../support/network.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { paceStoreSuite } from './pace-store-port.js';

const folder = temporaryFolder();
let homes = 0;
const newHome = () => {
  homes += 1;
  return path.join(folder, String(homes));
};

describe('the pace in an SQLite file', () => {
  paceStoreSuite(async () => {
    const home = newHome();
    return async (clock) => new SqlitePaceStore(home, clock);
  });

  for (const [how, damage] of [
    ['no SQLite at all', (file: string) => writeFileSync(file, 'not a database, by far '.repeat(400))],
    [
      'overwritten in its middle',
      (file: string) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xab, 100));
      },
    ],
    ['cut off', (file: string) => truncateSync(file, 1000)],
    ['empty', (file: string) => truncateSync(file, 0)],
  ] as const) {
    test(`that is ${how} is made anew`, async () => {
      const [home, clock] = [newHome(), new FakeClock()];
      const before = new SqlitePaceStore(home, clock);
      await before.reserve('maps', 1000);
      await before.close();
      damage(path.join(home, 'pace.db'));
      const store = new SqlitePaceStore(home, clock);
      assert.equal(await store.reserve('maps', 1000), clock.now());
      assert.equal(await store.reserve('maps', 1000), clock.now() + 1000);
      assert.equal((await store.find('maps'))?.cooldown, null);
      await store.close();
    });
  }

  test('that cannot be made is a fault of storage, tried anew each time', async () => {
    const [home, clock] = [newHome(), new FakeClock()];
    writeFileSync(home, 'a file where a folder should be');
    const store = new SqlitePaceStore(path.join(home, 'deeper'), clock);
    await assert.rejects(store.reserve('maps', 1000), { code: 'internal_error', message: /^The pace of / });
    const other = newHome();
    const late = new SqlitePaceStore(path.join(other, 'deeper'), clock);
    writeFileSync(other, '');
    await assert.rejects(late.reserve('maps', 1000), { fault: 'unwritable' });
    rmSync(other);
    assert.equal(await late.reserve('maps', 1000), clock.now());
    await late.close();
  });

  test('costs a request less than a millisecond', async () => {
    const clock = new FakeClock();
    const store = new SqlitePaceStore(newHome(), clock);
    await store.reserve('maps', 1);
    // Processor time, and the fastest of several runs: what other programs take of the machine is no cost of ours.
    const runs: number[] = [];
    for (let run = 0; run < 10; run += 1) {
      const began = process.cpuUsage();
      for (let at = 0; at < 100; at += 1) {
        await store.find('maps');
        await store.reserve('maps', 1);
        await store.find('maps');
        clock.set(clock.now() + 10);
      }
      const { user, system } = process.cpuUsage(began);
      runs.push((user + system) / 1000 / 100);
    }
    assert.ok(Math.min(...runs) < 1, `${Math.min(...runs)} ms`);
    await store.close();
  });
});

describe('two sources over one data directory', () => {
  test('keep one pace', async (t) => {
    const [clock, home] = [new FakeClock(), newHome()];
    const starts: number[] = [];
    const server = await loopback(t, (_request, response) => {
      starts.push(clock.now());
      response.end('x');
    });
    const site = testSite({ surfaces: { page: { ms: 1000, concurrency: 1 } } });
    const sources = [1, 2, 3].map(() => network(t, { clock, paceStore: new SqlitePaceStore(home, clock) }));
    const fetched = Promise.all(sources.map((source) => source.open(site).fetch({ url: server.origin })));
    // A request that is on its way arrives before time moves on.
    for (const count of [1, 2, 3]) {
      while (starts.length < count) await setImmediate();
      await clock.advance(1000);
    }
    await fetched;
    assert.deepEqual(
      starts.map((at) => at - (starts[0] as number)),
      [0, 1000, 2000],
    );
  });

  test('cool down together, and the answer that one gets ends the count of the other', async (t) => {
    const [clock, home] = [new FakeClock(), newHome()];
    const server = await loopback(t, (_request, response) => response.end('x'));
    const open = () => network(t, { clock, cooldownMs: 60_000, paceStore: new SqlitePaceStore(home, clock) });
    const [one, two] = [open(), open()];
    const session = one.open(testSite());
    await session.fetch({ url: server.origin });
    session.end(new ExtractError('platform_blocked'));
    const stopped = two.open(testSite());
    const error = await stopped.fetch({ url: server.origin }).catch((caught: unknown) => caught);
    assert.ok(error instanceof ExtractError);
    assert.deepEqual([error.code, error.retryAfter], ['platform_blocked', 60]);
    stopped.end(error);
    assert.equal(server.requests.length, 1);
    await clock.advance(60_000);
    const third = two.open(testSite());
    await third.fetch({ url: server.origin });
    third.end();
    const again = one.open(testSite());
    await again.fetch({ url: server.origin });
    again.end(new ExtractError('platform_blocked'));
    // What a look at the store said is true for a moment.
    await clock.advance(20);
    await assert.rejects(two.open(testSite()).fetch({ url: server.origin }), { retryAfter: 60 });
  });

  test('go on with a pace of their own where it cannot be written', async (t) => {
    const clock = new FakeClock();
    const home = newHome();
    writeFileSync(home, '');
    const server = await loopback(t, (_request, response) => response.end('x'));
    const paceStore = new SqlitePaceStore(path.join(home, 'deeper'), clock);
    const source = network(t, { clock, cooldownMs: 60_000, paceStore });
    const site = testSite({ surfaces: { page: { ms: 1000, concurrency: 1 } } });
    const session = source.open(site);
    await session.fetch({ url: server.origin });
    const began = clock.now();
    await clock.passing(session.fetch({ url: server.origin }));
    assert.equal(clock.now() - began, 1000);
    session.end(new ExtractError('platform_blocked'));
    assert.throws(() => source.open(site), { retryAfter: 60 });
  });
});
