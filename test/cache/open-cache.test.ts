import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { lazyCache, noCache } from '../../lib/cache/cache.js';
import { openCache } from '../../lib/cache/open-cache.js';
import { inspect } from '../ledger/books.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answerOf, anyCachePort, cachePort } from './cache-port.js';

const folder = temporaryFolder();
let files = 0;
const newFile = () => path.join(folder, `${++files}`, 'cache.db');
const roomy = 50_000_000;

/** How many entries the file holds, expired ones too. */
const entriesIn = (file: string) =>
  inspect(file, (db) => db.prepare<[], number>('SELECT count(*) FROM answers').pluck().get());

/** No test of this file expects a fault: one that comes fails the test. */
const onFault = (fault: Error | null) => {
  throw fault;
};

function opened(memoryBytes: number, file = newFile(), clock?: FakeClock) {
  return { file, cache: openCache({ file, memoryBytes, onFault, ...(clock && { clock }) }) };
}

cachePort('a cache of both tiers', (clock) => opened(roomy, undefined, clock).cache);
cachePort('a cache of the file alone', (clock) => opened(0, undefined, clock).cache);
anyCachePort('no cache', () => noCache);
anyCachePort('a cache that is opened when it is needed', () => lazyCache(async () => opened(roomy).cache));

describe('the two tiers', () => {
  test('an answer outlives the process that fetched it', async () => {
    const clock = new FakeClock();
    const { file, cache: first } = opened(roomy, undefined, clock);
    await first.set('a', answerOf('1'), 60);
    await first.close();
    const { cache: second } = opened(roomy, file, clock);
    assert.deepEqual(await second.get('a'), answerOf('1'));
    await clock.advance(60_000);
    assert.equal(await second.get('a'), undefined);
    await second.close();
  });

  test('a hit in memory does not go to the file, and a hit in the file comes into memory', async () => {
    const { file, cache: writer } = opened(roomy);
    await writer.set('a', answerOf('1'), 60);
    const { cache: reader } = opened(roomy, file);
    const first = await reader.get('a');
    inspect(file, (db) => db.exec('DELETE FROM answers'));
    assert.ok(first !== undefined);
    assert.equal(await reader.get('a'), first);
    assert.equal((await writer.get('a'))?.data, '1');
    await Promise.all([writer.close(), reader.close()]);
  });

  test('an entry cleared during a read does not come back', async () => {
    const { file, cache: writer } = opened(0);
    await writer.set('a', answerOf('1'), 60);
    const { cache } = opened(roomy, file);
    const reading = cache.get('a');
    await Promise.all([reading, cache.clear()]);
    assert.equal(await cache.get('a'), undefined);
    await Promise.all([writer.close(), cache.close()]);
  });

  test('an entry that somebody wrote over is a miss, and the next answer takes its place', async () => {
    const { file, cache } = opened(0);
    await cache.set('a', answerOf('1'), 60);
    inspect(file, (db) => db.exec(`UPDATE answers SET value = '{"value":"x"}'`));
    assert.equal(await cache.get('a'), undefined);
    await cache.set('a', answerOf('2'), 60);
    assert.equal((await cache.get('a'))?.data, '2');
    await cache.close();
  });
});

