import type { Envelope } from '../../../../lib/call/envelope.js';
import type { Sink } from '../../../lines/sink.js';
import type { Selection } from '../../../output/selection.js';
import type { OutputStream } from '../context.js';
import type { OutputOptions } from '../output.js';

/** The answer of a command. A command that is not a call of an endpoint has less metadata, or none. */
export type CommandAnswer = Omit<Envelope<unknown>, 'meta'> & {
  readonly meta?: object;
  /** The parameters of the call, as displayed. */
  readonly input?: unknown;
  /** With `--new`: the IDs of items that are no longer in their list. */
  readonly removed?: readonly string[];
  /** Shown instead of a table without rows. */
  readonly empty?: string | undefined;
};

/** Writes the pages of an answer to stdout in one format; those with one line per item write each immediately. */
export type Writer = Sink<CommandAnswer>;

/** What a format needs. */
export interface WriterOptions {
  readonly output: OutputOptions;
  readonly selection: Selection;
  readonly stdout: OutputStream;
  /** Writes a note next to the data, on a terminal. */
  writeNote(text: string): Promise<void>;
}

/** Returns the items of an answer, each reduced to what is shown. */
export function itemsOf({ data }: CommandAnswer, { many, pick }: Selection): unknown[] {
  return (many ? (data as unknown[]) : [data]).map(pick);
}
