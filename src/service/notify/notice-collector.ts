import type { ItemSource } from '../../../lib/read/item-source.js';
import type { Changes } from '../../lines/memory/changes.js';
import { maxNoticed, type Notice, type NoticedItem } from './notice.js';

/** The answer of one input, without suppressed and old items. */
export interface NoticedLine {
  readonly input: unknown;
  readonly own?: Readonly<Record<string, unknown>> | undefined;
  /** An object, or the items of a list; null for none. */
  readonly data: unknown;
  readonly sources: readonly ItemSource[];
  /** The fields of an object that changed since an earlier run. */
  readonly changed: Changes | null;
}

export type NoticedRun = Omit<Notice, 'total' | 'counts' | 'items' | 'known' | 'stopped'> &
  Partial<Pick<Notice, 'stopped'>>;

/** What one line adds to a notice. Plain data. */
export interface NoticePart {
  readonly what: NoticedItem['what'];
  readonly count: number;
  /** Its first items; empty once the notice is full. */
  readonly items: readonly NoticedItem[];
}

/** Maximum JSON characters of a notice's items, because receivers reject larger bodies. */
const maxCharacters = 1_000_000;

/** Collects a run's notice: its first items, and the counts of all. */
export class NoticeCollector {
  readonly #isNoticed: boolean;
  readonly #items: NoticedItem[] = [];
  readonly #counts = { new: 0, changed: 0, found: 0 };
  #characters = 0;
  #total = 0;

  constructor({ isNews }: { readonly isNews: boolean }) {
    this.#isNoticed = isNews;
  }

  /** Adds a line. Returns its part; null for a line without items. */
  add({ input, own = {}, data, sources, changed }: NoticedLine): NoticePart | null {
    if (data === null || data === undefined) return null;
    const items = Array.isArray(data) ? (data as readonly unknown[]) : [data];
    if (items.length === 0) return null;
    const changes = Object.entries(changed ?? {}).map(([field, [before, after]]) => ({
      field,
      before,
      after,
    }));
    const what = changes.length > 0 ? 'changed' : this.#isNoticed ? 'new' : 'found';
    const first = items
      .slice(0, maxNoticed)
      .map(
        (item, index) => ({ what, input, own, data: item, source: sources[index] ?? null, changes }) as const,
      );
    return { what, count: items.length, items: this.#join(what, items.length, first) };
  }

  /** Adds a part from another collector. */
  join({ what, count, items }: NoticePart): void {
    this.#join(what, count, items);
  }

  /**
   * Returns the run's notice; null if there is nothing to report. `knownCount` is the number of items of a first run,
   * which are not reported.
   */
  notice({ stopped = null, ...run }: NoticedRun, knownCount = 0): Notice | null {
    if (this.#total === 0 && knownCount === 0 && stopped === null) return null;
    const counts = { ...this.#counts };
    return { ...run, stopped, total: this.#total, counts, known: knownCount, items: [...this.#items] };
  }

  /** Counts items and returns those that the notice includes: the first ones, without a gap. */
  #join(what: NoticedItem['what'], count: number, items: readonly NoticedItem[]): readonly NoticedItem[] {
    const isGapless = this.#items.length === this.#total;
    this.#total += count;
    this.#counts[what] += count;
    const room = isGapless ? items.slice(0, maxNoticed - this.#items.length) : [];
    const end = room.findIndex((item) => {
      this.#characters += JSON.stringify(item).length;
      return this.#characters > maxCharacters;
    });
    const fitting = end < 0 ? room : room.slice(0, end);
    this.#items.push(...fitting);
    return fitting;
  }
}
