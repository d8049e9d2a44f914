import { ExtractError } from '../errors/extract-error.js';

/** A list after completion from its items' own pages. */
export interface Completion<T> {
  readonly items: readonly T[];
  /** False when an item's page was refused: the answer is then cached only for minutes. */
  readonly whole: boolean;
}

const endsCompletion: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_rate_limited',
  'platform_login_required',
  'platform_unavailable',
  'platform_timeout',
]);

/**
 * Completes the items of a list from their own pages, in order, at the session's pace. Best effort: an item
 * with an unreadable page keeps the list's data; after a refusal no further page is requested. Internal
 * faults and aborted calls are thrown on.
 */
export async function complete<T>(
  items: readonly T[],
  lacks: (item: T) => boolean,
  fromOwnPage: (item: T) => Promise<T>,
): Promise<Completion<T>> {
  const completed: T[] = [];
  let refused = false;
  let isWhole = true;
  for (const item of items) {
    if (refused || !lacks(item)) {
      if (refused && lacks(item)) isWhole = false;
      completed.push(item);
      continue;
    }
    try {
      completed.push(await fromOwnPage(item));
    } catch (error) {
      if (!(error instanceof ExtractError) || error.type === 'internal') throw error;
      refused = endsCompletion.has(error.code);
      isWhole = false;
      completed.push(item);
    }
  }
  return { items: completed, whole: isWhole };
}
