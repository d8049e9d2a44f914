import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { fromSource } from '../../support/from-source.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startUpstream, type Upstream } from '../../support/upstream.js';

const folder = temporaryFolder();
const program = path.join(packageRoot(), 'test', 'files', 'seen-items', 'seen-items-program.ts');
const count = 600;
const input = path.join(folder, 'inputs');
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
  writeFileSync(input, Array.from({ length: count }, (_, at) => `{"username":"name${at}"}\n`).join(''));
});
after(() => upstream.close());

function start(home: string, output: string, mode: string): ChildProcess {
  const wanted = { origin: upstream.origin, home, input, output, mode };
  return spawn(process.execPath, [...fromSource, program, JSON.stringify(wanted)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function finish(home: string, output: string, mode: string): Promise<{ charged: number }> {
  const child = start(home, output, mode);
  let stdout = '';
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  const { finished, charged } = JSON.parse(stdout);
  assert.equal(finished, true);
  return { charged };
}

/** Lets a run write more than there was, and kills it a moment later. */
async function killed(home: string, output: string, moment: number): Promise<void> {
  const size = () => (existsSync(output) ? statSync(output).size : 0);
  const child = start(home, output, 'resume');
  const ended = once(child, 'exit');
  const before = size();
  while (child.exitCode === null && size() <= before) await setTimeout(2);
  await setTimeout(moment);
  child.kill('SIGKILL');
  await ended;
}

/** The names in the whole lines of an output, as many times as they were given. */
function given(output: string): string[] {
  const text = readFileSync(output, 'utf8');
  return ndjsonValues(text.slice(0, text.lastIndexOf('\n') + 1)).map(({ data }) => data.username);
}

const all = Array.from({ length: count }, (_, at) => `name${at}`);

describe('a run of news that is killed', () => {
  test('and taken up again gives everything once, and the next one nothing', async () => {
    const [home, output] = [path.join(folder, 'resumed'), path.join(folder, 'resumed.ndjson')];
    for (const moment of [0, 30, 110]) await killed(home, output, moment);
    const { charged } = await finish(home, output, 'resume');
    assert.deepEqual(given(output), all);
    const next = path.join(folder, 'next.ndjson');
    // What was written and not yet remembered when it was killed comes again: never is anything lost.
    assert.equal((await finish(home, next, 'begin')).charged, charged);
    assert.ok(given(next).length < count);
    const last = path.join(folder, 'last.ndjson');
    assert.equal((await finish(home, last, 'begin')).charged, charged);
    assert.deepEqual(given(last), []);
  });

  test('and begun anew in another file loses nothing', async () => {
    const [home, output] = [path.join(folder, 'anew'), path.join(folder, 'torn.ndjson')];
    await killed(home, output, 60);
    const rest = path.join(folder, 'rest.ndjson');
    await finish(home, rest, 'begin');
    assert.deepEqual([...new Set([...given(output), ...given(rest)])].sort(), [...all].sort());
  });
});
