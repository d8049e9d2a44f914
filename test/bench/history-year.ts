// A year of a history: 2,000 profiles a day and 200 lists every six hours. Says how large it is and how long its queries take.
import type { HistoryReader } from '../../src/lines/memory/history.js';
import { fileScope, type HistoryFile } from '../../src/lines/memory/sqlite/history-file.js';
import { movesOf, simulate } from '../files/history/simulated-year.js';

/** The place of the history. */
export interface Keeping {
  readonly open: () => Promise<HistoryFile>;
  /** Rows of `countMoves`. */
  readonly moves: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly bytes: () => Promise<number>;
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`  ${name}: ${Math.round(performance.now() - began).toLocaleString('en-US')} ms`);
  return result;
}

const field = 'followers_count';

async function ask(history: HistoryReader, end: number): Promise<void> {
  const subjects = await timed('all subjects', () => history.subjects());
  const accounts = subjects.filter(({ label }) => label.startsWith('account')).map(({ number }) => number);
  const lists = subjects.filter(({ label }) => label.startsWith('list')).map(({ number }) => number);
  await timed('the line of one subject', () => history.series({ subjects: accounts.slice(7, 8), field }));
  await timed('the lines of twelve subjects', () =>
    history.series({ subjects: accounts.slice(0, 12), field }),
  );
  await timed('the lines of all subjects', () => history.series({ field }));
  await timed('how many items twelve lists had', () => history.sizes({ subjects: lists.slice(0, 12) }));
  const newest = { newestFirst: true, quiet: true, items: true };
  await timed('the newest hundred changes', () => history.changes(newest));
  await timed('the newest hundred that are gone', () => history.changes({ ...newest, events: ['removed'] }));
  await timed('a thousand changes of the last week', () =>
    history.changes({ since: end - 7 * 86_400_000, limit: 1_000 }),
  );
}

/** Simulates this many days, compares the reported with the actual events, and measures. */
export async function measureYear(days: number, { open, moves, bytes }: Keeping): Promise<void> {
  const { observations, ...expected } = await timed(`${days} days recorded`, () =>
    simulate({ open, days, accounts: 2_000, lists: 200 }),
  );
  const told = movesOf(await moves());
  for (const [event, count] of Object.entries(expected)) {
    if (told[event] !== count) throw new Error(`${event}: ${told[event]} told, and ${count} happened`);
  }
  const size = await bytes();
  const changes = Object.values(told).reduce((sum, count) => sum + count, 0);
  console.log(
    `  ${observations.toLocaleString('en-US')} observations, ${changes.toLocaleString('en-US')} moves, each told once: ` +
      `${(size / 1e6).toFixed(0)} MB, ${(size / changes).toFixed(0)} bytes a move`,
  );
  const { history, close } = await open();
  await ask(history.reader(fileScope), Date.UTC(2026, 0, 1) + days * 86_400_000);
  await close();
}
