// A year of a history: 2,000 profiles a day and 200 lists every six hours (`npm run bench history-year 30`: so many days). Says
// how large its file is and how long its queries take.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../lib/runtime/clock.js';
import { fileScope, openHistoryFile } from '../../src/files/history/sqlite/history-file.js';
import { simulate } from '../files/history/simulated-year.js';

const days = Number(process.argv[2] ?? 365);
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const file = path.join(folder, 'year.sqlite');

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`  ${name}: ${((performance.now() - began) / 1000).toFixed(2)} s`);
  return result;
}

const { observations, ...expected } = await timed(`${days} days recorded`, () =>
  simulate({ file, days, accounts: 2_000, lists: 200 }),
);
const db = new DatabaseSync(file, { readOnly: true });
const told: Readonly<Record<string, number>> = Object.fromEntries(
  db
    .prepare('SELECT event, count(*) AS count FROM changes GROUP BY event')
    .all()
    .map(({ event, count }) => [String(event), Number(count)]),
);
db.close();
for (const [event, count] of Object.entries(expected)) {
  if (told[event] !== count) throw new Error(`${event}: ${told[event]} told, and ${count} happened`);
}
const { size } = statSync(file);
const changes = Object.values(told).reduce((sum, count) => sum + count, 0);
console.log(
  `  ${observations.toLocaleString('en-US')} observations, ${changes.toLocaleString('en-US')} moves, each told once: ` +
    `${(size / 1e6).toFixed(0)} MB, ${(size / changes).toFixed(0)} bytes a move`,
);
const { history, close } = await openHistoryFile(file, systemClock, false);
const field = 'followers_count';
const subjects = await timed('subjects', () => history.subjects(fileScope));
await timed('the series of one subject', () =>
  history.series(fileScope, { subjects: [subjects[7]?.number ?? 0], field }),
);
await timed('the series of all', () => history.series(fileScope, { field }));
await timed('the newest hundred changes', () =>
  history.changes(fileScope, { newestFirst: true, quiet: true, items: true }),
);
await timed('a week of changes', () =>
  history.changes(fileScope, { since: Date.UTC(2026, 0, 1) + (days - 7) * 86_400_000, limit: 1_000 }),
);
await close();
rmSync(folder, { recursive: true, force: true });
