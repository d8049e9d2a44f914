import { accountTurns } from '../../../lib/runtime/account-turns.js';

/** Rows that one read looks at: 1 ms (2026-11); between two reads others have their turn. */
export const rowsPerRead = 2_500;
/** Reads of one search. The next page searches further back. */
const maxReads = 64;

/** The result of one read of a history. */
interface Piece<Row, Place> {
  readonly rows: readonly Row[];
  /** Where to go on; null at the end of the history. */
  readonly reached: Place | null;
}

/** Searches the history of an account piece by piece for so many rows; `reached` is where it stopped before it had them, null at the end. */
export async function searchHistory<Row, Place>(
  account: string,
  limit: number,
  begin: Place | undefined,
  read: (before: Place | undefined, limit: number) => Promise<Piece<Row, Place>>,
): Promise<Piece<Row, Place>> {
  const rows: Row[] = [];
  let before = begin;
  for (let reads = 1; ; reads += 1) {
    await accountTurns.next(account);
    const piece = await read(before, limit - rows.length);
    rows.push(...piece.rows);
    if (piece.reached === null || rows.length >= limit) return { rows, reached: null };
    if (reads === maxReads) return { rows, reached: piece.reached };
    before = piece.reached;
  }
}
