import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar/fs';
import { imbalances } from '../../../lib/ledger/sqlite/integrity.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { pseudonymSecret } from '../../../lib/runtime/secret.js';
import { openSeenNames, openState } from '../../../src/compose/open-state.js';
import { readManifest, unpackInto } from '../../../src/files/backup/archive.js';
import { backup } from '../../../src/files/backup/backup.js';
import { restore } from '../../../src/files/backup/restore.js';
import { awaitJob, echo, jobsHarness, linesOf, makeJob, numbered } from '../../service/jobs/harness.js';
import { argv, assertExit, extract, testHome } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { aPostList } from '../history/observations.js';

const folder = temporaryFolder();
let count = 0;
const fresh = () => path.join(folder, `fresh-${++count}`);

/** A data directory, on which no server works, with an account of 577 credits, and a backup of it. */
async function backedUp(t: TestContext) {
  const before = await jobsHarness(t, { start: false });
  const customer = await before.customer(77);
  const file = path.join(folder, `backup-${++count}.tar.gz`);
  const report = await backup(before.home, file, systemClock);
  return { home: before.home, customer, file, report };
}

/** What a restored directory has of such an account. */
async function assertRestored(t: TestContext, home: string, customer: { account: string; secret: string }) {
  const after = await jobsHarness(t, { home, start: false });
  assert.equal((await after.accounts.authenticate(customer.secret))?.account, customer.account);
  assert.equal(await after.credits(customer.account), 577);
}

/** Answers out of order: each third input takes turns of the event loop. */
const uneven: typeof echo = async (endpoint, params, caller, signal) => {
  if (Number(String(params.query).slice(1)) % 3 === 0) for (let i = 0; i < 40; i += 1) await setImmediate();
  return echo(endpoint, params, caller, signal);
};

test('backups made while a job runs restore to directories in which it ends with every line once', async (t) => {
  const running = await jobsHarness(t, { ask: uneven });
  const customer = await running.customer();
  const queries = numbered(600);
  const id = await makeJob(running, customer, queries);
  const files: { readonly file: string; readonly atLeast: number }[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    while ((await running.jobs.store.find(customer.account, id)).completed < turn * 100) await setImmediate();
    const atLeast = (await running.jobs.store.find(customer.account, id)).completed;
    const file = path.join(folder, `running-${turn}.tar.gz`);
    await backup(running.home, file, systemClock);
    files.push({ file, atLeast });
  }
  await awaitJob(running, customer, id);
  for (const { file, atLeast } of files) {
    const home = fresh();
    await restore(file, home, { check: false });
    const restored = await jobsHarness(t, { home, ask: uneven, start: false });
    assert.ok((await restored.jobs.store.find(customer.account, id)).completed >= atLeast);
    assert.deepEqual(imbalances(restored.opened.database.db), []);
    restored.jobs.start();
    await awaitJob(restored, customer, id);
    const lines = await linesOf(restored, customer, id);
    const written = lines.map(({ input }) => input.query);
    assert.deepEqual(written, queries);
    assert.equal(await restored.credits(customer.account), await running.credits(customer.account));
    await restored.close();
  }
  const others = readdirSync(running.home).filter((name) => name.includes('backup'));
  assert.deepEqual(others, []);
});

test('backups in the data directory stay, and leftovers of a killed one are deleted after a day', async (t) => {
  const { home } = await jobsHarness(t, { start: false });
  const daily = (day: number) => path.join(home, `backup-2026-11-${day}.tar.gz`);
  await backup(home, daily(20), systemClock);
  const leftover = path.join(home, '.links-of-backup-abcdef');
  mkdirSync(leftover);
  await backup(home, daily(21), systemClock);
  assert.ok(existsSync(leftover));
  const later = { ...systemClock, now: () => systemClock.now() + 2 * 86_400_000 };
  await backup(home, daily(23), later);
  const matches = readdirSync(home).filter((name) => name.includes('backup'));
  const days = [20, 21, 23].map((day) => path.basename(daily(day)));
  assert.deepEqual(matches, days);
});

