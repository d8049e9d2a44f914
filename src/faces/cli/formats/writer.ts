import type { Envelope } from '../../../../lib/call/envelope.js';
import type { Selection } from '../../../output/selection.js';
import type { OutputStream } from '../context.js';
import type { OutputOptions } from '../output.js';

/** The answer of a command. A command that is no call of an endpoint has less to say about itself, or nothing. */
export type CommandAnswer = Omit<Envelope<unknown>, 'meta'> & {
  readonly meta?: object;
  /** The parameters of the call, as they are shown. */
  readonly input?: unknown;
  /** With `--new`: the IDs of items that are no longer in their list. */
  readonly removed?: readonly string[];
  /** What is said in place of a table without rows. */
  readonly empty?: string | undefined;
};

/** Writes the pages of an answer to stdout in one format. */
export interface Writer {
  /** Takes a page; formats of one line an item write it at once. */
  page(answer: CommandAnswer): Promise<void>;
  /** Writes what is still owed. */
  end(): Promise<void>;
}

/** The materials of a format. */
export interface WriterOptions {
  readonly output: OutputOptions;
  readonly selection: Selection;
  readonly stdout: OutputStream;
  /** Writes a note beside the data, at a terminal. */
  writeNote(text: string): Promise<void>;
}

/** The items of an answer, each reduced to what is to be shown. */
export function itemsOf({ data }: CommandAnswer, { many, pick }: Selection): unknown[] {
  return (many ? (data as unknown[]) : [data]).map(pick);
}
