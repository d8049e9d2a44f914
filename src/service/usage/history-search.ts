import { accountTurns } from '../../../lib/runtime/account-turns.js';

/** Rows per read: 1 ms (2026-11). Other work runs between reads. */
export const rowsPerRead = 2_500;
/** Reads per search. The next page continues further back. */
const maxReads = 64;

interface Piece<Row, Position> {
  readonly rows: readonly Row[];
  /** Where to continue; null at the end of the history. */
  readonly position: Position | null;
}

/**
 * Searches an account's history in batches until it has enough rows. `position` is the end of an unfinished search,
 * null at the end of the history.
 */
export async function searchHistory<Row, Position>(
  account: string,
  limit: number,
  begin: Position | undefined,
  readPiece: (before: Position | undefined, limit: number) => Promise<Piece<Row, Position>>,
): Promise<Piece<Row, Position>> {
  const rows: Row[] = [];
  let before = begin;
  for (let reads = 1; ; reads += 1) {
    await accountTurns.next(account);
    const piece = await readPiece(before, limit - rows.length);
    rows.push(...piece.rows);
    if (piece.position === null || rows.length >= limit) return { rows, position: null };
    if (reads === maxReads) return { rows, position: piece.position };
    before = piece.position;
  }
}
