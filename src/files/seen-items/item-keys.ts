import { fingerprint } from '../../../lib/call/cursor.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { contentKey } from '../result-files/content-key.js';

/**
 * Names the items of a page, in order, by the platform's own ids. The road of a call gives fingerprints of them. A server
 * tells them where it is asked for sources; other items are named by what they hold.
 */
export function itemKeys(
  { prints, sources }: Pick<Answer, 'prints' | 'sources'>,
  items: readonly unknown[],
): readonly string[] {
  if (prints !== undefined && prints.length === items.length) return prints;
  const itemSources = sources === undefined ? [] : (JSON.parse(sources) as readonly ItemSource[]);
  return items.map((item, place) => {
    const id = itemSources[place]?.id ?? null;
    return id === null ? contentKey(item) : fingerprint(id);
  });
}
