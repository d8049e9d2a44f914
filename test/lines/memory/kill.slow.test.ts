import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ndjsonValues } from '../../support/ndjson.js';
import { killOnceWritten, startProgram } from '../../support/program-apart.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startUpstream, type Upstream } from '../../support/upstream.js';

const folder = temporaryFolder();
const count = 600;
const input = path.join(folder, 'inputs');
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
  writeFileSync(input, Array.from({ length: count }, (_, at) => `{"username":"name${at}"}\n`).join(''));
});
after(() => upstream.close());

const start = (home: string, output: string, mode: string) =>
  startProgram('lines/memory/seen-items-program.ts', {
    ...{ origin: upstream.origin, home, input, output, mode },
  });

async function finish(home: string, output: string, mode: string): Promise<{ charged: number }> {
  const { status, out } = await outputOf(start(home, output, mode));
  assert.equal(status, 0);
  const { finished, charged } = JSON.parse(out);
  assert.equal(finished, true);
  return { charged };
}

const killed = (home: string, output: string, moment: number) =>
  killOnceWritten(start(home, output, 'resume'), output, moment);

/** Returns the names in the complete lines of an output, with duplicates. */
function namesIn(output: string): string[] {
  const text = readFileSync(output, 'utf8');
  return ndjsonValues(text.slice(0, text.lastIndexOf('\n') + 1)).map(({ data }) => data.username);
}

const all = Array.from({ length: count }, (_, at) => `name${at}`);

describe('a run of news that is killed', () => {
  test('and taken up again gives everything once, and the next one nothing', async () => {
    const [home, output] = [path.join(folder, 'resumed'), path.join(folder, 'resumed.ndjson')];
    for (const moment of [0, 110]) await killed(home, output, moment);
    const { charged } = await finish(home, output, 'resume');
    assert.deepEqual(namesIn(output), all);
    const next = path.join(folder, 'next.ndjson');
    // What was written and not yet remembered when it was killed comes again: never is anything lost.
    assert.equal((await finish(home, next, 'begin')).charged, charged);
    assert.ok(namesIn(next).length < count);
    const last = path.join(folder, 'last.ndjson');
    assert.equal((await finish(home, last, 'begin')).charged, charged);
    assert.deepEqual(namesIn(last), []);
  });

  test('and begun anew in another file loses nothing', async () => {
    const [home, output] = [path.join(folder, 'anew'), path.join(folder, 'torn.ndjson')];
    await killed(home, output, 60);
    const rest = path.join(folder, 'rest.ndjson');
    await finish(home, rest, 'begin');
    assert.deepEqual([...new Set([...namesIn(output), ...namesIn(rest)])].sort(), [...all].sort());
  });
});
