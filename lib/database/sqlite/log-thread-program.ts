// The log thread: checkpoints a file's write-ahead log while others write.
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteFile } from './sqlite-file.js';
import { createLogMover } from './wal-pages.js';

/**
 * Far fewer pages than the writer would wait for, so that the writer never checkpoints. A thousand pages take 6 ms
 * (2026-11).
 */
const movedPages = 1000;
/** Milliseconds between checks. A busy server writes 300 pages in that time. */
const pollMs = 100;

const db = await openSqliteFile(String(workerData));
const mover = createLogMover(db, movedPages);
const timer = setInterval(() => {
  mover.grown();
  if (mover.isDue()) mover.move();
}, pollMs);
parentPort?.once('message', () => {
  clearInterval(timer);
  db.close();
});
