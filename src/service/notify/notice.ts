import type { ItemSource } from '../../../lib/read/item-source.js';

/** A field that changed, with its values as the pages had them. */
interface NoticedChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** An item in an alert. */
export interface NoticedItem {
  /** `new` if no earlier run returned it, `changed` if it has changed since, `found` if the run does not compare. */
  readonly what: 'new' | 'changed' | 'found';
  /** The parameters of its input. */
  readonly input: unknown;
  /** The user's own columns of the input. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  /** Its source; null if the answer does not say. */
  readonly source: ItemSource | null;
  readonly changes: readonly NoticedChange[];
}

/** The alert about one run. Every target of the run gets the same. */
export interface Notice {
  /** `whd_…`: the same for all attempts. */
  readonly id: string;
  readonly endpoint: string;
  /** The name chosen by the owner of the schedule; null if there is none. */
  readonly name: string | null;
  /** The job of a schedule's run; null for a run of the command line. */
  readonly job: string | null;
  readonly schedule: string | null;
  /** When the run started, ISO 8601 UTC. */
  readonly at: string;
  /** Why the run ended before its last input; null if it finished. */
  readonly stopped: string | null;
  /** Items of the first run under a name: later runs know them, and they are not reported. */
  readonly known: number;
  /** Number of items reported, of which `items` has the first. */
  readonly total: number;
  /** Number of items by kind. */
  readonly counts: Readonly<Record<NoticedItem['what'], number>>;
  /** At most `maxNoticed`. */
  readonly items: readonly NoticedItem[];
  /** Where all of them are: an address, or a local file; null for standard output. */
  readonly all_at: string | null;
  /** True for the rest of an interrupted run, whose first part an earlier alert reported. */
  readonly resumed: boolean;
}

/** Maximum items included in an alert; the rest are at its address. */
export const maxNoticed = 100;
