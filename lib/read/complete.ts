import { ExtractError } from '../errors/extract-error.js';

/** How far a list could be completed from its items' own pages. */
export interface Completion<T> {
  readonly items: readonly T[];
  /** False when an item's page was refused: the answer is true but thin, and kept only briefly. */
  readonly whole: boolean;
}

const stops: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_rate_limited',
  'platform_login_required',
  'platform_unavailable',
  'platform_timeout',
]);

/**
 * Completes the items of a list from their own pages, in order, sharing the visit's pace. Best effort: an
 * item whose page cannot be read stays as the list gave it; after a refusal no further page is asked for.
 * A fault of ours or an aborted call is thrown on.
 */
export async function complete<T>(
  items: readonly T[],
  lacks: (item: T) => boolean,
  fromOwnPage: (item: T) => Promise<T>,
): Promise<Completion<T>> {
  const done: T[] = [];
  let refused = false;
  let whole = true;
  for (const item of items) {
    if (refused || !lacks(item)) {
      if (refused && lacks(item)) whole = false;
      done.push(item);
      continue;
    }
    try {
      done.push(await fromOwnPage(item));
    } catch (error) {
      if (!(error instanceof ExtractError) || error.type === 'internal') throw error;
      refused = stops.has(error.code);
      whole = false;
      done.push(item);
    }
  }
  return { items: done, whole };
}
