import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Cost } from './batch/run.js';
import { buildPrograms } from './build-programs.js';
import { type WantedFile, writeLines } from './outputs/rows.js';

const run = promisify(execFile);
const many = 1_000_000;
const few = 100_000;
const kinds = ['csv', 'sqlite', 'parquet', 'xlsx'] as const;
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const programs = await buildPrograms(['outputs/ours', 'outputs/bare']);

async function costOf(name: 'ours' | 'bare', kind: WantedFile['kind'], rows: number): Promise<Cost> {
  const output = path.join(folder, `${name}.${kind}`);
  const wanted: WantedFile = { kind, input: path.join(folder, String(rows)), output };
  const { stdout } = await run(process.execPath, [programs[`outputs/${name}`], JSON.stringify(wanted)]);
  const cost = { ...(JSON.parse(stdout) as Cost), rows };
  const perSecond = Math.round((rows * 1000) / cost.ms).toLocaleString('en-US');
  const size = Math.round(statSync(output).size / 1024 / 1024);
  console.log(
    `        ${`${kind}, ${name}`.padEnd(16)} ${rows.toLocaleString('en-US').padStart(9)} rows  ${perSecond.padStart(8)} rows/s  ${Math.round(cost.peakMb)} MB of memory, ${size} MB of file`,
  );
  rmSync(output);
  return cost;
}

try {
  await writeLines(path.join(folder, String(few)), few);
  await writeLines(path.join(folder, String(many)), many);
  for (const kind of kinds) {
    const early = await costOf('ours', kind, few);
    const ours = await costOf('ours', kind, many);
    const bare = await costOf('bare', kind, many);
    const share = bare.ms / ours.ms;
    console.log(
      `${share >= 0.7 ? 'met   ' : 'MISSED'}  ${kind}: ${share.toFixed(2)} of the bare library (at least 0.7)`,
    );
    const grown = ours.peakMb / early.peakMb;
    console.log(
      `${grown <= 1.25 ? 'met   ' : 'MISSED'}  ${kind}: ${grown.toFixed(2)} of the memory of a tenth of the rows (at most 1.25)`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
