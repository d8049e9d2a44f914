import path from 'node:path';
import { ulid } from 'ulid';
import { digest } from '../../../../lib/call/cursor.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import type { OpenState } from '../../../compose/open-store.js';
import type { BatchFile } from '../../../files/batch-files/batch-file.js';
import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import type { InputResult } from '../../../files/batch-files/line-format.js';
import { grouped } from '../../../output/number-text.js';
import { RunAlert } from '../../../service/notify/run-alert.js';
import type { BatchCommandOptions } from '../batch/batch-options.js';
import { noticedLine } from '../batch/noticed-line.js';
import type { Notifier } from './notifier.js';

/** Why a run ended before its last input; undefined where somebody ended it, who needs no alert. */
function stoppedText({ finished, error }: BatchOutcome, signal: AbortSignal): string | null | undefined {
  if (finished) return null;
  if (signal.aborted || error === null || (error as NodeJS.ErrnoException).code === 'EPIPE') return undefined;
  return error instanceof ExtractError ? `${error.code}: ${error.message}` : 'An unexpected error ended it.';
}

/** The alert of a batch of the command line, as a step over its lines. */
export class BatchAlert {
  readonly #alert: RunAlert;
  readonly #state: OpenState;
  readonly #options: BatchCommandOptions;
  readonly #signal: AbortSignal;

  private constructor(alert: RunAlert, state: OpenState, options: BatchCommandOptions, signal: AbortSignal) {
    this.#alert = alert;
    this.#state = state;
    this.#options = options;
    this.#signal = signal;
  }

  /** Tells what an earlier run left untold, and begins. `file`: the lines of the batch, where it can be resumed. */
  static async begin(
    options: BatchCommandOptions,
    notifier: Notifier,
    home: string,
    { id, file, signal }: { id: string; file: BatchFile | undefined; signal: AbortSignal },
  ): Promise<BatchAlert> {
    const { endpoint, newsName, notifyAll, output, bucket } = options;
    const { openState } = await import('../../../compose/open-store.js');
    const state = await openState(home, systemClock);
    const reached = file?.from.totals.inputs ?? 0;
    const shown = output === null ? null : (bucket?.shown(output) ?? path.resolve(output));
    const key = newsName === null ? `output ${digest([shown])}` : `name ${newsName}`;
    try {
      const alert = await RunAlert.begin(
        {
          // A stream without a name is read anew, and finds the same.
          store: file === undefined && newsName === null ? null : state.untold,
          key,
          isFirst: newsName !== null && !notifyAll && !(await isNameKnown(home, newsName)),
          newId: () => `whd_${ulid()}`,
          tell: (notice) => notifier.tell(notice, signal),
        },
        {
          ...{ batch: id, retries: file?.retry !== undefined, endpoint: endpoint.path, output: shown },
          ...{ at: new Date(systemClock.now()).toISOString(), isNews: newsName !== null },
          ...{ reached, resumed: reached > 0 },
        },
      );
      return new BatchAlert(alert, state, options, signal);
    } catch (cause) {
      await state.close();
      throw cause;
    }
  }

  /** Keeps a result that is about to be written, with the names that it is to have. */
  apply(result: InputResult): Promise<void> {
    return this.#alert.apply(result.item.index, noticedLine(result));
  }

  /** The lines of the inputs before this index are safe. */
  saved(before: number): Promise<void> {
    return this.#alert.saved(before);
  }

  /** Says how many items a first run has made known, and told nobody of. */
  summary(): string[] {
    const { known } = this.#alert;
    if (known === 0) return [];
    return [
      `The first run under --new ${this.#options.newsName}: ${grouped(known)} known, none reported. --notify-all reports them.`,
    ];
  }

  /** Tells of the run. What is not told when the program is to stop, the next run tells. */
  async end(ended: BatchOutcome): Promise<void> {
    const stopped = stoppedText(ended, this.#signal);
    if (stopped === undefined) return;
    try {
      await this.#alert.end(ended.finished, stopped);
    } catch (cause) {
      if (!this.#signal.aborted) throw cause;
    }
  }

  async close(): Promise<void> {
    await this.#state.close();
  }
}

async function isNameKnown(home: string, name: string): Promise<boolean> {
  const { openSeenNames } = await import('../../../compose/open-seen-names.js');
  const { names, close } = await openSeenNames(home, systemClock);
  try {
    return await names.hasName(name);
  } finally {
    await close();
  }
}
