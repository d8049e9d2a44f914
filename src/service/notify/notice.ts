import type { ItemSource } from '../../../lib/read/item-source.js';

/** A field that moved, with its values as the pages had them. */
interface NoticedChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** An item that an alert tells of. */
export interface NoticedItem {
  /** `new` for what no earlier run gave, `changed` for what moved since, `found` where nobody asks for news. */
  readonly what: 'new' | 'changed' | 'found';
  /** The parameters it was asked for with. */
  readonly input: unknown;
  /** The columns of the user's own that came with the input. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  /** Where it stands; null where the answer does not say. */
  readonly source: ItemSource | null;
  readonly changes: readonly NoticedChange[];
}

/** The alert about one run; every target of the run gets the same. */
export interface Notice {
  /** `whd_…`: the same over all attempts. */
  readonly id: string;
  readonly endpoint: string;
  /** The name that its owner gave the schedule; null without one. */
  readonly name: string | null;
  /** The job of a schedule's run; null for a run of the command line. */
  readonly job: string | null;
  readonly schedule: string | null;
  /** When the run began, ISO 8601 UTC. */
  readonly at: string;
  /** Why the run ended before its last input; null for one that is finished. */
  readonly stopped: string | null;
  /** Items of the first run under a name: later runs know them, and nobody is told of them. */
  readonly known: number;
  /** Items that the run tells of, of which `items` has the first. */
  readonly total: number;
  /** Items by what they are. */
  readonly counts: Readonly<Record<NoticedItem['what'], number>>;
  /** At most `maxNoticed`. */
  readonly items: readonly NoticedItem[];
  /** Where all of them stand: an address, or a file of this machine; null for the standard output. */
  readonly all_at: string | null;
  /** True for the rest of a run that was interrupted: an alert before this one tells of its first part. */
  readonly resumed: boolean;
}

/** Items that an alert has itself; the rest stand at its address. */
export const maxNoticed = 100;
