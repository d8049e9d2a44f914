import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openCache } from '../../lib/cache/open-cache.js';
import type { StorageError } from '../../lib/errors/storage-error.js';
import { FakeClock } from '../support/fake-clock.js';
import { fromSource } from '../support/from-source.js';
import { outputOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answerOf } from './cache-port.js';

const folder = temporaryFolder();
let files = 0;
const newFile = () => path.join(folder, `${++files}.db`);

function opened(file: string, memoryBytes = 0, now?: number) {
  const clock = new FakeClock(now);
  const faults: (StorageError | null)[] = [];
  const cache = openCache({ file, memoryBytes, clock, onFault: (fault) => faults.push(fault) });
  return { clock, faults, cache };
}

async function filled(file: string): Promise<void> {
  const { cache } = opened(file);
  for (let n = 0; n < 20; n++) await cache.set(`k${n}`, answerOf('x'.repeat(3000)), 3600);
  await cache.close();
}

describe('a cache file that cannot be used', () => {
  test('a directory: every call continues without the cache, and one warning is reported', async () => {
    const file = newFile();
    mkdirSync(file);
    const { cache, faults, clock } = opened(file);
    await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)));
    await cache.set('a', answerOf('1'), 60);
    assert.equal(await cache.get('a'), undefined);
    await clock.advance(30_000);
    assert.equal(await cache.get('a'), undefined);
    assert.equal(faults.length, 1);
    assert.match(faults[0]?.message ?? '', /cannot be opened for writing/);
    assert.equal(faults[0]?.fault, 'unwritable');
    assert.ok(faults[0]?.cause instanceof Error);
    await cache.close();
  });

  const half = (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2));
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['another kind of file', (file) => writeFileSync(file, 'a letter '.repeat(1000))],
    [
      'a cache with torn pages',
      (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
      },
    ],
    ['a cache that was cut off', half],
  ];
  for (const [name, spoil] of damages) {
    test(`${name}: is moved aside and reported once, and a new file is created immediately`, async () => {
      const file = newFile();
      await filled(file);
      spoil(file);
      const spoilt = readFileSync(file);
      const { cache, faults } = opened(file);
      for (let n = 0; n < 20; n += 1) await cache.get(`k${n}`);
      await cache.set('a', answerOf('1'), 60);
      assert.equal((await cache.get('a'))?.data, '1');
      const kinds = faults.map((fault) => fault?.fault ?? null);
      assert.deepEqual(kinds, ['damaged', null]);
      assert.match(faults[0]?.message ?? '', /damaged.*renamed to \d+\.db\.damaged.*Delete/);
      assert.deepEqual(readFileSync(`${file}.damaged`), spoilt);
      await cache.close();
    });
  }

  test('two processes that find it damaged put it aside once', async () => {
    const file = newFile();
    await filled(file);
    const [one, two] = [opened(file), opened(file)];
    assert.ok(await one.cache.get('k1'));
    assert.ok(await two.cache.get('k1'));
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
    for (let n = 0; n < 20; n += 1) await one.cache.get(`k${n}`);
    await one.cache.set('a', answerOf('1'), 60);
    for (let n = 0; n < 20; n += 1) await two.cache.get(`k${n}`);
    for (const { clock } of [one, two]) await clock.advance(30_000);
    await two.cache.set('b', answerOf('2'), 60);
    assert.equal((await two.cache.get('a'))?.data, '1');
    assert.equal((await one.cache.get('b'))?.data, '2');
    await one.cache.close();
    await two.cache.close();
  });

  test('is retried after half a minute, and reported as working after a write', async () => {
    const file = newFile();
    mkdirSync(file);
    const { cache, clock, faults } = opened(file);
    await cache.set('a', answerOf('1'), 600);
    rmdirSync(file);
    await clock.advance(29_999);
    await cache.set('a', answerOf('2'), 600);
    assert.equal(await cache.get('a'), undefined);
    await clock.advance(1);
    assert.equal(await cache.get('a'), undefined);
    assert.equal(faults.length, 1);
    await cache.set('a', answerOf('3'), 600);
    assert.equal((await cache.get('a'))?.data, '3');
    assert.deepEqual(faults.slice(1), [null]);
    await cache.close();
  });
});

describe('a cache file that another program keeps locked', () => {
  test('still returns what it has, and drops what it cannot store', async () => {
    const file = newFile();
    await filled(file);
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    const { cache, faults, clock } = opened(file);
    assert.equal((await cache.get('k1'))?.data.length, 3000);
    await clock.passing(cache.set('a', answerOf('1'), 60));
    assert.equal(faults.length, 1);
    assert.match(faults[0]?.message ?? '', /locked/);
    await cache.close();
    other.close();
  });

  test('is waited for without holding up the process', async () => {
    const file = newFile();
    await filled(file);
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    const { cache, faults, clock } = opened(file);
    const setting = cache.set('a', answerOf('1'), 60);
    await clock.untilSleeping(1);
    other.close();
    await clock.passing(setting);
    assert.equal((await cache.get('a'))?.data, '1');
    assert.deepEqual(faults, []);
    await cache.close();
  });
});

describe('a process with a cache', () => {
  const program = path.join(import.meta.dirname, 'child-program.ts');

  /** The lines of a process that does its task after a command of the shell. */
  async function linesOf(task: string, file: string, shell = 'true'): Promise<string[]> {
    const command = ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...fromSource, program, task, file];
    const { out } = await outputOf(spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] }));
    return out.trimEnd().split('\n');
  }

  test('loads SQLite only on use, and only once', async () => {
    const lines = await linesOf('lazy', newFile());
    assert.deepEqual(lines, ['opened: none', 'asked: better-sqlite3', 'exit']);
  });

  test('shares its file with others that write at the same time, from its first moment on', async () => {
    const file = newFile();
    const crowd = [1, 2, 3].map(() => linesOf('crowd', file));
    assert.deepEqual(await Promise.all(crowd), [['exit'], ['exit'], ['exit']]);
    const other = new Sqlite(file);
    assert.equal(other.prepare('SELECT count(*) FROM answers').pluck().get(), 600);
    other.close();
  });

  test('continues when the disk is full', async () => {
    const file = newFile();
    const lines = await linesOf('fill', file, 'ulimit -f 300');
    assert.equal(lines.at(-1), 'exit');
    assert.equal(lines.filter((line) => line.startsWith('fault: Caching is off for now')).length, 1);
    const { cache, faults } = opened(file, 0, Date.now());
    assert.equal((await cache.get('k0'))?.data.length, 10_000);
    assert.deepEqual(faults, []);
    await cache.close();
  });
});
