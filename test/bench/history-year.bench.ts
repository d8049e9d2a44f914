// A year of a history in a file (`npm run bench history-year 30`: so many days).
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../lib/runtime/clock.js';
import { openHistoryFile } from '../../src/lines/memory/sqlite/history-file.js';
import { countMoves } from '../files/history/simulated-year.js';
import { measureYear } from './history-year.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const file = path.join(folder, 'year.sqlite');
await measureYear(Number(process.argv[2] ?? 365), {
  open: () => openHistoryFile(file, systemClock, true),
  async moves() {
    const db = new DatabaseSync(file, { readOnly: true });
    const rows = db.prepare(countMoves).all();
    db.close();
    return rows;
  },
  bytes: async () => statSync(file).size,
});
rmSync(folder, { recursive: true, force: true });