/** Makes and removes files of results, without a pause, until it is ended. */
const restless = `
  const { closeSync, mkdirSync, openSync, rmSync } = require('node:fs');
  const { workerData: folder, parentPort } = require('node:worker_threads');
  mkdirSync(folder, { recursive: true });
  const files = Array.from({ length: 20 }, (_, index) => folder + '/job_' + index + '.late');
  for (let turn = 0; ; turn += 1) {
    for (const file of files) closeSync(openSync(file, 'w'));
    if (turn === 0) parentPort.postMessage('begun');
    for (const file of files) rmSync(file);
  }`;

test('a backup continues without result files deleted meanwhile', async (t) => {
  const { home } = await backedUp(t);
  const sweeping = new Worker(restless, { eval: true, workerData: path.join(home, 'jobs') });
  await once(sweeping, 'message');
  try {
    for (let turn = 0; turn < 20; turn += 1)
      await backup(home, path.join(folder, `swept-${turn}.tar.gz`), systemClock);
  } finally {
    await sweeping.terminate();
  }
});

test('a restored directory knows its keys, and lies open to its owner alone', async (t) => {
  const { customer, file, report } = await backedUp(t);
  assert.equal(report.bytes, statSync(file).size);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const home = fresh();
  const restored = await restore(file, home, { check: false });
  assert.equal(restored.files, 3);
  assert.equal(statSync(home).mode & 0o077, 0);
  for (const name of ['ledger.db', 'cursor.key'])
    assert.equal(statSync(path.join(home, name)).mode & 0o077, 0);
  await assertRestored(t, home, customer);
});

test('a backup can be restored to an empty directory that is the root of a volume', async (t) => {
  const { customer, file } = await backedUp(t);
  // A link can be removed no more than a volume that is in use.
  const [volume, home] = [fresh(), fresh()];
  mkdirSync(path.join(volume, 'lost+found'), { recursive: true });
  // A killed restore leaves its draft.
  mkdirSync(path.join(volume, '.extract-restore-killed'));
  symlinkSync(volume, home);
  await restore(file, home, { check: true });
  await restore(file, home, { check: false });
  assert.deepEqual(readdirSync(volume).sort(), ['cursor.key', 'ledger.db', 'lost+found', 'results.db']);
  await assertRestored(t, home, customer);
});

test('a backup contains what commands remember, archives of usage and schedules', async (t) => {
  const running = await jobsHarness(t, { start: false });
  const customer = await running.customer();
  const id = await makeJob(running, customer, numbered(3), { schedule: { every: '6h' } });
  const watch = { anchor: 5, last: 7, run: { at: 7, output: 'news.ndjson' }, delivery: null };
  const state = openState(running.home, systemClock);
  const seenNames = await openSeenNames(running.home, systemClock);
  const observation = aPostList('mira', ['one', 'two']);
  await seenNames.names.remember('daily', [{ observation, rule: { counts: false, nulls: false } }]);
  await seenNames.close();
  await state.watches.write('a watch', watch);
  mkdirSync(path.join(running.home, 'archive'));
  const archive = path.join('archive', 'usage-before-2026-01-01-1.ndjson.gz');
  writeFileSync(path.join(running.home, archive), gzipSync('{}\n'));
  writeFileSync(path.join(running.home, 'archive', '.hidden.ndjson.gz'), 'not ours');
  const pseudonymKey = await pseudonymSecret(running.home);
  const file = path.join(folder, 'state.tar.gz');
  // The state file is open, and its last writes are in the log next to it.
  const { files } = await backup(running.home, file, systemClock);
  await state.close();
  assert.equal(files, 6);
  const home = fresh();
  await restore(file, home, { check: false });
  assert.deepEqual(await pseudonymSecret(home), pseudonymKey);

  const restored = openState(home, systemClock);
  const names = await openSeenNames(home, systemClock);
  const { state: knownItems } = await names.names.lookUp('daily', observation);
  assert.deepEqual([...knownItems.appearances.keys()], ['one', 'two']);
  await names.close();
  assert.deepEqual(await restored.watches.read('a watch'), watch);
  await restored.close();
  assert.deepEqual(readFileSync(path.join(home, archive)), readFileSync(path.join(running.home, archive)));
  assert.deepEqual(readdirSync(path.join(home, 'archive')).length, 1);
  const after = await jobsHarness(t, { home, start: false });
  const { schedules } = await after.jobs.schedules.list(customer.account, 10, undefined);
  const rows = schedules.map(({ every, total, last_run }) => [every, total, last_run.job]);
  assert.deepEqual(rows, [['6h', 3, id]]);
  assert.equal(after.opened.database.db.prepare('SELECT count(*) FROM schedule_inputs').pluck().get(), 3);
});

