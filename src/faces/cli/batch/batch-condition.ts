import type { NewsFilter } from '../../../files/batch-files/batch-run.js';
import type { InputResult } from '../../../files/batch-files/line-format.js';
import type { Condition } from '../../../files/condition/condition.js';
import { counted } from '../../../output/number-text.js';
import type { BatchCommandOptions } from './batch-options.js';

/** The condition of a batch, or null. Throws `invalid_parameter` for one that cannot be read, before anything is asked. */
export async function openCondition({
  endpoint,
  when,
}: Pick<BatchCommandOptions, 'endpoint' | 'when'>): Promise<Condition | null> {
  if (when === undefined) return null;
  const { Condition } = await import('../../../files/condition/condition.js');
  return new Condition(endpoint, when);
}

/**
 * The options of a batch whose answers say what its condition, its history, its memory of items, or who saves captions or
 * tells of items asks for.
 */
export function askedFor(options: BatchCommandOptions, condition: Condition | null): BatchCommandOptions {
  const { captions, notify, history, newsName } = options;
  const isPlain = !captions && notify.length === 0 && history === null && newsName === null;
  if (condition?.namesSource !== true && isPlain) return options;
  return { ...options, defaults: { ...options.defaults, sources: true } };
}

/**
 * Leaves out what the condition is not true of, after what earlier runs gave, and sources that were asked for on behalf
 * of something else. `onKept` gets what is left, with its sources.
 */
export function conditionFilter(
  condition: Condition | null,
  news: NewsFilter | undefined,
  { sources }: Pick<BatchCommandOptions, 'sources'>,
  onKept: (result: InputResult) => Promise<void> = async () => undefined,
): NewsFilter {
  return {
    readsOn: news?.readsOn,
    async unseenItems(result) {
      const unseen = news === undefined ? result : await news.unseenItems(result);
      const matching = unseen === null || condition === null ? unseen : matchesOf(condition, unseen);
      if (matching !== null) await onKept(matching);
      return matching === null || sources ? matching : { ...matching, sources: undefined };
    },
  };
}

/** The items that the condition is true of. Nobody can ask it about an item that is gone. */
function matchesOf(condition: Condition, unseen: InputResult): InputResult | null {
  const { removed, sources } = unseen;
  const isEmpty = removed !== undefined && removed.length > 0;
  const none = isEmpty ? { ...unseen, json: '[]', sources: sources === undefined ? undefined : '[]' } : null;
  return condition.filter(unseen) ?? none;
}

/** Names the thing that inputs without a line lack: news, a match or both. */
export function withoutText({ newsName, when }: Pick<BatchCommandOptions, 'newsName' | 'when'>): string {
  if (when === undefined) return 'news';
  return newsName === null ? 'a match' : 'news or a match';
}

/** Says of how many items nobody can tell whether the condition is true. */
export function undecidedText(condition: Condition | null): string[] {
  const count = condition?.undecided ?? 0;
  if (count === 0) return [];
  return [`Left out by --when: ${counted(count, 'item')} of which a value is unknown.`];
}
