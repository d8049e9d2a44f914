import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { openCache } from '../../lib/cache/open-cache.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answerOf } from './cache-port.js';

const folder = temporaryFolder();
const megabyte = 1024 * 1024;

describe('the size of the cache file', () => {
  test('stays within its limit by deleting the oldest entries', async () => {
    const file = path.join(folder, 'limited.db');
    const cache = openCache({ file, memoryBytes: 0, diskBytes: megabyte, clock: new FakeClock() });
    const count = 300;
    for (let n = 0; n < count; n += 1) {
      await cache.set(`k${n}`, answerOf('x'.repeat(10_000)), 3600);
      // Rewritten each time, so always the newest.
      await cache.set('often', answerOf(`${n}`), 3600);
    }
    const there: number[] = [];
    for (let n = 0; n < count; n += 1) if ((await cache.get(`k${n}`)) !== undefined) there.push(n);
    assert.ok(there.length > 50 && there.length < 105, `${there.length} are there`);
    assert.deepEqual(
      there,
      Array.from({ length: there.length }, (_, at) => count - there.length + at),
    );
    assert.equal((await cache.get('often'))?.data, `${count - 1}`);
    await cache.close();
    assert.ok(statSync(file).size < 1.1 * megabyte, `${statSync(file).size} bytes`);
  });

  test('that was lowered is reached as new answers arrive', async () => {
    const file = path.join(folder, 'lowered.db');
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

  test('applies to answers that arrive together', async () => {
    const file = path.join(folder, 'at-once.db');
    const cache = openCache({ file, memoryBytes: 0, diskBytes: megabyte, clock: new FakeClock() });
    const names = Array.from({ length: 300 }, (_, n) => `k${n}`);
    await Promise.all(names.map((name) => cache.set(name, answerOf('x'.repeat(10_000)), 3600)));
    const there: string[] = [];
    for (const name of names) if ((await cache.get(name)) !== undefined) there.push(name);
    assert.ok(there.length > 50 && there.length < 105, `${there.length} are there`);
    assert.deepEqual(there, names.slice(-there.length));
    await cache.close();
  });
});

test('answers that arrive together share a transaction: a page of an index is written once for all of them', async () => {
  const file = path.join(folder, 'together.db');
  const cache = openCache({ file, memoryBytes: 0, clock: new FakeClock() });
  const pages = () => statSync(`${file}-wal`).size / 4096;
  await cache.set('first', answerOf('1'), 3600);
  const before = pages();
  await Promise.all(Array.from({ length: 100 }, (_, n) => cache.set(`k${n}`, answerOf(`${n}`), 3600)));
  assert.ok(pages() - before < 50, `${pages() - before} pages for 100 answers`);
  assert.equal((await cache.get('k99'))?.data, '99');
  await cache.close();
});
