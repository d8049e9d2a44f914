import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { isBuilt, type OutputKind } from '../../../../src/files/result-files/file-kind.js';
import { fromSource } from '../../../support/from-source.js';
import { bodyOf, loopback } from '../../../support/loopback.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const program = path.join(packageRoot(), 'test', 'support', 'cli-program.ts');
const names = Array.from({ length: 90 }, (_, at) => `name${at}`);

interface Alert {
  readonly id: string;
  readonly items: readonly { readonly data: { readonly username: string } }[];
}

/**
 * Runs a batch that tells of each item, into an output of a kind, killed at so many parts of the time that it takes; then to
 * its end. Asserts that no item of the output is untold, and that an alert that is sent again is the same.
 */
export async function assertKilledRunTells(
  t: TestContext,
  kind: string,
  kills: readonly number[],
): Promise<void> {
  let slowly = true;
  const told: Alert[] = [];
  const { origin } = await loopback(t, async (request, response) => {
    const alert = JSON.parse(await bodyOf(request)) as Alert;
    if (slowly) await setTimeout(300);
    told.push(alert);
    response.writeHead(204).end();
  });
  const folder = mkdtempSync(path.join(temporaryFolder(), 'kill-'));
  const input = path.join(folder, 'names.txt');
  const output = path.join(folder, `out.${kind}`);
  writeFileSync(input, `${names.join('\n')}\n`);
  const args = ['batch', 'shortvideo/profile', input, '--demo', '-o', output, '--resume', '--new', 'n'];
  args.push('--notify', `${origin}/hook`, '--notify-all');
  const run = (killAfter: number | null) => {
    const child = spawn(process.execPath, [...fromSource, program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, EXTRACT_HOME: path.join(folder, 'home') },
    });
    child.stderr.resume();
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit') as Promise<[number | null]>;
    if (killAfter !== null) void setTimeout(killAfter).then(() => child.kill('SIGKILL'));
    return ended;
  };
  const began = performance.now();
  await run(null).then(([status]) => assert.equal(status, 0));
  const whole = performance.now() - began;
  assert.equal(told.length, 1);

  told.length = 0;
  args[args.indexOf('n')] = 'killed';
  const killed = path.join(folder, `killed.${kind}`);
  args[args.indexOf(output)] = killed;
  for (const part of kills) await run(whole * part);
  slowly = false;
  assert.deepEqual(await run(null), [0, null]);
  const items = new Set(told.flatMap((alert) => alert.items.map(({ data }) => data.username)));
  const lines = ndjsonValues(readFileSync(isBuilt(kind as OutputKind) ? `${killed}.ndjson` : killed, 'utf8'));
  assert.equal(lines.length, names.length);
  assert.deepEqual([...items].sort(), lines.map(({ data }) => data.username).sort());
  const texts = new Map(told.map((alert) => [alert.id, JSON.stringify(alert)]));
  for (const alert of told) assert.equal(texts.get(alert.id), JSON.stringify(alert));
}
