import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { argv } from '../../../support/argv.js';
import { assertExit } from '../../../support/assert-exit.js';
import { outputOf } from '../../../support/program-output.js';
import { startExtract } from '../../../support/start-command.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const start = (home: string, ...args: string[]) =>
  startExtract(args, { EXTRACT_HOME: home, EXTRACT_DATABASE_URL: '', EXTRACT_BASE_URL: '' });
const done = async (home: string, ...args: string[]) => assertExit(await outputOf(start(home, ...args)), 0);

const createAccount = (home: string) => done(home, ...argv`server accounts create --email a@b.example`);

/** A data directory with more bytes than a backup packs in a second; compressing does not shorten them. */
async function largeHome(folder: string): Promise<string> {
  const home = path.join(folder, 'home');
  await createAccount(home);
  mkdirSync(path.join(home, 'jobs'), { recursive: true });
  for (let at = 0; at < 2; at += 1)
    writeFileSync(path.join(home, 'jobs', `large${at}.ndjson`), randomBytes(48 * 1024 * 1024));
  return home;
}

/** Sends the signal as soon as the command works; `ended` resolves with its output. */
async function interrupted(child: ChildProcess, works: () => boolean, signal: NodeJS.Signals) {
  const ended = outputOf(child);
  while (!works()) {
    assert.equal(child.exitCode, null, 'it ended before the signal');
    await setTimeout(5);
  }
  child.kill(signal);
  return { ended };
}

const filesOpenIn = (child: ChildProcess): readonly string[] => {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return readlinkSync(path.join(folder, fd));
    } catch {
      return [];
    }
  });
};

describe('the first signal ends in order', () => {
  test('a backup and a restore, which leave nothing behind', async () => {
    const folder = temporaryFolder();
    const home = await largeHome(folder);
    const file = path.join(folder, 'backup.tar.gz');
    const cut = await interrupted(
      start(home, 'server', 'backup', file),
      () => existsSync(`${file}.partial`),
      'SIGINT',
    );
    assert.deepEqual(await cut.ended, { status: 130, out: '', err: 'Interrupted.\n' });
    assert.deepEqual(readdirSync(folder), ['home']);
    assert.ok(readdirSync(home).every((name) => !name.includes('backup')));

    await done(home, 'server', 'backup', file);
    const copy = path.join(folder, 'copy');
    const half = await interrupted(
      start(copy, 'server', 'restore', file),
      () => readdirSync(folder).some((name) => name.startsWith('.extract-restore-')),
      'SIGTERM',
    );
    assert.deepEqual(await half.ended, { status: 143, out: '', err: 'Interrupted.\n' });
    assert.deepEqual(readdirSync(folder).sort(), ['backup.tar.gz', 'home']);
    await done(copy, 'server', 'restore', file);
  });

  test('forget, which says that it is not done', {
    skip: process.platform === 'linux' ? false : 'reads /proc',
  }, async () => {
    const home = temporaryFolder();
    await createAccount(home);
    const cache = path.join(home, 'answers.db');
    const lock = new Sqlite(cache);
    lock.exec('CREATE TABLE IF NOT EXISTS other (id INTEGER) STRICT; BEGIN IMMEDIATE');
    const child = start(home, 'forget', 'tiktok:@nobody');
    const { ended } = await interrupted(child, () => filesOpenIn(child).includes(cache), 'SIGINT');
    lock.exec('COMMIT');
    lock.close();
    const err = 'Not everything is deleted yet. Run the same command again.\nInterrupted.\n';
    assert.deepEqual(await ended, { status: 130, out: '', err });
    await done(home, 'forget', 'tiktok:@nobody');
  });
});
