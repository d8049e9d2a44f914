/**
 * The check for a newer version, as a user sees it: real processes at a terminal, with an npm that records its calls.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { dayMs } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { version } from '../../../lib/runtime/version.js';
import { tellUpdate } from '../../../src/faces/cli/update/update-notice.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const tools = path.join(folder, 'tools');
const marker = path.join(folder, 'asked');
mkdirSync(tools);
writeFileSync(path.join(tools, 'npm'), `#!/bin/sh\necho "$@" >> ${marker}\necho 99.1.2\n`, { mode: 0o755 });

const program = `${process.execPath} ${path.join(packageRoot(), 'bin', 'extract.js')}`;
const env = (home: string, more: NodeJS.ProcessEnv) => ({
  ...process.env,
  PATH: `${tools}:${process.env.PATH}`,
  EXTRACT_HOME: home,
  ...more,
});

/** A command line at a terminal. */
const atTerminal = (line: string, home: string, more: NodeJS.ProcessEnv = {}) =>
  outputOf(spawn('script', ['-qec', `${program} ${line}`, '/dev/null'], { env: env(home, more) }));

const settings = { EXTRACT_UPDATE_NOTICE: 'true' };
const demo = 'shortvideo profile nasa --demo --json';

describe('a newer version', () => {
  test('is only looked up on request', async () => {
    const home = path.join(folder, 'silent');
    const { out } = await atTerminal(demo, home);
    assert.doesNotMatch(out, /99\.1\.2/);
    assert.equal(existsSync(path.join(home, 'update.json')), false);
    assert.equal(existsSync(marker), false);
  });

  test('is looked up in the background, and reported by the next command on a terminal only', async () => {
    const home = path.join(folder, 'told');
    assert.doesNotMatch((await atTerminal(demo, home, settings)).out, /99\.1\.2/);
    const stateFile = path.join(home, 'update.json');
    // Made by another process, and written a moment later.
    while (!existsSync(stateFile) || readFileSync(stateFile, 'utf8') === '') await setTimeout(20);
    assert.match(
      (await atTerminal(demo, home, settings)).out,
      new RegExp(`Version 99\\.1\\.2 is available; this is ${version}`),
    );
    assert.equal(readFileSync(marker, 'utf8').trim().split('\n').length, 1, 'once a day');
    const piped = await outputOf(
      spawn('sh', ['-c', `${program} ${demo}`], {
        env: env(home, settings),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    assert.equal(piped.err, '');
  });

  test('is looked up again after a day, and after a clock that was set back', async () => {
    const home = path.join(folder, 'days');
    mkdirSync(home);
    const file = path.join(home, 'update.json');
    const stderr = { isTTY: true, columns: 80, async write() {} };
    const at = Date.UTC(2026, 10, 26);
    for (const [text, isDue] of [
      ['', true],
      ['not JSON', true],
      [JSON.stringify({ checked_at: at, latest: null }), false],
      [JSON.stringify({ checked_at: at - dayMs, latest: null }), true],
      [JSON.stringify({ checked_at: at + 2 * dayMs, latest: null }), true],
    ] as const) {
      writeFileSync(file, text);
      let looked = false;
      await tellUpdate(home, stderr, at, () => {
        looked = true;
      });
      assert.equal(looked, isDue, text);
    }
  });
});