test('a check leaves nothing behind, and does not need an empty directory', async (t) => {
  const { home, file } = await backedUp(t);
  const drafts = () => readdirSync(path.dirname(home)).filter((name) => name.startsWith('.extract-restore-'));
  const before = drafts();
  assert.equal((await restore(file, home, { check: true })).restored, false);
  assert.deepEqual(drafts(), before);
});

const refused = (message: RegExp) => ({ name: 'ExtractError', message });

test('a directory that is not empty stays unchanged', async (t) => {
  const { file } = await backedUp(t);
  const target = fresh();
  mkdirSync(target);
  writeFileSync(path.join(target, 'notes.txt'), 'mine');
  await assert.rejects(restore(file, target, { check: false }), refused(/is not empty/));
  assert.deepEqual(readdirSync(target), ['notes.txt']);
});

test('an archive that is torn, changed or no archive at all restores nothing', async (t) => {
  const { file } = await backedUp(t);
  const content = readFileSync(file);
  const broken: Record<string, Buffer> = { empty: Buffer.alloc(0), text: Buffer.from('not an archive\n') };
  for (const share of [0.1, 0.5, 0.9, 0.999])
    broken[`torn ${share}`] = content.subarray(0, Math.floor(content.length * share));
  const flipped = Buffer.from(content);
  const middle = Math.floor(flipped.length / 2);
  flipped.writeUInt8(flipped.readUInt8(middle) ^ 0x55, middle);
  broken.flipped = flipped;
  for (const [name, bytes] of Object.entries(broken)) {
    const torn = path.join(folder, 'broken.tar.gz');
    writeFileSync(torn, bytes);
    const target = fresh();
    await assert.rejects(restore(torn, target, { check: false }), refused(/not a complete backup/), name);
    assert.ok(!existsSync(target), name);
  }
});

/** Renames an entry of a tar file, as no packer would: the name and the header's sum. */
function renameEntry(tar: Buffer, from: string, to: string): void {
  const header = tar.subarray(tar.indexOf(`${from}\0`), tar.indexOf(`${from}\0`) + 512);
  header.fill(0, 0, 100).write(to);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}

/** Packs a manifest and files as a backup, and changes the tar file. */
async function pack(
  file: string,
  manifest: string,
  contents: Readonly<Record<string, Buffer>>,
  change: (tar: Buffer) => void = () => {},
) {
  const entries = Object.entries({ 'backup.json': manifest, ...contents }).map(
    ([target, content]) => ({ type: 'content', target, content }) as const,
  );
  const tar = Buffer.concat(await packTar(entries).toArray());
  change(tar);
  writeFileSync(file, gzipSync(tar));
}

const manifestOf = (files: Readonly<Record<string, number>>) =>
  JSON.stringify({ format: 1, version: '0', made_at: '2026-01-01', files });

test('an archive writes nowhere but into the directory that is restored', async () => {
  const hostile = path.join(folder, 'hostile.tar.gz');
  for (const name of ['../outside', 'jobs/../../outside', path.join(folder, 'outside'), 'login.json']) {
    const contents = { hostile: Buffer.from('{}') };
    await pack(hostile, manifestOf({ 'login.json': 2 }), contents, (tar) =>
      renameEntry(tar, 'hostile', name),
    );
    await assert.rejects(restore(hostile, fresh(), { check: false }), refused(/not a complete backup/), name);
    assert.ok(!existsSync(path.join(folder, 'outside')), name);
  }
});

