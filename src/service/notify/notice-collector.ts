import type { ItemSource } from '../../../lib/read/item-source.js';
import type { Changes } from '../../files/seen-items/changes.js';
import { maxNoticed, type Notice, type NoticedItem } from './notice.js';

/** The answer of one input, after what is left out. */
export interface NoticedLine {
  readonly input: unknown;
  /** An object, or the items of a list; null for nothing. */
  readonly data: unknown;
  /** One for each item. */
  readonly sources: readonly ItemSource[];
  /** The fields of an object that changed since an earlier run. */
  readonly changed: Changes | null;
}

/** The run that a notice is about. */
export type NoticedRun = Omit<Notice, 'total' | 'counts' | 'items'>;

/** Characters of JSON that the items of a notice come to, at most: receivers refuse larger bodies. */
const maxCharacters = 1_000_000;

/** Collects a run's notice: its first items, and the counts of all of them. */
export class NoticeCollector {
  /** True for a run that leaves out what earlier ones gave. */
  readonly #isNews: boolean;
  readonly #items: NoticedItem[] = [];
  readonly #counts = { new: 0, changed: 0, found: 0 };
  #characters = 0;
  #total = 0;

  constructor({ isNews }: { readonly isNews: boolean }) {
    this.#isNews = isNews;
  }

  add({ input, data, sources, changed }: NoticedLine): void {
    if (data === null || data === undefined) return;
    const items = Array.isArray(data) ? (data as readonly unknown[]) : [data];
    const changes = Object.entries(changed ?? {}).map(([field, [before, after]]) => ({
      field,
      before,
      after,
    }));
    const what = changes.length > 0 ? 'changed' : this.#isNews ? 'new' : 'found';
    for (const [place, item] of items.entries()) {
      this.#total += 1;
      this.#counts[what] += 1;
      this.#keep({ what, input, data: item, source: sources[place] ?? null, changes });
    }
  }

  /** The notice about the run; null where it has nothing to tell. */
  notice(run: NoticedRun): Notice | null {
    if (this.#total === 0) return null;
    return { ...run, total: this.#total, counts: { ...this.#counts }, items: [...this.#items] };
  }

  #keep(item: NoticedItem): void {
    // The first items are kept without a gap; items behind one that does not fit are at the notice's address alone.
    if (this.#items.length >= maxNoticed || this.#items.length < this.#total - 1) return;
    this.#characters += JSON.stringify(item).length;
    if (this.#characters <= maxCharacters) this.#items.push(item);
  }
}
