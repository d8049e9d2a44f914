import type { Observation } from '../../../src/lines/memory/observation.js';
import { fileScope, type HistoryFile } from '../../../src/lines/memory/sqlite/history-file.js';
import { anAccount, aPostList, day } from './observations.js';

/** How much is simulated. */
export interface Simulation {
  /** Opens the history, as a process that begins does. */
  readonly open: () => Promise<HistoryFile>;
  readonly days: number;
  /** Accounts that are read once a day. */
  readonly accounts: number;
  /** Lists that are read every six hours. */
  readonly lists: number;
}

/** Numbers that look like chance and are the same at each run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Listing {
  readonly name: string;
  /** The newest first. */
  ids: string[];
  made: number;
  /** Items that a reading has shown; `lost` are those that the list has since dropped. */
  readonly seen: Set<string>;
  readonly lost: Set<string>;
}

/** Items that a reading gives which does not go to the end of its list. */
const firstPage = 10;
const groupSize = 500;

/** Number of changes that must be reported, by kind. */
export interface ChangeCounts {
  changed: number;
  new: number;
  removed: number;
}

/**
 * Simulates a changing platform and a program that observes it, occasionally killed and restarted, on a clock that
 * jumps forwards and backwards. Resolves with what the history must contain. `observe` receives the number of recorded
 * observations.
 */
export async function simulate({
  open,
  days,
  accounts,
  lists,
}: Simulation): Promise<ChangeCounts & { observations: number }> {
  const random = chance(days);
  const expected = { changed: 0, new: 0, removed: 0, observations: 0 };
  const counts = Array.from({ length: accounts }, (_, at) => ({ followers: 1_000 + at, media: 10 }));
  const listings = Array.from({ length: lists }, (_, at): Listing => {
    const ids = Array.from({ length: 20 }, (__, index) => `r${at}-${20 - index}`);
    return { name: `list-${at}`, ids, made: 20, seen: new Set(ids), lost: new Set() };
  });
  let opened = await open();
  let ahead = 0;

  async function record(run: string, observations: readonly Observation[]): Promise<void> {
    for (let from = 0; from < observations.length; from += groupSize) {
      const group = observations.slice(from, from + groupSize);
      await opened.history.record(fileScope, run, group);
      expected.observations += group.length;
      if (random() > 0.02) continue;
      // What was killed after its commit observes the same again.
      await opened.close();
      opened = await open();
      const again = await opened.history.record(fileScope, run, group);
      if (again.length > 0) throw new Error(`Told again: ${JSON.stringify(again[0])}`);
    }
  }

  function readAccounts(at: number, isFirst: boolean): Observation[] {
    return counts.map((count, index) => {
      if (!isFirst && random() < 0.9) {
        count.followers += 1 + Math.floor(random() * 20);
        expected.changed += 1;
      }
      if (!isFirst && random() < 0.2) {
        count.media += 1;
        expected.changed += 1;
      }
      const fields = { followers_count: count.followers, media_count: count.media };
      return anAccount(`account-${index}`, fields, { at });
    });
  }

  function readLists(at: number, isFirst: boolean): Observation[] {
    return listings.map((list) => {
      if (!isFirst && random() < 0.1) {
        list.made += 1;
        list.ids.unshift(`${list.name.replace('list-', 'r')}-${list.made}`);
      }
      if (!isFirst && random() < 0.02) {
        const [removedId] = list.ids.splice(Math.floor(random() * list.ids.length), 1);
        if (removedId !== undefined && list.seen.has(removedId)) list.lost.add(removedId);
      }
      const isWhole = isFirst || random() < 0.7;
      const ids = isWhole ? list.ids : list.ids.slice(0, firstPage);
      for (const id of ids) {
        if (list.seen.has(id)) continue;
        list.seen.add(id);
        expected.new += 1;
      }
      if (isWhole) {
        expected.removed += list.lost.size;
        list.lost.clear();
      }
      return aPostList(list.name, ids, { at, isWhole });
    });
  }

  for (let today = 0; today < days; today += 1) {
    if (random() < 0.05) ahead = Math.round((random() - 0.5) * 60 * day);
    const at = today * day + ahead;
    await record(`accounts-${today}`, readAccounts(at, today === 0));
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const isFirst = today === 0 && quarter === 0;
      await record(`lists-${today}-${quarter}`, readLists(at + (quarter * day) / 4, isFirst));
    }
  }
  await opened.close();
  return expected;
}

/** Counts the moves that a history tells, by their kind. */
export const countMoves =
  "SELECT coalesce(event, 'changed') AS event, count(*) AS count FROM history_changes GROUP BY 1";

/** Finds changes whose previous value is not the value that the field's preceding change left. */
export const findBreaks = `
  SELECT * FROM (SELECT value_before, lag(value_after) OVER (PARTITION BY object, field ORDER BY number) AS held
    FROM history_changes WHERE event IS NULL) AS moves
  WHERE held IS NOT NULL AND held <> value_before`;

/** Moves by their kind, but for first readings, as rows of `countMoves` say. */
export const movesOf = (
  rows: readonly Readonly<Record<string, unknown>>[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    rows.flatMap(({ event, count }) => (event === 'first' ? [] : [[String(event), Number(count)]])),
  );