describe('the cache file', () => {
  test('is not there before the first get or set', async () => {
    const file = newFile();
    await openCache({ file, memoryBytes: roomy, onFault }).close();
    assert.equal(existsSync(path.dirname(file)), false);
  });

  test('and its directory can be read by their owner alone', async () => {
    const { file, cache } = opened(roomy);
    await cache.set('a', answerOf('1'), 60);
    assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
    for (const suffix of ['', '-wal', '-shm']) assert.equal(statSync(file + suffix).mode & 0o777, 0o600);
    await cache.close();
  });

  test('loses expired entries as new ones come, some at a time, and no others', async () => {
    const clock = new FakeClock();
    const { file, cache } = opened(roomy, undefined, clock);
    for (let n = 0; n < 330; n++) await cache.set(`short${n}`, answerOf('1'), 60);
    for (let n = 0; n < 30; n++) await cache.set(`long${n}`, answerOf('1'), 3600);
    assert.equal(entriesIn(file), 360);
    await clock.advance(60_000);
    for (let n = 0; n < 100; n++) await cache.set(`next${n}`, answerOf('1'), 3600);
    assert.equal(entriesIn(file), 460 - 200);
    for (let n = 0; n < 100; n++) await cache.set(`next${n}`, answerOf('1'), 3600);
    assert.equal(entriesIn(file), 130);
    await cache.close();
  });

  test('replaces the cache of an earlier release', async () => {
    const file = newFile();
    const replaces = `${file}.old`;
    mkdirSync(path.dirname(file));
    inspect(replaces, (db) => {
      db.pragma('journal_mode = WAL');
      db.exec(`CREATE TABLE answers (key VARCHAR(255) PRIMARY KEY, value TEXT);
        INSERT INTO answers VALUES ('a', '0001767225600000{}');`);
    });
    const cache = openCache({ file, replaces, memoryBytes: 0, onFault });
    assert.equal(await cache.get('a'), undefined);
    await cache.set('a', answerOf('1'), 60);
    assert.equal((await cache.get('a'))?.data, '1');
    await cache.close();
    assert.equal(existsSync(replaces), false);
  });

  test('finishes pending writes when it is closed', async () => {
    const { file, cache } = opened(0);
    const setting = cache.set('a', answerOf('1'), 60);
    await Promise.all([cache.close(), setting]);
    assert.equal(entriesIn(file), 1);
  });
});

test('no cache always misses', async () => {
  await noCache.set('a', answerOf('1'), 60);
  assert.equal(await noCache.get('a'), undefined);
});

const megabyte = 1024 * 1024;

describe('the size of the cache file', () => {
  for (const [how, atOnce] of [
    ['one after another', 1],
    ['together', 300],
  ] as const)
    test(`stays within its limit by deleting the oldest entries, for answers that arrive ${how}`, async () => {
      const file = newFile();
      const cache = openCache({ file, memoryBytes: 0, diskBytes: megabyte, clock: new FakeClock() });
      const names = Array.from({ length: 300 }, (_, n) => `k${n}`);
      for (let from = 0; from < names.length; from += atOnce) {
        const some = names.slice(from, from + atOnce);
        await Promise.all(some.map((name) => cache.set(name, answerOf('x'.repeat(10_000)), 3600)));
        // Rewritten each time, so always the newest.
        await cache.set('often', answerOf(`${from}`), 3600);
      }
      const there: string[] = [];
      for (const name of names) if ((await cache.get(name)) !== undefined) there.push(name);
      assert.ok(there.length > 50 && there.length < 105, `${there.length} are there`);
      assert.deepEqual(there, names.slice(-there.length));
      assert.equal((await cache.get('often'))?.data, `${names.length - atOnce}`);
      await cache.close();
      assert.ok(statSync(file).size < 1.1 * megabyte, `${statSync(file).size} bytes`);
    });

  test('that was lowered is reached as new answers arrive', async () => {
    const file = newFile();
    const clock = new FakeClock();
    const wide = openCache({ file, memoryBytes: 0, clock });
    for (let n = 0; n < 300; n += 1) await wide.set(`k${n}`, answerOf('x'.repeat(10_000)), 3600);
    await wide.close();
    const narrow = openCache({ file, memoryBytes: 0, diskBytes: megabyte, clock });
    for (let n = 0; n < 20; n += 1) await narrow.set(`n${n}`, answerOf('x'.repeat(10_000)), 3600);
    assert.equal(await narrow.get('k0'), undefined);
    assert.equal(await narrow.get('k195'), undefined);
    assert.ok(await narrow.get('n0'));
    await narrow.close();
  });
});
