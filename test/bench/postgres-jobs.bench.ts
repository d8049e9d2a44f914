// Jobs of a node over PostgreSQL, with durable commits. Inputs that call nobody, and a small job behind a large one.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openNode } from '../service/jobs/database-harness.js';
import { awaitJob, makeJob, numbered } from '../service/jobs/harness.js';
import { makeCluster, withoutPostgres } from '../support/postgres-cluster.js';
import { median } from './compare.js';

const rounds = 3;
const inputs = 10_000;

if (withoutPostgres !== null) {
  console.log(withoutPostgres);
  process.exit();
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const cluster = await makeCluster({
  isDurable: true,
  settings: { shared_buffers: '256MB', max_wal_size: '4GB' },
});
const node = await openNode({ url: cluster.url, connections: 10 }, folder);
const [large, small] = [await node.customer(10_000_000), await node.customer(10_000_000)];

/** Seconds that a job takes, and those of a job of three that was made right behind it. */
async function measure(): Promise<{ readonly all: number; readonly three: number; readonly made: number }> {
  const began = performance.now();
  const long = await makeJob(node, large, numbered(inputs));
  const made = performance.now();
  const short = await makeJob(node, small, numbered(3));
  await awaitJob(node, small, short);
  const three = performance.now();
  await awaitJob(node, large, long);
  const now = performance.now();
  return { all: (now - made) / 1000, three: (three - made) / 1000, made: (made - began) / 1000 };
}

try {
  await awaitJob(node, small, await makeJob(node, small, numbered(3)));
  const taken: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    taken.push(await measure());
    await setTimeout(500);
  }
  const of = (name: 'all' | 'three' | 'made') => median(taken.map((one) => one[name]));
  const perSecond = Math.round(inputs / of('all'));
  console.log(
    `${perSecond >= 4000 ? 'met   ' : 'MISSED'}  ${perSecond}  at least 4000  inputs a second, of ${inputs} that ask nobody`,
  );
  const share = of('three') / of('all');
  console.log(
    `${share <= 0.5 ? 'met   ' : 'MISSED'}  ${share.toFixed(2)}  at most 0.50  of its time until a job of three behind it had ended (${Math.round(of('three') * 1000)} ms)`,
  );
  console.log(`        ${Math.round(of('made') * 1000)} ms  until a job of ${inputs} inputs was made`);
  if (node.errors.length > 0) console.log(node.errors);
} finally {
  await node.close();
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
}
