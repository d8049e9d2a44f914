import type { Envelope } from '../../../../lib/call/envelope.js';
import type { Sink } from '../../../lines/sink.js';
import type { Selection } from '../../../output/selection.js';
import type { OutputStream } from '../context.js';
import type { OutputOptions } from '../output.js';

/** The answer of a command. A command that calls no endpoint has less metadata, or none. */
export type CommandAnswer = Omit<Envelope<unknown>, 'meta'> & {
  readonly meta?: object;
  readonly input?: unknown;
  /** With `--new`: the IDs of items that disappeared from their list. */
  readonly removed?: readonly string[];
  /** Shown instead of an empty table. */
  readonly empty?: string | undefined;
};

/**
 * Writes the pages of an answer to stdout in one format; formats with one line per item write each page immediately.
 */
export type Writer = Sink<CommandAnswer>;

export interface WriterOptions {
  readonly output: OutputOptions;
  readonly selection: Selection;
  readonly stdout: OutputStream;
  /** Writes a note to stderr, on a terminal. */
  writeNote(text: string): Promise<void>;
}

/** Returns the items of an answer with the selected fields. */
export function itemsOf({ data }: CommandAnswer, { many, pick }: Selection): unknown[] {
  return (many ? (data as unknown[]) : [data]).map(pick);
}
