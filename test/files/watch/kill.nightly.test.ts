import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { fromSource } from '../../support/from-source.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder();
const program = path.join(packageRoot(), 'test', 'support', 'cli-program.ts');
const count = 4000;

function start(t: TestContext, folder: string, args: readonly string[]) {
  const child = spawn(process.execPath, [...fromSource, program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, EXTRACT_HOME: path.join(folder, 'home') },
  });
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return { child, output: () => stderr };
}

const outputsIn = (folder: string) => readdirSync(folder).filter((name) => /^out\..*\.ndjson$/.test(name));

/** Starts a watch and kills it in its first run. Tells whether the run was still under way. */
async function killEarly(t: TestContext, folder: string, args: readonly string[]): Promise<boolean> {
  const first = start(t, folder, args);
  const ended = once(first.child, 'exit');
  const size = () => Math.max(0, ...outputsIn(folder).map((name) => statSync(path.join(folder, name)).size));
  while (first.child.exitCode === null && size() === 0) await setTimeout(2);
  first.child.kill('SIGKILL');
  await ended;
  return !first.output().includes('Next run ');
}

describe('a watch that is killed', () => {
  test('takes the run up in its file when it is started again, and waits for the next', async (t) => {
    let folder = '';
    let args: string[] = [];
    // On a busy machine the kill may come when the run is over.
    for (let isCut = false, tries = 0; !isCut; tries += 1) {
      assert.ok(tries < 10, 'a kill meets a run');
      folder = mkdtempSync(path.join(home, 'try-'));
      const input = path.join(folder, 'names.txt');
      writeFileSync(input, Array.from({ length: count }, (_, at) => `name${at}\n`).join(''));
      args = ['watch', 'shortvideo/profile', input, '--demo', '--every', '6h'];
      args.push('-o', path.join(folder, 'out.ndjson'));
      isCut = await killEarly(t, folder, args);
    }
    const outputs = () => outputsIn(folder);
    assert.equal(outputs().length, 1);

    const second = start(t, folder, args);
    const stopped = once(second.child, 'exit');
    while (second.child.exitCode === null && !second.output().includes('Next run ')) await setTimeout(10);
    assert.match(second.output(), /^Resuming the run of /);
    second.child.kill('SIGTERM');
    assert.deepEqual(await stopped, [143, null]);

    const [file = ''] = outputs();
    assert.equal(outputs().length, 1);
    assert.deepEqual(
      ndjsonValues(readFileSync(path.join(folder, file), 'utf8')).map(({ input }) => input.username),
      Array.from({ length: count }, (_, at) => `name${at}`),
    );

    const third = start(t, folder, args);
    const over = once(third.child, 'exit');
    while (third.child.exitCode === null && !third.output().includes('Next run ')) await setTimeout(10);
    third.child.kill('SIGTERM');
    await over;
    assert.doesNotMatch(third.output(), /inputs in/);
    assert.equal(outputs().length, 1);
  });
});
