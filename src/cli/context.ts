import type { Config, ProgramSettings } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { Extractor } from '../../lib/extractor.js';
import type { InputSource } from '../batch-files/read-inputs.js';

/** One of the program's two output streams. */
export interface OutputStream {
  readonly isTTY: boolean;
  /** Width of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** Resolves when the text is handed on; rejects when it cannot be, `EPIPE` when nobody reads on. */
  write(text: string): Promise<void>;
}

/** What the commands use of an extractor. */
export type CommandExtractor = Pick<Extractor, 'answer' | 'ledger' | 'cache' | 'close' | 'config'>;

/** Everything around a command: a real process, or a test. */
export interface Context {
  /** The table. */
  readonly endpoints: readonly Endpoint[];
  /** The standard input, where a command reads it. */
  stdin(): InputSource;
  /** A line of the standard input, typed unseen; "" when there is none. */
  askSecret(): Promise<string>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly settings: ProgramSettings;
  /** Ends what runs; its reason is an `Interruption`. */
  readonly signal: AbortSignal;
  /** Makes an extractor; the command closes it. `onWarning` is told of what does not keep it from answering. */
  openExtractor(
    config: Partial<Config>,
    onWarning?: ((warning: Error) => void) | undefined,
  ): Promise<CommandExtractor>;
}

/** Runs work on an extractor and lets go of it, whatever happens. */
export async function withExtractor<T>(
  context: Context,
  config: Partial<Config>,
  work: (extractor: CommandExtractor) => Promise<T>,
): Promise<T> {
  const extractor = await context.openExtractor(config);
  try {
    return await work(extractor);
  } finally {
    await extractor.close();
  }
}
