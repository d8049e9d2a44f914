import type { ItemSource } from '../../../lib/read/item-source.js';

/** A changed field, with its values as on the pages. */
interface NoticedChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface NoticedItem {
  /** `new` if no earlier run returned it, `changed` if it has changed since, `found` if the run does not compare. */
  readonly what: 'new' | 'changed' | 'found';
  /** The parameters of its input. */
  readonly input: unknown;
  readonly own: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  /** Null if the answer does not say. */
  readonly source: ItemSource | null;
  readonly changes: readonly NoticedChange[];
}

/** What to report of one run. Every target of the run receives the same. */
export interface Notice {
  /** `whd_…`: the same for all attempts. */
  readonly id: string;
  readonly endpoint: string;
  /** The name chosen by the schedule's owner; null for none. */
  readonly name: string | null;
  /** The job of a schedule's run; null on the command line. */
  readonly job: string | null;
  readonly schedule: string | null;
  /** When the run started, ISO 8601 UTC. */
  readonly at: string;
  /** Why the run ended before its last input; null if it finished. */
  readonly stopped: string | null;
  /** Items of the first run under a name, which are not reported. */
  readonly known: number;
  /** Items reported; `items` has the first of them. */
  readonly total: number;
  readonly counts: Readonly<Record<NoticedItem['what'], number>>;
  /** At most `maxNoticed`. */
  readonly items: readonly NoticedItem[];
  /** Where all of them are: an address or a local file; null for standard output. */
  readonly all_at: string | null;
  /** True for the rest of an interrupted run whose first part was reported. */
  readonly resumed: boolean;
}

/** Maximum items in an alert. The rest are at `all_at`. */
export const maxNoticed = 100;
