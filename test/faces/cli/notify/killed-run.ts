import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { packageRoot } from '../../../../lib/runtime/package-root.js';
import { isBuilt, type OutputKind } from '../../../../src/files/result-files/file-kind.js';
import { argv } from '../../../support/argv.js';
import { fromSource } from '../../../support/from-source.js';
import { bodyOf, loopback } from '../../../support/loopback.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const program = path.join(packageRoot(), 'test', 'support', 'cli-program.ts');
const names = Array.from({ length: 90 }, (_, at) => `name${at}`);

interface Alert {
  readonly id: string;
  readonly items: readonly { readonly data: { readonly username: string } }[];
}

/** The names in an output, in order. */
function namesIn(file: string, kind: string): readonly string[] {
  if (kind === 'csv') {
    const rows: Record<string, string>[] = parse(readFileSync(file, 'utf8'), { columns: true, bom: true });
    return rows.map(({ username = '' }) => username);
  }
  const lines = readFileSync(isBuilt(kind as OutputKind) ? `${file}.ndjson` : file, 'utf8');
  return ndjsonValues(lines).map(({ data }) => data.username);
}

/**
 * Runs a batch that remembers, records and reports each item, writing an output of one kind. Kills it at several
 * fractions of its running time, then lets it finish. Asserts that each item is in the output once, and was reported,
 * recorded and remembered, and that an alert sent twice is identical.
 */
export async function assertKilledRunTells(
  t: TestContext,
  kind: string,
  kills: readonly number[],
  more: readonly string[] = [],
): Promise<void> {
  let slowly = true;
  const alerts: Alert[] = [];
  const { origin } = await loopback(t, async (request, response) => {
    const alert = JSON.parse(await bodyOf(request)) as Alert;
    if (slowly) await setTimeout(300);
    alerts.push(alert);
    response.writeHead(204).end();
  });
  const folder = mkdtempSync(path.join(temporaryFolder(), 'kill-'));
  const input = path.join(folder, 'names.txt');
  const output = path.join(folder, `out.${kind}`);
  writeFileSync(input, `${names.join('\n')}\n`);
  const args = argv`batch shortvideo/profile ${input} --demo -o ${output} --resume --new n`;
  args.push(
    '--notify',
    `${origin}/hook`,
    '--notify-all',
    '--history',
    path.join(folder, 'calm.sqlite'),
    ...more,
  );
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
  const total = performance.now() - began;
  assert.equal(alerts.length, 1);

  alerts.length = 0;
  args[args.indexOf('n')] = 'killed';
  const killed = path.join(folder, `killed.${kind}`);
  args[args.indexOf(output)] = killed;
  const history = path.join(folder, 'history.sqlite');
  args[args.indexOf('--history') + 1] = history;
  for (const part of kills) await run(total * part);
  slowly = false;
  assert.deepEqual(await run(null), [0, null]);
  const items = new Set(alerts.flatMap((alert) => alert.items.map(({ data }) => data.username)));
  assert.deepEqual(namesIn(killed, kind), names);
  assert.deepEqual([...items].sort(), [...names].sort());
  const [recorded] = queryFile(history, 'SELECT count(*) AS count FROM history_subjects');
  assert.equal(recorded?.count, names.length);
  const texts = new Map(alerts.map((alert) => [alert.id, JSON.stringify(alert)]));
  for (const alert of alerts) assert.equal(texts.get(alert.id), JSON.stringify(alert));
  // All of it is remembered: nothing comes again.
  args[args.indexOf('-o') + 1] = path.join(folder, 'again.ndjson');
  assert.deepEqual(await run(null), [0, null]);
  assert.deepEqual(namesIn(path.join(folder, 'again.ndjson'), 'ndjson'), []);
}
