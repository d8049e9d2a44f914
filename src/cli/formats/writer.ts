import type { Envelope } from '../../../lib/call/envelope.js';
import type { Selection } from '../../output/selection.js';
import type { Sink } from '../context.js';
import type { Output } from '../output.js';

/** What a command answers; a command that is no call of an endpoint has less to say about itself, or nothing. */
export type Told = Omit<Envelope<unknown>, 'meta'> & { readonly meta?: object };

/** Writes the pages of an answer to stdout in one format. */
export interface Writer {
  /** Takes a page; formats of one line an item write it at once. */
  page(answer: Told): Promise<void>;
  /** Writes what is still owed. */
  end(): Promise<void>;
}

/** What a format is made from. */
export interface Target {
  readonly output: Output;
  readonly selection: Selection;
  readonly stdout: Sink;
  /** Says something beside the data to somebody who looks at a terminal. */
  remark(text: string): Promise<void>;
}

/** The items of an answer, each reduced to what is to be shown. */
export function itemsOf({ data }: Told, { many, pick }: Selection): unknown[] {
  return (many ? (data as unknown[]) : [data]).map(pick);
}
