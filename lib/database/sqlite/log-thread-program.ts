// The thread of the log: moves the write-ahead log of a file into the file, beside those who write.
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteFile } from './sqlite-file.js';
import { LogMover } from './wal-pages.js';

/** Far less than the writer would move itself: it finds nothing to do. A thousand pages take 6 ms (2026-11). */
const movedPages = 1000;
/** Milliseconds between two looks. A busy server writes 300 pages in them. */
const lookMs = 100;

const db = await openSqliteFile(String(workerData));
const mover = new LogMover(db, movedPages);
const looks = setInterval(() => {
  mover.grown();
  if (mover.isDue()) mover.move();
}, lookMs);
parentPort?.once('message', () => {
  clearInterval(looks);
  db.close();
});
