import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Extractor } from '../../../lib/extractor.js';
import type { PageEvidence } from '../../../lib/web/page-evidence.js';
import type { ProgramSettings } from '../../config/program-config.js';
import type { InputSource } from '../../files/batch-files/read-inputs.js';

/** Stdout or stderr. */
export interface OutputStream {
  readonly isTTY: boolean;
  /** Width of the terminal; undefined without one, or if unknown. */
  readonly columns: number | undefined;
  /**
   * Resolves when the stream has accepted the text; rejects if it cannot, with `EPIPE` if the reader has closed it.
   */
  write(text: string): Promise<void>;
}

/** The part of an extractor that the commands use. */
export type CommandExtractor = Pick<
  Extractor,
  'answer' | 'ledger' | 'cache' | 'close' | 'config' | 'browserVisits' | 'refusedLately'
>;

/** The environment of a command: a real process, or a test. */
export interface Context {
  readonly endpoints: readonly Endpoint[];
  stdin(): InputSource;
  /** Reads a line of stdin without echo; "" if there is none. */
  askSecret(): Promise<string>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly settings: ProgramSettings;
  /** Ends the run; its reason is an `Interruption`. */
  readonly signal: AbortSignal;
  /**
   * Creates an extractor, which the command closes. `onWarning` receives faults that do not prevent an answer;
   * `evidence` stores the pages.
   */
  openExtractor(
    config: Partial<Config>,
    onWarning?: ((warning: Error) => void) | undefined,
    evidence?: PageEvidence | undefined,
  ): Promise<CommandExtractor>;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export const configOf = (context: Context, config: Partial<Config> = {}): Promise<Config> =>
  withExtractor(context, config, async (extractor) => extractor.config);

/** Runs work with an extractor, and closes it afterwards. */
export async function withExtractor<T>(
  context: Context,
  config: Partial<Config>,
  work: (extractor: CommandExtractor) => Promise<T>,
  evidence?: PageEvidence,
): Promise<T> {
  const extractor = await context.openExtractor(config, undefined, evidence);
  try {
    return await work(extractor);
  } finally {
    await extractor.close();
  }
}