test('files that the manifest does not name are not restored', async (t) => {
  const { file } = await backedUp(t);
  const unpacked = fresh();
  const manifest = await readManifest(file);
  assert.ok(manifest);
  await pipeline([createReadStream(file), ...unpackInto(unpacked, manifest)]);
  mkdirSync(path.join(unpacked, 'jobs'), { recursive: true });
  for (const name of ['state.db', 'jobs/job_EVIL.ndjson']) {
    if (!existsSync(path.join(unpacked, name))) writeFileSync(path.join(unpacked, name), 'not what it seems');
  }
  mkdirSync(path.join(unpacked, 'archive'), { recursive: true });
  writeFileSync(path.join(unpacked, 'archive', 'x.ndjson.gz'), 'neither');
  const names = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(unpacked, path.join(entry.parentPath, entry.name)));
  const laden = path.join(folder, 'laden.tar.gz');
  const contents = names.map((name) => [name, readFileSync(path.join(unpacked, name))] as const);
  await pack(laden, JSON.stringify(manifest), Object.fromEntries(contents));
  const target = fresh();
  const { restored } = await restore(laden, target, { check: false });
  assert.equal(restored, true);
  for (const name of ['jobs/job_EVIL.ndjson', 'archive/x.ndjson.gz'])
    assert.ok(names.includes(name) && !existsSync(path.join(target, name)), name);
  assert.ok(existsSync(path.join(target, 'ledger.db')));
});

test('a small archive does not unpack to more than its manifest says', async () => {
  const file = path.join(folder, 'bomb.tar.gz');
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  await pack(file, manifestOf({ 'ledger.db': 3 }), { 'ledger.db': zeros, 'results.db': zeros });
  const manifest = await readManifest(file);
  assert.ok(manifest);
  const unpacked = fresh();
  await pipeline([createReadStream(file), ...unpackInto(unpacked, manifest)]);
  for (const name of ['ledger.db', 'results.db']) assert.ok(!existsSync(path.join(unpacked, name)), name);
  await assert.rejects(restore(file, fresh(), { check: false }), refused(/not a complete backup/));
});

test('a torn archive fails where it is read, and never after its manifest was', async () => {
  const file = path.join(folder, 'torn.tar.gz');
  const content = randomBytes(400_000);
  await pack(file, manifestOf({ 'ledger.db': content.length }), { 'ledger.db': content });
  for (const share of [0.9, 0.5, 0.1]) {
    truncateSync(file, Math.floor(statSync(file).size * share));
    for (let turn = 0; turn < 300; turn += 1) await readManifest(file).catch(() => null);
  }
});

test('an archive that needs more than the disk has is refused before it is unpacked', async () => {
  const file = path.join(folder, 'huge.tar.gz');
  await pack(file, manifestOf({ 'ledger.db': 2 ** 52 }), { 'ledger.db': Buffer.from('abc') });
  const target = fresh();
  const full = refused(/cannot be restored to .*: its disk is full; free some space\.$/);
  await assert.rejects(restore(file, target, { check: false }), full);
  assert.ok(!existsSync(target));
});

test('a backup on a full disk reports it, and leaves nothing behind', {
  skip: existsSync('/dev/full') ? false : 'no /dev/full here',
}, async (t) => {
  const { home } = await jobsHarness(t, { start: false });
  const file = path.join(folder, 'no-room.tar.gz');
  symlinkSync('/dev/full', `${file}.partial`);
  const full = refused(
    /^The backup .*no-room\.tar\.gz cannot be written: its disk is full; free some space\.$/,
  );
  await assert.rejects(backup(home, file, systemClock), full);
  const others = readdirSync(folder).filter((name) => name.startsWith('no-room'));
  assert.deepEqual(others, []);
});

test('the command refuses to overwrite, reports what it wrote, and restores', async () => {
  assertExit(await extract(argv`credits add 5`), 0);
  const file = path.join(folder, 'command.tar.gz');
  const first = assertExit(await extract(argv`backup ${file} --json`), 0);
  const { file: backupFile, home } = JSON.parse(first.out).data;
  assert.deepEqual([backupFile, home], [file, testHome()]);
  assert.equal(first.err, '');
  assertExit(await extract(['backup', file]), 2, /--overwrite/);
  assert.equal((await extract(argv`backup ${file} --overwrite`)).status, 0);
  const checked = assertExit(await extract(argv`restore ${file} --check --json`), 0);
  assert.equal(JSON.parse(checked.out).data.restored, false);
  assert.equal(checked.err, '');
  assertExit(await extract(['restore', file]), 2, /is not empty/);
});
